/* utf8.h: what the rest needs to know about UTF-8. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/arena.h"

/* Whether s is well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms). */
bool utf8_valid(struct span s);
/* Where it stops being that; its end where it does not. */
const char *utf8_valid_end(struct span s);

/* Whether s begins with a byte order mark, as some editors put before a file's text. */
bool utf8_begins_with_mark(struct span s);
/* For files that are written for us alone, where it is refused: nobody sees it in an editor. */
#define UTF8_MARK_PROBLEM "the file begins with a byte order mark; save it without one"
/* What stands behind one; s where there is none. */
struct span utf8_skip_mark(struct span s);

/* Length in UTF-16 code units of valid UTF-8: what Java's String.length() says. */
size_t utf8_utf16_length(struct span s);

/* s, if it is UTF-8; else each of its bytes as a character of ISO 8859-1, which is how the service
 * reads header fields. */
struct span utf8_of_field(struct arena *a, struct span s);

/* The letter at the beginning of s, which is not empty, and how many bytes it has; a byte that is
 * no UTF-8 counts as a letter. */
uint32_t utf8_letter(struct span s, size_t *len);

/* Columns of a terminal that valid UTF-8 takes: wide letters of East Asia and emoji take two. */
size_t utf8_columns(struct span s);
/* As much of the beginning, or of the end, as has at most so many columns. */
struct span utf8_first_columns(struct span s, size_t most);
struct span utf8_last_columns(struct span s, size_t most);

/* As much of its beginning as has at most `max` bytes, in whole characters. */
struct span utf8_cut(struct span s, size_t max);

#endif
