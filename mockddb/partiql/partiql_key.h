/* partiql_key.h: what the condition of a PartiQL statement says of a key.
 *
 * A statement names no key: where its condition asks for equality with key attributes, the
 * service reads or writes by key. The condition itself stays as it is; what is found here only
 * says where the rows can be. Source: docs/behaviour/partiql.md, "Access". */
#ifndef PARTIQL_PARTIQL_KEY_H
#define PARTIQL_PARTIQL_KEY_H

#include "expr/expr_cond.h"
#include "expr/expr_key.h"

/* One place where rows can match: a partition and, at most, one condition on its sort key. */
struct partiql_range {
    struct expr_key key; /* the partition key's clause, maybe the sort key's */
    bool loose;          /* the branch says more of its rows: by NOT, <> or OR */
    bool beside;         /* it holds another attribute against a value, with = or <> */
};

struct partiql_ranges {
    struct partiql_range *at;
    size_t len; /* 0: rows can match anywhere */
};

/* The partitions of `hash` that the condition (NULL: none) leaves, in written order; `range` is
 * the sort key, or at NULL where there is none. */
struct partiql_ranges partiql_find_ranges(struct arena *a, const struct expr_cond *where,
                                          struct span hash, struct span range);

/* Takes equality with each of the attributes out of the condition: *key holds their values, *rest
 * what else is asked for (NULL: nothing). False, and nothing set, when one of them is not asked to
 * equal a value, or not in all cases. */
bool partiql_take_key(struct arena *a, const struct expr_cond *where, const struct span *names,
                      size_t count, struct item *key, struct expr_cond **rest);

/* The top-level attributes that the condition reads in all cases, which is outside of OR; each
 * once, in written order. */
void partiql_required_names(struct arena *a, const struct expr_cond *where, struct span **names,
                            size_t *count);

#endif
