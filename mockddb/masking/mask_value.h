/* mask_value.h: another value in a value's place: the same one for the same value, whatever the
 * attribute and the table, so that what belonged together does so afterwards.
 *
 * It depends on the key alone: nothing is remembered, and a run that goes on gives what it would
 * have given. Replaced values keep their form, letter for letter and digit for digit, and no two
 * become one. Without the key nobody can tell what a value was, other than by its form. */
#ifndef MASKING_MASK_VALUE_H
#define MASKING_MASK_VALUE_H

#include "base/sha256.h"
#include "model/attr.h"

struct mask_key {
    unsigned char bytes[SHA256_LEN];
};

/* The key that belongs to a secret text. */
struct mask_key mask_value_key(struct span salt);

enum mask_action {
    MASK_HIDE,    /* ***, 0, an empty set's like: all values become one */
    MASK_HASH,    /* 32 digits that stand for it */
    MASK_REPLACE, /* another of the same form */
    MASK_DROP,    /* it is not there */
};

/* The text in the place of a text. `with` is a text in which {} stands for 16 digits of its hash;
 * NULL: none. */
struct span mask_value_text(struct arena *a, const struct mask_key *key, enum mask_action action,
                            const char *with, struct span text);

/* The value in the place of a value of any type; lists and maps keep their form, and their values
 * are changed one by one. Not for MASK_DROP. */
struct attr mask_value(struct arena *a, const struct mask_key *key, enum mask_action action,
                       const char *with, const struct attr *value);

#endif
