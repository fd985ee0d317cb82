/* expr_bind.h: binds names and values to the tree, and runs the checks that need them.
 *
 * Binding replaces each "#name" step by the attribute's name and points each ":value" node at its
 * value; both are marked as used. Errors: undefined names and values, paths that are too long. */
#pragma once

#include "expr/expr_ast.h"
#include "expr/expr_vars.h"

struct binder {
    struct arena *arena;
    const char *parameter;
    struct expr_vars *vars;
    struct span **names;  /* keys of the map's entries, sorted; made on first use */
    struct span **values; /* likewise, of ExpressionAttributeValues */
};

struct binder expr_binder(struct arena *a, const char *parameter, struct expr_vars *vars);

MUST_CHECK const struct error *expr_bind_path(struct binder *b, struct path *path);

/* Binds all names of the tree, then all its values, then checks the lengths of its paths. */
MUST_CHECK const struct error *expr_bind_operand(struct binder *b, struct node *n);

/* Binds clause by clause, including operand types. */
MUST_CHECK const struct error *expr_bind_condition(struct binder *b, struct node *n);

/* "Two document paths overlap …", "… conflict …": names the first path that clashes with an earlier
 * one, and the first such earlier path. */
MUST_CHECK const struct error *expr_check_clashes(struct arena *a, const char *parameter,
                                                  const struct path *const *paths, size_t count);
