/* search_filter.h: what rows must have, as bytes, and whether they have it.
 *
 * A row's label holds the values of the INLINE_FILTER attributes as keys have them, so that the
 * order of bytes is that of values. */
#ifndef OPS_SEARCH_FILTER_H
#define OPS_SEARCH_FILTER_H

#include "expr/expr_search.h"
#include "model/schema.h"

/* A condition with its operands as bytes; zeroed, it holds for every label. */
struct search_test {
    enum expr_search_join join;
    struct search_test *at; /* what is joined */
    size_t len;
    size_t part; /* TEST: of which value of the label */
    enum expr_op op;
    struct span *operands;
    size_t operand_count;
};

struct search_filter {
    struct span partition; /* what keys of entries begin with; "": anything */
    struct search_test condition;
    size_t part_count; /* of a label, up to the last that the condition looks at */
    size_t steps;      /* that a row takes: base/arena.h */
};

/* A row's label. */
void search_filter_label(struct buf *out, const struct index *ix, const struct item *it);

/* A value to compare with those of labels by that operator. */
struct span search_filter_operand(struct arena *a, enum expr_op op, const struct attr *value);

bool search_filter_passes(const struct search_filter *f, struct span key, struct span label);

#endif
