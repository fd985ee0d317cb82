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

/* One of the values that are compared. */
struct catalogue_value {
    struct span json;
    struct span name; /* of its placeholder, or of its attribute in the Key; empty: it has none */
    bool in_key;
    bool needed; /* what it is makes a difference: for catalogue_shape_reread */
};

struct catalogue_shape {
    struct span text;               /* "Query Jobs.byShop where shop = ? filter status = ?" */
    struct catalogue_value *values; /* in the order of the text */
    size_t value_count;

    /* Of a read of one table or index, else empty. */
    struct span table, index;
    struct catalogue_clause *clauses; /* those that the key condition or key says come first */
    size_t key_count, clause_count;
};

/* In the arena; borrows from the body. */
struct catalogue_shape catalogue_shape_of(struct arena *a, const struct op *op,
                                          const wire_node *body);

/* Appends what the text is made of, much more quickly than the text: requests that have it in
 * common have one shape, and values of the same names. False for requests in other ways than those
 * of today to ask one table for something; what was appended is of no use then. */
bool catalogue_shape_mark(struct buf *out, const struct op *op, const wire_node *body);

/* Sets the JSON of those values of a request that are needed, where another one of its mark had
 * values of these names. False where it cannot be said so quickly which they are. */
bool catalogue_shape_reread(struct arena *a, const wire_node *body, struct catalogue_value *values,
                            size_t count);

#endif
