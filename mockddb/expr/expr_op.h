/* expr_op.h: the operators of conditions and the actions of updates. */
#pragma once

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

enum expr_action { EXPR_SET, EXPR_REMOVE, EXPR_ADD, EXPR_DELETE };
