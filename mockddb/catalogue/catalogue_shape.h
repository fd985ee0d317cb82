/* catalogue_shape.h: the shape of a request: operation, table, index and expressions, without
 * values and the names of placeholders.
 *
 * Two requests of one shape are one way to ask. A shape is taken from the body alone, whether the
 * request succeeded or not; what a sound request would not have is left out of it. */
#ifndef CATALOGUE_CATALOGUE_SHAPE_H
#define CATALOGUE_CATALOGUE_SHAPE_H

#include "ops/op.h"

/* One of the things that have to hold at once: an attribute that is compared with a value. */
struct catalogue_clause {
    struct span name;
    bool equals; /* else a range that a sort key can have */
};

struct catalogue_shape {
    struct span text;    /* "Query Jobs.byShop where shop = ? filter status = ?" */
    struct span *values; /* the JSON of the values, in the order of the text */
    size_t value_count;

    /* Of a read of one table or index, else empty. */
    struct span table, index;
    struct catalogue_clause *clauses; /* those that the key condition or key says come first */
    size_t key_count, clause_count;
};

/* In the arena; borrows from the body. */
struct catalogue_shape catalogue_shape_of(struct arena *a, const struct op *op,
                                          const wire_node *body);

#endif
