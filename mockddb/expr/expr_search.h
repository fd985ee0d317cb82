/* expr_search.h: SearchConditionExpression: attributes that equal values, joined by AND.
 *
 * In two steps, as key conditions: what can be said without the operators, then those. Whether the
 * attributes may be searched by is the index's to say. Source: docs/behaviour/vectors.md. */
#ifndef EXPR_EXPR_SEARCH_H
#define EXPR_EXPR_SEARCH_H

#include "expr/expr_vars.h"
#include "model/path.h"

struct expr_search_tree;

struct expr_search_clause {
    const struct path *path;
    const struct attr *value;
};

struct expr_search {
    struct expr_search_clause *at; /* in written order */
    size_t len;
};

MUST_CHECK const struct error *expr_read_search(struct arena *a, struct span text,
                                                struct expr_vars *vars,
                                                struct expr_search_tree **out);
MUST_CHECK const struct error *
expr_reduce_search(struct arena *a, const struct expr_search_tree *tree, struct expr_search *out);

#endif
