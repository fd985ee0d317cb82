/* expr_op.h: the operators of conditions and the actions of updates. */
#pragma once

#include <stdbool.h>

enum expr_op {
    EXPR_EQ,
    EXPR_NE,
    EXPR_LT,
    EXPR_LE,
    EXPR_GT,
    EXPR_GE,
    EXPR_BETWEEN,
    EXPR_IN,
    EXPR_BEGINS_WITH,
    EXPR_CONTAINS,
    EXPR_NOT_CONTAINS, /* false for a missing attribute, true for one of another type */
    EXPR_EXISTS,
    EXPR_NOT_EXISTS
};

/* Whether a value that compares so with the operand (below 0: it is less) meets the operator, one
 * of EQ, NE, LT, LE, GT and GE. */
static inline bool expr_op_holds(enum expr_op op, int order)
{
    switch (op) {
    case EXPR_NE:
        return order != 0;
    case EXPR_LT:
        return order < 0;
    case EXPR_LE:
        return order <= 0;
    case EXPR_GT:
        return order > 0;
    case EXPR_GE:
        return order >= 0;
    default:
        return order == 0;
    }
}

enum expr_action { EXPR_SET, EXPR_REMOVE, EXPR_ADD, EXPR_DELETE };
