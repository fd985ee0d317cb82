/* mask_left.h: texts that rules replaced, and where they still are in what was written.
 *
 * A text is found anywhere in a text, number, binary value or name (except for names of letters and
 * _ only), in upper and lower case. A text of fewer than 8 bytes, or of digits only, is found only
 * as a word of its own; one of fewer than 4 is not looked for. Of a text that is longer than 1 KB
 * its first 1 KB is looked for. */
#pragma once

#include "model/attr.h"

struct mask_left;

/* Everything lives in the arena. */
struct mask_left *mask_left_new(struct arena *a);

/* Remembers the texts and numbers of a value that is replaced or dropped. Up to 64 MB of texts are
 * remembered. */
void mask_left_remember(struct mask_left *left, const struct attr *value);

/* Looks for the remembered texts in a written item of the table; uses the arena for the time of the
 * call. */
void mask_left_look(struct mask_left *left, struct arena *a, struct span table,
                    const struct item *it);

/* A sentence that names the attributes with such a text, but not the text; NULL if no attribute has
 * one. */
const char *mask_left_say(const struct mask_left *left, struct arena *a);
