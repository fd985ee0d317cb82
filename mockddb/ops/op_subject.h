/* op_subject.h: the tables and items of a request, from its body alone, for all operations. Works
 * before a call runs and after it has failed. */
#pragma once

#include "ops/op.h"
#include "partiql/partiql.h"

/* A table that the request names, or one of its items. Names borrow from the body. */
struct op_subject {
    struct span table;      /* the name, also if the request has an ARN */
    struct span index;      /* empty: the table itself */
    const wire_node *entry; /* the part of the request that names it, with its members */
    const wire_node *key;   /* a Key or Item, an attribute map; or NULL */
    bool is_item;           /* key is an Item */
    const struct partiql_statement *statement; /* or NULL */
};

struct op_subjects {
    struct op_subject *at; /* in the order of the request */
    size_t len;
};

/* Lists the subjects of a body with checked JSON types. */
struct op_subjects op_subject_all(struct arena *a, const wire_node *body);

/* Finds the value of an attribute that selects the item or partition: in the key or item, or by
 * equality in the key condition. False if there is no such value. */
bool op_subject_value(struct call *c, const struct op_subject *s, struct span name,
                      struct attr *out);
