/* jmespath_value.h: the values of expressions. */
#pragma once

#include "jmespath/jmespath.h"

/* A JSON value, or an expression that is passed to a function. Values are never changed. */
struct jmespath_value {
    enum json_kind kind;
    bool truth;
    bool whole;       /* a number without fraction or exponent */
    double number;    /* the value of digits */
    struct span text; /* a string, or the digits of a number */

    const struct jmespath_value **at; /* elements, or the members' values */
    struct span *names;               /* of members */
    size_t count;

    const struct jmespath *expression; /* &…; NULL: a JSON value */
};

extern const struct jmespath_value jmespath_value_null;

const struct jmespath_value *jmespath_value_of_json(struct arena *a, const wire_node *node);
const struct jmespath_value *jmespath_value_bool(bool truth);
const struct jmespath_value *jmespath_value_string(struct arena *a, struct span text);
const struct jmespath_value *jmespath_value_number(struct arena *a, double number, bool whole);
struct jmespath_value *jmespath_value_array(struct arena *a);

/* Appends an element, or sets a member; `name` is not used for arrays. */
void jmespath_value_add(struct arena *a, struct jmespath_value *to, struct span name,
                        const struct jmespath_value *value);

/* The member with the name, or null. */
const struct jmespath_value *jmespath_value_member(const struct jmespath_value *object,
                                                   struct span name);

/* Whether a value counts as true: it is not false, null, or empty. */
bool jmespath_value_is_true(const struct jmespath_value *v);

bool jmespath_value_equal(const struct jmespath_value *a, const struct jmespath_value *b);

/* Compares two numbers or two strings: < 0, 0, > 0. */
int jmespath_value_order(const struct jmespath_value *a, const struct jmespath_value *b);

/* Appends JSON; `escaped`: without blanks, and with \u escapes for all letters beyond ASCII. */
void jmespath_value_write(struct buf *out, const struct jmespath_value *v, bool escaped);
