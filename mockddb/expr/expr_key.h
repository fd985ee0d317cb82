/* expr_key.h: KeyConditionExpression, reduced to clauses.
 *
 * The caller does the checks that need the schema (which attributes, types, count). Reading is in
 * two steps, since the service checks the structure only after its unused-placeholder checks. */
#pragma once

#include "expr/expr_cond.h"

/* One clause of a key condition: attribute, operator, one or two values. */
struct expr_key_clause {
    struct span attribute;
    enum expr_op op;  /* EQ LT LE GT GE BETWEEN BEGINS_WITH; others from legacy KeyConditions */
    struct attr low;  /* the value, or the lower bound of BETWEEN */
    struct attr high; /* upper bound of BETWEEN */
};

struct expr_key {
    struct expr_key_clause *at; /* in written order */
    size_t len;
};

struct node;

/* Step 1: grammar, names, values and operand types, clause by clause. */
MUST_CHECK const struct error *expr_read_key_condition(struct arena *a, struct span text,
                                                       struct expr_vars *vars, struct node **out);

/* Step 2: allowed operators and operands, one clause per attribute. `:v < a` comes out as
 * `a > :v`. */
MUST_CHECK const struct error *expr_reduce_key_condition(struct arena *a, struct node *tree,
                                                         struct expr_key *out);
