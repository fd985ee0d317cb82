/* explain_form.h: the generators of other values: a value that was asked for, as it may have been
 * meant. */
#pragma once

#include "explain/explain_near.h"
#include "explain/explain_rows.h"

enum form_tier {
    FORM_SPELLING, /* the same thing, written in another way */
    FORM_PART,     /* with other parts between its # */
    FORM_SLIP,     /* mistyped */
    FORM_PIECE,    /* with a piece more or less */
    FORM_TIERS
};

/* How a value is compared, as bits … */
enum form_use {
    FORM_EQUAL = 1, /* also an element, and each one of IN */
    FORM_START = 2,
    FORM_INSIDE = 4,
    FORM_RANGE = 8,
    FORM_ANY = 15,
    /* … and what a row is like. */
    FORM_LIKE = 16, /* it takes its form from a stored value */
    FORM_SURE = 32  /* of a range's end, or of another type, it is right without finding anything */
};

/* A generator's work. */
struct form {
    struct inquiry *q;
    const struct attr *asked;
    const struct values *there; /* stored values … */
    const struct attr *like;    /* … and one of them, for a row that needs one */
    enum form_use use;
    struct span name; /* of the attribute */
    struct attr out;  /* the other value; unchanged: the row has no other value */
    const char *why;  /* how it differs; NULL: the value shows it */
};

struct form_row {
    enum form_tier tier;
    unsigned types, use; /* of values, as bits: 1 << ATTR_S; bits of form_use */
    /* Makes the nth value; false: there are no more. */
    bool (*make)(struct form *f, unsigned n);
    const char *why;
    /* Or keeps what is near of one stored text: the nearest of all is tried. */
    void (*near)(const struct form *f, struct near_best *best);
};

extern const struct form_row explain_form_rows[];
extern const size_t explain_form_count;
