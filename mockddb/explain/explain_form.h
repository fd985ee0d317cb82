/* explain_form.h: other forms of a value that was asked for: the same thing, written in another
 * way. */
#ifndef EXPLAIN_EXPLAIN_FORM_H
#define EXPLAIN_EXPLAIN_FORM_H

#include "explain/inquiry.h"

struct form {
    struct span value;
    const char *why; /* what is wrong with the one that was asked for */
};

#define EXPLAIN_FORMS 26

/* In another case, with - for _; without quotes, types, white space or percent signs around what
 * was meant; decoded base64; dates as 2026-03-05, where they were written otherwise, and their
 * times in other forms. Those that differ from `asked`, and how many they are. */
size_t explain_form_of_text(struct inquiry *q, struct span asked, struct form out[EXPLAIN_FORMS]);

/* Bytes that were encoded once too often, or not. */
size_t explain_form_of_bytes(struct inquiry *q, struct span asked, struct form out[EXPLAIN_FORMS]);

/* The text with each character of a range moved by `shift`: 'A', 'Z', 32 gives lower case. */
struct span explain_form_changed(struct inquiry *q, struct span text, char from_low, char from_high,
                                 int shift);

#endif
