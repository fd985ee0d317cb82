/* search_filter.h: compiled search conditions, evaluated on the labels of rows.
 *
 * A row's label has the values of its INLINE_FILTER attributes in their form in keys, so that the
 * order of bytes is the order of values. */
#pragma once

#include "expr/expr_search.h"

/* A condition with its operands as bytes; all zero: true for each label. */
struct search_test {
    enum expr_search_join join;
    struct search_test *at; /* the joined conditions */
    size_t len;
    size_t part; /* TEST: the number of the value in the label */
    enum expr_op op;
    struct span *operands;
    size_t operand_count;
};

struct search_filter {
    struct span partition; /* prefix of entries' keys; "": all entries */
    struct search_test condition;
    size_t part_count; /* values of a label, up to the last one that the condition needs */
    size_t steps;      /* work for a row: base/arena.h */
};

/* Appends a row's label. */
void search_filter_label(struct buf *out, const struct index *ix, const struct item *it);

/* The bytes to compare with labels by this operator. */
struct span search_filter_operand(struct arena *a, enum expr_op op, const struct attr *value);

bool search_filter_passes(const struct search_filter *f, struct span key, struct span label);
