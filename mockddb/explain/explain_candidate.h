/* explain_candidate.h: other values that may have been meant where a value found nothing.
 *
 * One table of generators makes them (explain_form.h), for every position at which a value is asked
 * for: a key, an operand of a filter, a member of a set, an operand of a failed condition. A
 * position says which values are stored there, and what another value would find. */
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

struct position {
    struct inquiry *q;
    enum expr_op op;      /* how the value is compared; = for an element, and for each one of IN */
    struct attr asked[2]; /* the value; the second one is BETWEEN's upper end */
    struct span name;     /* the attribute's; empty: it has none */
    struct values there;  /* stored values: all of them, or some */
    bool is_ordered;      /* they are in order, the first and the last of all among them */
    /* How many entries another value finds, and one of them: the nearest to the end of a range. */
    size_t (*find)(const struct position *p, const struct attr *to, struct attr *found);
    const void *data;
};

struct candidate {
    enum form_tier tier;
    struct attr to[2];     /* for position.asked */
    bool is_sure;          /* it is right, whether it finds something or not */
    size_t count;          /* entries that it finds */
    struct attr found;     /* one of them */
    const char *why;       /* how it differs; NULL: the value shows it */
    struct near_best best; /* of slips and pieces: all that are near */
};

/* The first value of this tier that finds something, or must be right. */
bool explain_candidate_find(const struct position *p, enum form_tier tier, struct candidate *out);

/* Like explain_candidate_find, for all tiers in their order. */
bool explain_candidate_any(const struct position *p, struct candidate *out);

/* Whether this text finds something. */
bool explain_candidate_try(const struct position *p, struct span text, const char *why,
                           struct candidate *out);

/* For positions of which all that is known are the values in `there`. */
size_t explain_candidate_among(const struct position *p, const struct attr *to, struct attr *found);

/* "there is "X": how it differs"; of what is sure, how it differs. */
const char *explain_candidate_words(const struct position *p, const struct candidate *c);

/* What is stored there, as "they go from … to …", or with a subject as "level is "a" or "b""; NULL:
 * it would say nothing. */
const char *explain_candidate_stored(const struct position *p, const char *subject);

/* Makes the request with this value the proposal; and with both texts in lines below the reason,
 * and the other ones that are near. */
void explain_candidate_propose(const struct position *p, const struct candidate *c);
void explain_candidate_show(const struct position *p, const struct candidate *c);

/* Whether the operator asks for a range, of which values are the ends. */
bool explain_candidate_is_range(enum expr_op op);

/* --- moments: dates of ISO 8601, and seconds, milliseconds or microseconds since 1970 --- */

/* Whether an attribute's name says that it is a moment: createdAt, expires, start_time. */
bool explain_moment_named(struct inquiry *q, struct span name);

/* Whether both are moments in forms that do not compare: *out is `asked` in the form of `there`.
 * Returns the difference in words; NULL: they are not. Two numbers are moments if the attribute is
 * named so, or if they are of this century and near each other. */
const char *explain_moment_mend(struct inquiry *q, bool named, const struct attr *asked,
                                const struct attr *there, struct attr *out);

/* Forms of a moment with a time in the middle of a text, such as a key; returns their number. */
#define EXPLAIN_MOMENT_FORMS 6
size_t explain_moment_forms(struct inquiry *q, struct span asked,
                            struct span out[EXPLAIN_MOMENT_FORMS]);
