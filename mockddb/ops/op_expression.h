/* op_expression.h: expressions and their placeholders among a request's parameters.
 *
 * Order and wording of the checks: docs/behaviour/items.md. */
#pragma once

#include "expr/expr.h"
#include "ops/op.h"
#include "wire/wire_attr.h"

struct op_parameter {
    const char *name;
    const char *beside; /* counts only together with this parameter; NULL: always */
    bool takes_values;  /* an expression that may have :values */
};

/* The parameters of both styles of an operation, in the order of messages. */
struct op_styles {
    struct op_parameter legacy[5];      /* ends with a NULL name */
    struct op_parameter expressions[4]; /* ends with a NULL name */
    enum wire_layer layer;              /* the layer of value checks */
    bool updates;                       /* too large values have the message of updates */
    const char *no_values_tail; /* end of "ExpressionAttributeValues can only be specified when
                                   using expressions", or NULL */
};

/* Refuses both styles in one request, then placeholders without an expression that may use them.
 * `parameters` is the body, or a table's part of BatchGetItem. */
MUST_CHECK const struct error *op_expression_check_styles(struct call *c,
                                                          const struct op_styles *styles,
                                                          const wire_node *parameters);
/* Only refuses both styles in the parts of a request. */
MUST_CHECK const struct error *op_expression_check_mixing(struct call *c,
                                                          const struct op_styles *styles,
                                                          const wire_node *const *parts,
                                                          size_t count);

/* Reads and checks ExpressionAttributeNames and, if an expression takes values,
 * ExpressionAttributeValues. */
MUST_CHECK const struct error *op_expression_read_vars(struct call *c,
                                                       const struct op_styles *styles,
                                                       const wire_node *parameters,
                                                       struct expr_vars *out);

/* Reads ProjectionExpression; *out is unchanged if it is absent. */
MUST_CHECK const struct error *op_expression_read_projection(struct call *c,
                                                             const wire_node *parameters,
                                                             struct expr_vars *vars,
                                                             struct expr_projection *out);

/* Reads ConditionExpression; *out is unchanged if it is absent. */
MUST_CHECK const struct error *op_expression_read_condition(struct call *c, struct expr_vars *vars,
                                                            struct expr_cond **out);

/* Refuse paths below a key attribute; `cond` and `update` may be NULL. */
MUST_CHECK const struct error *op_expression_check_condition(struct call *c, const struct table *t,
                                                             const struct expr_cond *cond);
MUST_CHECK const struct error *op_expression_check_update(struct call *c, const struct table *t,
                                                          const struct expr_update *update);
MUST_CHECK const struct error *op_expression_check_projection(struct call *c, const struct table *t,
                                                              const struct expr_projection *p);
