/* op_subject.h: what a request is about, from its body alone: for those who look at all operations
 * alike. Works before a call runs and after it has failed. */
#ifndef OPS_OP_SUBJECT_H
#define OPS_OP_SUBJECT_H

#include "model/attr.h"
#include "ops/op.h"
#include "partiql/partiql.h"

/* A table that the request names, or one item of it. Names borrow from the body. */
struct op_subject {
    struct span table;      /* without the ARN around it */
    struct span index;      /* empty: the table itself */
    const wire_node *entry; /* the part of the request that names it, with its members */
    const wire_node *key;   /* a Key or an Item, an attribute map; NULL: none */
    bool is_item;           /* it is an Item */
    const struct partiql_statement *statement; /* NULL: none */
};

struct op_subjects {
    struct op_subject *at; /* in the order of the request */
    size_t len;
};

/* Of a body whose JSON types fit its operation. */
struct op_subjects op_subject_all(struct arena *a, const wire_node *body);

/* The value of an attribute that tells which item, or which part of a table or index, is meant: of
 * its key or item, or what its key condition says that it equals. False where there is none. */
bool op_subject_value(struct call *c, const struct op_subject *s, struct span name,
                      struct attr *out);

#endif
