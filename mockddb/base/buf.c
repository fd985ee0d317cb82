#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>

#define FIRST_SIZE 256

char *buf_reserve(struct buf *b, size_t more)
{
    size_t cap = b->cap ? b->cap : FIRST_SIZE;

    if (more > SIZE_MAX / 2 - b->len)
        out_of_memory();
    while (cap - b->len < more)
        cap *= 2;
    if (cap > b->cap) {
        b->at = arena_grow(b->arena, b->at, b->cap, cap);
        b->cap = cap;
    }
    return b->at + b->len;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list args, again;
    int len;

    va_start(args, fmt);
    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len < 0)
        out_of_memory();
    buf_reserve(b, (size_t)len + 1);
    vsnprintf(b->at + b->len, (size_t)len + 1, fmt, again);
    va_end(again);
    b->len += (size_t)len;
}

void buf_add_json_string(struct buf *b, struct span s)
{
    static const char hex[] = "0123456789abcdef";
    size_t start = 0;

    buf_add_char(b, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];
        char escape[6] = {'\\', 'u', '0', '0', 0, 0};
        size_t len = 2;

        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        switch (c) {
        case '\n':
            escape[1] = 'n';
            break;
        case '\r':
            escape[1] = 'r';
            break;
        case '\t':
            escape[1] = 't';
            break;
        case '\b':
            escape[1] = 'b';
            break;
        case '\f':
            escape[1] = 'f';
            break;
        case '"':
        case '\\':
            escape[1] = (char)c;
            break;
        default:
            escape[4] = hex[c >> 4];
            escape[5] = hex[c & 15];
            len = 6;
        }
        buf_add(b, s.at + start, i - start);
        buf_add(b, escape, len);
        start = i + 1;
    }
    buf_add(b, s.at + start, s.len - start);
    buf_add_char(b, '"');
}

const char *buf_text(struct buf *b)
{
    *buf_reserve(b, 1) = '\0';
    return b->at;
}
