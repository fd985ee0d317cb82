/* utf8.h: checks and measures UTF-8. */
#pragma once

#include "base/arena.h"

/* Whether s is well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms). */
bool utf8_valid(struct span s);
/* Where s stops being well-formed UTF-8; its end if it is all well-formed. */
const char *utf8_valid_end(struct span s);

/* Whether s begins with a byte order mark, which some editors put at the start of a file. */
bool utf8_begins_with_mark(struct span s);
/* The error for files in our own formats, which may not have the mark: no editor shows it. */
#define UTF8_MARK_PROBLEM "the file begins with a byte order mark; save it without one"
/* s without a byte order mark at its beginning. */
struct span utf8_skip_mark(struct span s);

/* Writes a character, at most UTF8_MOST bytes, and returns their end. */
char *utf8_put(char *to, uint32_t code);
#define UTF8_MOST 4

/* Length in UTF-16 code units of valid UTF-8, like Java's String.length(). */
size_t utf8_utf16_length(struct span s);

/* s if it is UTF-8; else each byte as a character of ISO 8859-1, which is how the service reads
 * header fields. */
struct span utf8_of_field(struct arena *a, struct span s);

/* The first character of s, which is not empty; *len is its length in bytes. A byte that is not
 * UTF-8 counts as a character. */
uint32_t utf8_letter(struct span s, size_t *len);

/* How many characters valid UTF-8 has: what Python calls len(). */
size_t utf8_letters(struct span s);

/* Terminal columns that valid UTF-8 takes: wide East Asian letters and emoji take two. */
size_t utf8_columns(struct span s);
/* The longest beginning, or end, of s that takes at most `most` columns. */
struct span utf8_first_columns(struct span s, size_t most);
struct span utf8_last_columns(struct span s, size_t most);

/* The longest beginning of s with at most `max` bytes, in whole characters. */
struct span utf8_cut(struct span s, size_t max);
