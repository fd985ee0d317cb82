/* fold.h: compares texts as a reader sees them: without case, white space and accents, with one
 * kind of dash and quote.
 *
 * Latin letters up to U+017F fold to ASCII, as do full-width letters and the Greek and Cyrillic
 * letters that look like them; other characters and bytes that are not UTF-8 stay unchanged. */
#pragma once

#include "base/span.h"

/* How two texts that look the same differ, as bits. */
enum fold_difference {
    FOLD_CASE = 1,
    FOLD_LINE = 2,         /* '-' for '_' */
    FOLD_BLANK = 4,        /* ASCII's white space */
    FOLD_HIDDEN_BLANK = 8, /* no-break spaces, and characters without width */
    FOLD_LONG_DASH = 16,   /* and other dashes that are on no keyboard */
    FOLD_CURLY_QUOTE = 32,
    FOLD_ACCENT = 64,
    FOLD_ACCENT_FORM = 128, /* one character in one text, a letter and an accent in the other */
    FOLD_ALPHABET = 256     /* a letter of another alphabet, or full-width */
};

/* Whether they look the same; *difference says how they differ, 0: not at all. */
bool fold_compare(struct span a, struct span b, unsigned *difference);

/* Returns text without ASCII white space at its ends. */
struct span fold_trimmed(struct span text);

/* Whether `text` begins with something that looks like `prefix`, in *len bytes. */
bool fold_begins(struct span text, struct span prefix, size_t *len);
