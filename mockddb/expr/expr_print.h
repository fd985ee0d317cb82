/* expr_print.h: prints a bound condition in parts, for people to read.
 *
 * Attributes are printed by name, values by their placeholder; values without one (older
 * parameters, PartiQL) are written out. */
#pragma once

#include "expr/expr_cond.h"

/* The operands of the ANDs at the top of a condition, in written order: an item passes if it passes
 * all of them. cond may be NULL (no parts). */
struct expr_parts {
    struct expr_cond **at;
    size_t len;
};
struct expr_parts expr_condition_parts(struct arena *a, const struct expr_cond *cond);

/* The operands of the ORs at its top: an item passes if it passes one of them. */
struct expr_parts expr_condition_choices(struct arena *a, const struct expr_cond *cond);

void expr_print_condition(struct buf *out, const struct expr_cond *cond);

/* A value for people: "text", 12, <5 bytes>, true, {"M": …}; long ones end with an ellipsis. */
void expr_print_value(struct buf *out, const struct attr *value);

/* A part that is one comparison of an attribute with a value, or with two for BETWEEN. A comparison
 * of `size` or another function of the attribute is not one, nor is `:v IN (a, b)`. */
struct expr_comparison {
    const struct path *path;
    enum expr_op op;
    const struct attr *value;  /* the first value, or NULL */
    const struct attr *second; /* the upper bound of BETWEEN, else NULL */
};
bool expr_as_comparison(const struct expr_cond *part, struct expr_comparison *out);

/* The values that such a part may equal, for = and IN, and their number. */
const struct attr **expr_choices(struct arena *a, const struct expr_cond *part, size_t *count);

/* The path whose size or type a part tests, or NULL; *wrong is a value that a size is compared
 * with, where none of them is a number; else NULL. */
const struct path *expr_measured_path(const struct expr_cond *part, bool *is_size,
                                      const struct attr **wrong);
