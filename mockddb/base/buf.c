#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>

#define FIRST_SIZE 256

char *buf_reserve(struct buf *b, size_t more)
{
    size_t cap = b->cap;

    if (more > SIZE_MAX / 2 - b->len)
        arena_out_of_memory(b->arena);
    if (cap - b->len < more) {
        cap = cap ? 2 * cap : FIRST_SIZE;
        if (cap - b->len < more) /* whoever knows how much it will be gets just that */
            cap = b->len + more;
        b->at = arena_grow(b->arena, b->at, b->cap, cap);
        b->cap = cap;
    }
    return b->at + b->len;
}

void buf_vprintf(struct buf *b, const char *fmt, va_list args)
{
    va_list again;
    int len;

    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, args);
    if (len < 0)
        arena_out_of_memory(b->arena);
    buf_reserve(b, (size_t)len + 1);
    (void)vsnprintf(b->at + b->len, (size_t)len + 1, fmt, again);
    va_end(again);
    b->len += (size_t)len;
}

void buf_add_big_endian(struct buf *b, uint64_t value, size_t len)
{
    for (size_t i = len; i-- > 0;)
        buf_add_char(b, (char)(value >> (8 * i) & 0xFF));
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    buf_vprintf(b, fmt, args);
    va_end(args);
}

/* Whether one of the eight bytes is a quote, a backslash or a control character. */
static bool needs_escape(const char *at)
{
    const uint64_t ones = 0x0101010101010101, highs = ones << 7;
    uint64_t word, quote, slash;

    memcpy(&word, at, sizeof word);
    quote = word ^ ones * '"';
    slash = word ^ ones * '\\';
    return ((((quote - ones) & ~quote) | ((slash - ones) & ~slash) |
             ((word - ones * 0x20) & ~word)) &
            highs) != 0;
}

static void add_escape(struct buf *b, char c)
{
    static const char hex[] = "0123456789abcdef";
    static const char special[] = "\"\\\n\r\t\b\f", letters[] = "\"\\nrtbf";
    const char *found = c ? strchr(special, c) : NULL;
    char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4 & 15], hex[c & 15]};

    if (found)
        escape[1] = letters[found - special];
    buf_add(b, escape, found ? 2 : 6);
}

void buf_add_json_string(struct buf *b, struct span s)
{
    const char *at = span_printable(s);
    size_t start = 0;

    buf_add_char(b, '"');
    for (size_t i = 0; i < s.len; i++) {
        char c;

        while (s.len - i > 8 && !needs_escape(at + i))
            i += 8;
        c = at[i];
        if ((unsigned char)c >= 0x20 && c != '"' && c != '\\')
            continue;
        buf_add(b, at + start, i - start);
        add_escape(b, c);
        start = i + 1;
    }
    buf_add(b, at + start, s.len - start);
    buf_add_char(b, '"');
}

const char *buf_text(struct buf *b)
{
    *buf_reserve(b, 1) = '\0';
    return b->at;
}
