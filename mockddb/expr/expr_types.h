/* expr_types.h: checks the operands of a bound tree, as far as possible without an item.
 *
 * Values have a type, and size() is a number; a path may have any type. Innermost functions are
 * checked first; for each: operand count, path needed, distinct operands, types, bounds of BETWEEN,
 * operands of IN. */
#pragma once

#include "expr/expr_ast.h"

/* `parameter` is NULL for PartiQL (see expr_fault.h). */
MUST_CHECK const struct error *expr_check_types(struct arena *a, const char *parameter,
                                                const struct node *n);

/* Checks the value of an ADD or DELETE clause. */
MUST_CHECK const struct error *expr_check_action_type(struct arena *a, const char *parameter,
                                                      enum expr_action action,
                                                      const struct node *operand);
