#include "base/buf.h"

#include "base/plain.h"

#include <stdarg.h>
#include <stdio.h>

#define FIRST_SIZE 256

char *buf_reserve(struct buf *b, size_t more)
{
    size_t cap = b->cap;

    if (more > SIZE_MAX / 2 - b->len)
        arena_out_of_memory(b->arena);
    if (cap - b->len < more) {
        size_t size = FIRST_SIZE;

        /* Powers of two, at least half as much again: the blocks that a buffer leaves behind as it
         * grows then total no more than its final size. */
        while (size < cap + cap / 2)
            size *= 2;
        cap = size;
        if (cap - b->len < more) /* a caller that knows the size gets exactly that */
            cap = b->len + more;
        b->at = arena_grow(b->arena, b->at, b->cap, cap);
        b->cap = cap;
    }
    return b->at + b->len;
}

/* Almost always there is enough room already. */
void buf_vprintf(struct buf *b, const char *fmt, va_list args)
{
    size_t room = b->cap - b->len;
    va_list again;
    int len;

    va_copy(again, args);
    len = vsnprintf(room ? b->at + b->len : NULL, room, fmt, args);
    if (len < 0)
        arena_out_of_memory(b->arena);
    if ((size_t)len >= room)
        (void)vsnprintf(buf_reserve(b, (size_t)len + 1), (size_t)len + 1, fmt, again);
    va_end(again);
    b->len += (size_t)len;
}

void buf_add_integer(struct buf *b, int64_t value)
{
    char digits[24];
    size_t first = sizeof digits;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do
        digits[--first] = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0)
        digits[--first] = '-';
    buf_add(b, digits + first, sizeof digits - first);
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

static const char hex[] = "0123456789abcdef";

void buf_add_hex(struct buf *b, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    char *to;

    if (!len)
        return;
    to = buf_reserve(b, len * 2);
    for (size_t i = 0; i < len; i++) {
        *to++ = hex[at[i] >> 4];
        *to++ = hex[at[i] & 15];
    }
    b->len += len * 2;
}

static void add_escape(struct buf *b, char c)
{
    static const char letters['\\' + 1] = {['"'] = '"',  ['\\'] = '\\', ['\n'] = 'n', ['\r'] = 'r',
                                           ['\t'] = 't', ['\b'] = 'b',  ['\f'] = 'f'};
    char letter = letters[(unsigned char)c];
    char escape[6] = {'\\', letter ? letter : 'u', '0', '0', hex[c >> 4 & 15], hex[c & 15]};

    buf_add(b, escape, letter ? 2 : 6);
}

void buf_add_json_string(struct buf *b, struct span s)
{
    const char *at = span_printable(s), *end = at + s.len;

    buf_add_char(b, '"');
    for (;;) {
        const char *plain = plain_end(at, end);

        buf_add(b, at, (size_t)(plain - at));
        if (plain == end)
            break;
        for (at = plain; at < end && plain_is_special(*at); at++)
            add_escape(b, *at);
    }
    buf_add_char(b, '"');
}

const char *buf_text(struct buf *b)
{
    *buf_reserve(b, 1) = '\0';
    return b->at;
}
