/* buf.h: bytes that grow in an arena. Nothing can fail (see arena.h). */
#pragma once

#include "base/arena.h"
#include "base/span.h"

#include <assert.h>

struct buf {
    struct arena *arena;
    char *at;
    size_t len; /* bytes in use */
    size_t cap;
};

static inline struct buf buf_in(struct arena *a)
{
    return (struct buf){.arena = a};
}

/* Makes room for `more` further bytes, at least one, and returns where they go; the caller updates
 * buf.len. */
char *buf_reserve(struct buf *b, size_t more);

static inline void buf_add(struct buf *b, const void *bytes, size_t len)
{
    if (!len)
        return;
    assert(bytes);
    if (b->cap - b->len < len)
        buf_reserve(b, len);
    memcpy(b->at + b->len, bytes, len);
    b->len += len;
}

static inline void buf_add_char(struct buf *b, char c)
{
    if (b->len == b->cap)
        buf_reserve(b, 1);
    b->at[b->len++] = c;
}

static inline void buf_add_span(struct buf *b, struct span s)
{
    buf_add(b, s.at, s.len);
}

static inline void buf_add_text(struct buf *b, const char *text)
{
    buf_add(b, text, strlen(text));
}

/* Appends the lowest `len` bytes of a number, big-endian, so that byte order is numeric order. Read
 * it with span_big_endian. */
void buf_add_big_endian(struct buf *b, uint64_t value, size_t len);

/* Appends each byte as two hexadecimal digits, in lower case. */
void buf_add_hex(struct buf *b, const void *bytes, size_t len);

/* In decimal. */
void buf_add_integer(struct buf *b, int64_t value);

void buf_printf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list args) PRINTF_LIKE(2, 0);

/* Appends s as a JSON string with its quotes: `"`, `\` and control characters are escaped, other
 * bytes (UTF-8) are unchanged. */
void buf_add_json_string(struct buf *b, struct span s);

/* The bytes so far; valid until the next append. */
static inline struct span buf_span(const struct buf *b)
{
    return (struct span){b->at, b->len};
}

/* The bytes so far as NUL-terminated text; valid until the next append. */
const char *buf_text(struct buf *b);
