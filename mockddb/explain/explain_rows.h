/* explain_rows.h: looking at keys, a bounded number of them. */
#ifndef EXPLAIN_EXPLAIN_ROWS_H
#define EXPLAIN_EXPLAIN_ROWS_H

#include "explain/explain_read.h"

/* Where entries are: a table, or one of its indexes (NULL: the table itself). */
struct rows {
    const struct table *table;
    const struct index *index;
};

/* The key of the table or index, and its space in the store. */
const struct key_schema *explain_rows_keys(const struct rows *r);
uint32_t explain_rows_space(const struct rows *r);

/* Entries of one partition of a key with a single partition attribute, up to `limit`. */
size_t explain_rows_count(struct inquiry *q, const struct rows *r, const struct attr *hash,
                          size_t limit);

/* All entries of that partition. */
struct store_range explain_rows_partition(struct inquiry *q, const struct rows *r,
                                          const struct attr *hash);

/* Up to `limit` partitions, one after another; the values of their (single, text) partition
 * attribute. */
struct span_list {
    struct span *at;
    size_t len;
    bool all; /* nothing was left out */
};
struct span_list explain_rows_partitions(struct inquiry *q, const struct rows *r, size_t limit);

/* Up to `limit` values of the (single, text) sort attribute in a partition, in order: the first
 * ones, and if there are more, those next to `near` (NULL: no value is of interest) and the last
 * one. */
struct span_list explain_rows_sort_values(struct inquiry *q, const struct rows *r,
                                          const struct attr *hash, const struct attr *near,
                                          size_t limit);

/* The entries of a partition whose sort attribute is `sort`, or begins with it. */
struct store_range explain_rows_sorted(struct inquiry *q, const struct rows *r,
                                       const struct attr *hash, const struct attr *sort,
                                       bool begins);

/* Entries of a range, up to `limit`. */
size_t explain_rows_count_range(struct inquiry *q, const struct store_range *range, size_t limit);

/* The first and the last value of the (single) sort attribute in a partition's range, of any type;
 * false: it is empty. Takes two seeks, however long it is. */
bool explain_rows_ends(struct inquiry *q, const struct rows *r, const struct store_range *range,
                       struct attr *first, struct attr *last);

/* Whether a value, of the same type, is where a clause of a key condition asks for it. */
bool explain_rows_fits(const struct expr_key_clause *clause, const struct attr *value);

/* The first item of a range. */
bool explain_rows_first(struct inquiry *q, const struct store_range *range, struct item *out);

/* Calls `look` with each item of a range, whole, until it says true, or the limit, 2 MB or the
 * inquiry's budget is reached. */
typedef bool rows_look(struct inquiry *q, const struct item *it, void *data);
bool explain_rows_find(struct inquiry *q, const struct store_range *range, size_t limit,
                       rows_look *look, void *data);

/* A '#'-separated part of a text; at NULL behind the last. */
struct span explain_rows_segment(struct span text, size_t n);
size_t explain_rows_segments(struct span text);

#endif
