/* expr_tree.h: the text of a condition → its bound tree: parses, checks and binds.
 *
 * Used by conditions, key conditions and search conditions. */
#pragma once

#include "expr/expr_ast.h"
#include "expr/expr_vars.h"

MUST_CHECK const struct error *expr_tree_read(struct arena *a, const char *parameter,
                                              struct span text, struct expr_vars *vars,
                                              struct node **out);
