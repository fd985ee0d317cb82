/* explain_rows.h: looking at keys, a bounded number of them. */
#pragma once

#include "explain/inquiry.h"

/* Where entries are: a table, or one of its indexes (NULL: the table itself). */
struct rows {
    const struct table *table;
    const struct index *index;
};

/* The key of the table or index, and its space in the store. */
const struct key_schema *explain_rows_keys(const struct rows *r);
uint32_t explain_rows_space(const struct rows *r);

/* All entries of a partition of a key with a single partition attribute. */
struct store_range explain_rows_partition(struct inquiry *q, const struct rows *r,
                                          const struct attr *hash);

/* All entries. */
struct store_range explain_rows_all(struct inquiry *q, const struct rows *r);

/* Stored values. */
struct values {
    struct attr *at;
    size_t len;
    bool all; /* nothing was left out */
};

/* Adds a value that is not among the first ones of the list, for which it has room. */
void explain_rows_note(struct inquiry *q, struct values *list, size_t room,
                       const struct attr *value);

/* The values of the (single) partition attribute, up to `limit`, one seek for each. */
struct values explain_rows_partitions(struct inquiry *q, const struct rows *r, size_t limit);

/* Up to `limit` values of a key attribute in a range that has one value for each one before it, in
 * order: the first ones, and if there are more, those next to `near` and the last one. */
struct values explain_rows_values(struct inquiry *q, const struct rows *r,
                                  const struct store_range *range, struct span name,
                                  const struct attr *near, size_t limit);

#define EXPLAIN_ROWS_COUNTED 50 /* entries of a partition or range */
/* "3 items", "50 items or more" */
const char *explain_rows_count_words(struct inquiry *q, size_t count);

/* Entries of a range, up to `limit`. */
size_t explain_rows_count_range(struct inquiry *q, const struct store_range *range, size_t limit);

/* The first and the last value of a key attribute in such a range; false: it is empty. Takes two
 * seeks, however long it is. */
bool explain_rows_ends(struct inquiry *q, const struct rows *r, const struct store_range *range,
                       struct span name, struct attr *first, struct attr *last);

/* Whether a value is where it is asked for; `asked` has the upper end of BETWEEN as its second. */
bool explain_rows_fits(enum expr_op op, const struct attr *asked, const struct attr *value);

static inline bool explain_rows_fits_clause(const struct expr_key_clause *c,
                                            const struct attr *value)
{
    return explain_rows_fits(c->op, (struct attr[]){c->low, c->high}, value);
}

/* Reads the items of a range, whole: up to the limit, 2 MB or the end of the inquiry's budget. A
 * walk may be left in the middle; the end of the inquiry's unit ends it. */
struct walk {
    struct inquiry *q;
    struct store_range range;
    struct cursor *cursor; /* NULL: nothing is read yet */
    size_t left, bytes;
    struct item it;
    bool all; /* the range ended */
};
struct walk explain_rows_walk(struct inquiry *q, const struct store_range *range, size_t limit);
/* Of all items of a table. */
struct walk explain_rows_walk_all(struct inquiry *q, const struct table *t, size_t limit);
/* The next item is w->it; false: there are no more. */
bool explain_rows_next(struct walk *w);

/* Items that have a value as another attribute than `except`, one attribute for all. */
struct holders {
    const struct attr *asked; /* NULL: nothing is looked for */
    struct span except;
    struct span name; /* that attribute */
    struct item it;   /* the first of the items */
    size_t count;     /* of items */
};
/* Notes the item if it is one of them. Short texts, dates and numbers are the same by chance. */
void explain_rows_hold(struct holders *h, const struct item *it);

/* A '#'-separated part of a text, and their number; the first part with its '#', which is empty if
 * there is one part. */
struct span explain_rows_segment(struct span text, size_t n);
size_t explain_rows_segments(struct span text);
struct span explain_rows_start(struct span text);
