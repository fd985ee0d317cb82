/* explain_form.h: the generators of other values: a value that was asked for, as it may have been
 * meant. */
#pragma once

#include "explain/explain_rows.h"
#include "expr/expr_op.h"

enum form_tier {
    FORM_SPELLING, /* the same thing, written in another way */
    FORM_PART,     /* with other parts between its # */
    FORM_SLIP,     /* mistyped; these two are compared with stored values (explain_near.h) */
    FORM_PIECE
};

/* A generator's work. */
struct form {
    struct inquiry *q;
    const struct attr *asked;
    const struct values *there; /* stored values … */
    const struct attr *like;    /* … and one of them, for a row that needs one */
    enum expr_op op;            /* what is asked */
    struct span name;           /* of the attribute */
    struct attr out;            /* the other value; unchanged: the row has no other value */
    const char *why;            /* how it differs; NULL: the value shows it */
};

struct form_row {
    enum form_tier tier;
    unsigned types; /* of values, as bits: 1 << ATTR_S */
    bool is_like;   /* it takes its form from a stored value */
    bool is_sure;   /* of a range's end, or of another type, it is right without finding anything */
    /* Makes the nth value; false: there are no more. */
    bool (*make)(struct form *f, unsigned n);
    const char *why;
};

extern const struct form_row explain_form_rows[];
extern const size_t explain_form_count;
