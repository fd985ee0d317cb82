/* expr_check.h: what can be said of a parsed tree without names and values.
 *
 * In written order, first fault wins: reserved words, list indexes, unknown, misplaced and
 * foreign functions, operand counts (conditions), the number of operators. */
#ifndef EXPR_EXPR_CHECK_H
#define EXPR_EXPR_CHECK_H

#include "expr/expr_ast.h"

MUST_CHECK const struct error *expr_check_condition(struct arena *a, const char *parameter,
                                                    const struct node *root);
MUST_CHECK const struct error *expr_check_projection(struct arena *a, const char *parameter,
                                                     const struct path *paths, size_t count);
/* Also a section that stands twice. */
MUST_CHECK const struct error *expr_check_update(struct arena *a, const char *parameter,
                                                 const struct expr_update *u);

/* Whether a function has as many operands as it takes: updates ask last, with operand types. */
MUST_CHECK const struct error *expr_check_count(struct arena *a, const char *parameter,
                                                const struct node *call);

#endif
