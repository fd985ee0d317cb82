/* span.h: borrowed bytes with a length; may hold any byte, NUL included.
 *
 * A span never owns memory: it lives as long as the bytes it points to. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
    const char *at;
    size_t len; /* bytes */
};

#define SPAN_LIT(literal) ((struct span){(literal), sizeof(literal) - 1})
#define SPAN_LIT_INIT(lit)     \
    {                          \
        (lit), sizeof(lit) - 1 \
    } /* for static tables */

/* For "%.*s": SPAN_ARG(s). Stops at a NUL byte; use buf_add_span where that matters. */
#define SPAN_ARG(s) (int)(s).len, span_printable(s)

/* The address of the bytes; never NULL. */
static inline const char *span_printable(struct span s)
{
    return s.at ? s.at : "";
}

static inline struct span span_of(const char *text)
{
    return (struct span){text, strlen(text)};
}

static inline bool span_equal(struct span a, struct span b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static inline bool span_is(struct span a, const char *text)
{
    return span_equal(a, span_of(text));
}

/* The first occurrence of the byte, or NULL. */
static inline const char *span_find(struct span s, char byte)
{
    return s.len ? memchr(s.at, (unsigned char)byte, s.len) : NULL;
}

static inline bool span_has(struct span s, char byte)
{
    return span_find(s, byte) != NULL;
}

/* Compares by unsigned bytes; a prefix comes before longer texts: < 0, 0, > 0. */
static inline int span_compare(struct span a, struct span b)
{
    size_t shared = a.len < b.len ? a.len : b.len;
    int order = shared ? memcmp(a.at, b.at, shared) : 0;

    return order ? order : (a.len > b.len) - (a.len < b.len);
}

/* Whether the list has an equal span. */
static inline bool span_is_among(struct span s, const struct span *list, size_t count)
{
    while (count && !span_equal(s, list[count - 1]))
        count--;
    return count > 0;
}

static inline bool span_starts_with(struct span s, struct span prefix)
{
    return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.at, prefix.at, prefix.len) == 0);
}

/* Whether all bytes are in a class of ascii.h. */
static inline bool span_is_all(struct span s, bool (*is_in_class)(char))
{
    while (s.len && is_in_class(s.at[s.len - 1]))
        s.len--;
    return s.len == 0;
}

/* Up to eight bytes as a big-endian number. */
static inline uint64_t span_big_endian(struct span s)
{
    uint64_t value = 0;

    for (size_t i = 0; i < s.len; i++)
        value = value << 8 | (unsigned char)s.at[i];
    return value;
}

/* One past the last byte. */
static inline const char *span_end(struct span s)
{
    return s.len ? s.at + s.len : s.at;
}

/* The bytes from `from` (at most s.len) to the end. NULL allows no offset, not even 0. */
static inline struct span span_from(struct span s, size_t from)
{
    return from ? (struct span){s.at + from, s.len - from} : s;
}

/* The bytes of s behind `part`, which is a part of s. */
static inline struct span span_behind(struct span s, struct span part)
{
    const char *from = span_end(part);

    return (struct span){from, (size_t)(span_end(s) - from)};
}
