/* mask_value.h: replaces a value by another one. Equal values get equal replacements, in every
 * attribute and table, so that references between items are kept.
 *
 * The result depends only on the key: no state is kept, and a resumed run gives the same results.
 * Replaced values keep their form, letter for letter and digit for digit, and different values stay
 * different. Without the key nothing can be learned about a value except its form. */
#pragma once

#include "base/digest.h"
#include "model/attr.h"

struct mask_key {
    unsigned char bytes[SHA256_LEN];
};

/* Derives the key from a secret text. */
struct mask_key mask_value_key(struct span salt);

enum mask_action {
    MASK_HIDE,    /* ***, 0, an empty set and so on: all values become equal */
    MASK_HASH,    /* 32 digits made from the value */
    MASK_REPLACE, /* another value of the same form */
    MASK_DROP,    /* the attribute is removed */
};

/* The replacement of a text. `with` is a text in which {} becomes 16 digits of the hash; NULL:
 * none. */
struct span mask_value_text(struct arena *a, const struct mask_key *key, enum mask_action action,
                            const char *with, struct span text);

/* The replacement of a value of any type; lists and maps keep their form, and their values are
 * replaced one by one. Not for MASK_DROP. */
struct attr mask_value(struct arena *a, const struct mask_key *key, enum mask_action action,
                       const char *with, const struct attr *value);
