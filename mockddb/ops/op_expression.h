/* op_expression.h: expressions and their placeholders among a request's parameters.
 *
 * Order and wording of the checks: docs/behaviour/items.md. */
#ifndef OPS_OP_EXPRESSION_H
#define OPS_OP_EXPRESSION_H

#include "expr/expr.h"
#include "ops/op.h"
#include "wire/wire_attr.h"

struct op_parameter {
    const char *name;
    const char *beside; /* counts only when this parameter is there too; NULL: always */
    bool takes_values;  /* an expression in which :values may stand */
};

/* The two styles an operation can be called in; each list is in the order of messages. */
struct op_styles {
    struct op_parameter legacy[5];      /* ends with a NULL name */
    struct op_parameter expressions[4]; /* ends with a NULL name */
    enum wire_layer layer;              /* which checks the values run through */
    bool updates;               /* a value larger than an item is reported as an update's is */
    const char *no_values_tail; /* what ends "ExpressionAttributeValues can only be specified when
                                   using expressions"; NULL: nothing */
};

/* Both styles in one request, then placeholders without an expression that may use them.
 * `parameters` is the body, or a table's part of BatchGetItem. */
MUST_CHECK const struct error *op_expression_check_styles(struct call *c,
                                                          const struct op_styles *styles,
                                                          const wire_node *parameters);
/* Only the first: whether the parts of a request use both styles between them. */
MUST_CHECK const struct error *op_expression_check_mixing(struct call *c,
                                                          const struct op_styles *styles,
                                                          const wire_node *const *parts,
                                                          size_t count);

/* ExpressionAttributeNames, and …Values where one of the expressions takes them: the maps, their
 * keys, the values. */
MUST_CHECK const struct error *op_expression_read_vars(struct call *c,
                                                       const struct op_styles *styles,
                                                       const wire_node *parameters,
                                                       struct expr_vars *out);

/* ProjectionExpression; *out stays as it is when the parameter is absent. */
MUST_CHECK const struct error *op_expression_read_projection(struct call *c,
                                                             const wire_node *parameters,
                                                             struct expr_vars *vars,
                                                             struct expr_projection *out);

/* ConditionExpression; *out stays as it is when the parameter is absent. */
MUST_CHECK const struct error *op_expression_read_condition(struct call *c, struct expr_vars *vars,
                                                            struct expr_cond **out);

/* A path that goes below a key attribute; `cond` may be NULL. */
MUST_CHECK const struct error *op_expression_check_condition(struct call *c, const struct table *t,
                                                             const struct expr_cond *cond);
MUST_CHECK const struct error *op_expression_check_projection(struct call *c, const struct table *t,
                                                              const struct expr_projection *p);

#endif
