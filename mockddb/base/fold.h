/* fold.h: texts as eyes see them: without case, white space and accents, with one kind of dash and
 * quote.
 *
 * Latin letters up to U+017F fold to those of ASCII, and so do those of Greek and Cyrillic that
 * look like them, and wide ones; other signs, and bytes that are no UTF-8, stay what they are. */
#ifndef BASE_FOLD_H
#define BASE_FOLD_H

#include "base/span.h"

/* In what two texts differ that look the same, as bits. */
enum fold_difference {
    FOLD_CASE = 1,
    FOLD_LINE = 2,         /* '-' for '_' */
    FOLD_BLANK = 4,        /* ASCII's white space */
    FOLD_HIDDEN_BLANK = 8, /* no-break spaces, and what takes no place */
    FOLD_LONG_DASH = 16,   /* and other dashes that no keyboard has */
    FOLD_CURLY_QUOTE = 32,
    FOLD_ACCENT = 64,
    FOLD_ACCENT_FORM = 128, /* one sign in one of them, a letter and an accent in the other */
    FOLD_ALPHABET = 256     /* a letter of another alphabet, or a wide one */
};

/* Whether they look the same; *difference says in what they differ, 0: in nothing. */
bool fold_compare(struct span a, struct span b, unsigned *difference);

/* Without ASCII's white space at its ends. */
struct span fold_trimmed(struct span text);

/* Whether `text` begins so; *len is how many of its bytes that are. */
bool fold_begins(struct span text, struct span prefix, size_t *len);

#endif
