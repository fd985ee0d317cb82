/* expr_check.h: the checks of a parsed tree that need neither names nor values.
 *
 * In written order; the first error is reported: reserved words, list indexes, unknown, misplaced
 * and foreign functions, operand counts (conditions), the number of operators. */
#pragma once

#include "expr/expr_ast.h"

MUST_CHECK const struct error *expr_check_condition(struct arena *a, const char *parameter,
                                                    const struct node *root);
MUST_CHECK const struct error *expr_check_projection(struct arena *a, const char *parameter,
                                                     const struct path *paths, size_t count);
/* Also refuses a section that occurs twice. */
MUST_CHECK const struct error *expr_check_update(struct arena *a, const char *parameter,
                                                 const struct expr_update *u);

/* Checks a function's number of operands: updates do this last, with operand types. */
MUST_CHECK const struct error *expr_check_count(struct arena *a, const char *parameter,
                                                const struct node *call);
