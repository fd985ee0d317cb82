/* expr_vars.h: ExpressionAttributeNames and ExpressionAttributeValues. */
#pragma once

#include "model/attr.h"
#include "model/error.h"

struct expr_name {
    struct span key;  /* "#n"; first in both structs */
    struct span name; /* the attribute's name */
    bool used;
};

struct expr_value {
    struct span key; /* ":v" */
    struct attr value;
    bool used;
};

/* The two maps of a request; keys are unique. Bound trees point to the values, so the arrays must
 * not move. `used` is set while binding. */
struct expr_vars {
    struct expr_name *names;
    size_t name_count;
    struct expr_value *values;
    size_t value_count;
};

/* Checks the form and length of the maps' keys, and refuses empty names (does not check the values,
 * nor refuse empty maps). */
MUST_CHECK const struct error *expr_check_names(struct arena *a, const struct expr_vars *vars);
MUST_CHECK const struct error *expr_check_value_keys(struct arena *a, const struct expr_vars *vars);

/* "Value provided in ExpressionAttributeNames unused in expressions: …"; names, then values;
 * the keys in byte order. */
MUST_CHECK const struct error *expr_check_unused(struct arena *a, const struct expr_vars *vars);
