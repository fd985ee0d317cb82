/* catalogue_shape.h: the shape of a request: operation, table, index and expressions, without
 * values and names of placeholders.
 *
 * Requests of the same shape ask in the same way. A shape is made from the body alone, whether the
 * request succeeded or not; parts that a valid request would not have are left out. */
#pragma once

#include "ops/op.h"

/* A clause that must hold together with others: a comparison of an attribute with a value. */
struct catalogue_clause {
    struct span name;
    bool equals; /* else a range of a sort key */
};

/* One of the values that are compared. */
struct catalogue_value {
    struct span json;
    struct span name; /* of its placeholder, or of its attribute in the Key; empty: none */
    bool in_key;
    bool needed; /* the value matters for matching: for catalogue_shape_reread */
};

struct catalogue_shape {
    struct span text;               /* "Query Jobs.byShop where shop = ? filter status = ?" */
    struct catalogue_value *values; /* in the order of the text */
    size_t value_count;

    /* For a read of one table or index, else empty. */
    struct span table, index;
    struct catalogue_clause *clauses; /* clauses of the key condition or key come first */
    size_t key_count, clause_count;
};

/* The result is in the arena and borrows from the body. */
struct catalogue_shape catalogue_shape_of(struct arena *a, const struct op *op,
                                          const wire_node *body);

/* Appends the data that determines the text, much faster than the text itself: requests with equal
 * marks have the same shape, and values of the same names. False for older forms of requests and
 * for requests to several tables; the appended bytes then have no meaning. */
bool catalogue_shape_mark(struct buf *out, const struct op *op, const wire_node *body);

/* Sets the JSON of the needed values of a request, given the values of another request with the
 * same mark. False if that is not possible quickly. */
bool catalogue_shape_reread(struct arena *a, const wire_node *body, struct catalogue_value *values,
                            size_t count);
