/* partiql_key.h: finds the keys in the condition of a PartiQL statement.
 *
 * A statement has no key member: if its condition requires equality with key attributes, the
 * service reads or writes by key. The condition itself does not change; the result only limits
 * where rows can be. Source: docs/behaviour/partiql.md, "Access". */
#pragma once

#include "expr/expr_cond.h"
#include "expr/expr_key.h"

/* One place with possible matches: a partition and, at most, one condition on its sort key. */
struct partiql_range {
    struct expr_key key; /* the partition key's clause, maybe the sort key's */
    bool loose;          /* the branch has further constraints: by NOT, <> or OR */
    bool beside;         /* it compares another attribute with a value, by = or <> */
};

struct partiql_ranges {
    struct partiql_range *at;
    size_t len; /* 0: rows can match anywhere */
};

/* The partitions of `hash` that the condition (NULL: none) allows, in written order; `range` is the
 * sort key, or at NULL without one. */
struct partiql_ranges partiql_find_ranges(struct arena *a, const struct expr_cond *where,
                                          struct span hash, struct span range);

/* Removes equality with each of the attributes from the condition: *key holds their values, *rest
 * the remaining condition (NULL: empty). Returns false and sets nothing if one of them need not
 * equal a value, or not in all cases. */
bool partiql_take_key(struct arena *a, const struct expr_cond *where, const struct span *names,
                      size_t count, struct item *key, struct expr_cond **rest);

/* The top-level attributes that the condition always reads, that is outside of OR; without
 * duplicates, in written order. */
void partiql_required_names(struct arena *a, const struct expr_cond *where, struct span **names,
                            size_t *count);
