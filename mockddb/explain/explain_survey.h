/* explain_survey.h: what items have where a part of a condition looks, and why it does not fit. */
#pragma once

#include "explain/explain_candidate.h"
#include "expr/expr_print.h"

#define EXPLAIN_SURVEY_ITEMS  1000 /* that are looked at */
#define EXPLAIN_SURVEY_VALUES 3    /* that are shown */

/* What the items have where a part of the filter looks. */
struct explain_survey {
    const struct read_page *page;
    const struct index *vectors; /* a vector index, of which the items are; NULL: of none */
    const struct expr_cond *part;
    struct expr_comparison asked;
    size_t passed;          /* parts of facts.removed that an item has to fit to be looked at */
    size_t items, fit;      /* looked at; of them, those that fit the part … */
    size_t pass;            /* … that fit the whole filter … */
    bool all;               /* no other item is in the range, on no page */
    size_t have, nulls;     /* … that have the attribute, and that have it as NULL */
    unsigned types;         /* that it has, as bits */
    struct values values;   /* that it has; the first different ones come once */
    struct values elements; /* of its sets and lists */
    bool certain;           /* what was found keeps the part from fitting, on any page */
    bool whole;             /* what was found is all of the reason */
    struct span name;       /* of an attribute that is called nearly the same … */
    struct span names[EXPLAIN_SURVEY_VALUES]; /* … or longer, with words in front or behind */
    size_t name_count;
    struct span nested;      /* where a map has a member of that name */
    const struct attr *root; /* what the path begins with, where the rest of it is not there */
    struct span inner;       /* the path with a member that is called nearly as the missing one */
    size_t list_len;         /* steps of the path that lead to a list, without a number behind */
    bool one_name;           /* there is an attribute that is called like the whole path */
    struct span dotted;      /* a name with dots, of the path … */
    bool is_path;            /* … which leads somewhere as several names */
    struct holders holders;  /* of the text that was asked for */
};

/* Looks at the first items that the call read, for survey.page, part and asked; where more follow,
 * at some of those too. */
void explain_survey_look(struct inquiry *q, struct explain_survey *s);

/* Whether a vector index has an entry of the item: what is no vector is refused where it is
 * written. */
bool explain_survey_holds(const struct index *vectors, const struct item *it);

/* Notes a value that an item has. */
void explain_survey_note(struct inquiry *q, struct explain_survey *s, const struct attr *value);

/* A part with its value: level = "warn". */
const char *explain_survey_part(struct inquiry *q, const struct expr_cond *part);

/* Where the part asks for its value, among s->values or s->elements. */
struct position explain_survey_position(struct inquiry *q, const struct explain_survey *s,
                                        const struct values *there);

/* A value that may have been meant among s->values or s->elements, for what the part asks or for
 * one of IN. *p is the position of the value that is corrected; if it finds none, of the first one
 * that was asked for. */
bool explain_survey_find(struct inquiry *q, struct explain_survey *s, const struct values *there,
                         struct position *p, struct candidate *c);
