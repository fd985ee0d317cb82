/* op_common.h: what the data operations share: their table, expressions and return options.
 *
 * Order and wording of the checks: docs/behaviour/items.md. */
#ifndef OPS_OP_COMMON_H
#define OPS_OP_COMMON_H

#include "expr/expr.h"
#include "ops/change.h"
#include "ops/op.h"
#include "wire/wire_attr.h"

/* AccessDeniedException where the server is read-only: `action` is what would have to be allowed,
 * "PutItem". */
MUST_CHECK const struct error *op_check_write_access(struct call *c, const char *action);

/* --- expressions and their placeholders ---------------------------------------------------- */

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
    const char *no_values_tail; /* what ends "ExpressionAttributeValues can only be specified when
                                   using expressions"; NULL: nothing */
};

/* Both styles in one request, then placeholders without an expression that may use them.
 * `parameters` is the body, or a table's part of BatchGetItem. */
MUST_CHECK const struct error *op_check_styles(struct call *c, const struct op_styles *styles,
                                               const wire_node *parameters);
/* Only the first: whether the parts of a request use both styles between them. */
MUST_CHECK const struct error *op_check_mixing(struct call *c, const struct op_styles *styles,
                                               const wire_node *const *parts, size_t count);

/* ExpressionAttributeNames, and …Values where one of the expressions takes them: the maps, their
 * keys, the values. */
MUST_CHECK const struct error *op_read_vars(struct call *c, const struct op_styles *styles,
                                            const wire_node *parameters, struct expr_vars *out);

/* ProjectionExpression; *out stays as it is when the parameter is absent. */
MUST_CHECK const struct error *op_read_projection(struct call *c, const wire_node *parameters,
                                                  struct expr_vars *vars,
                                                  struct expr_projection *out);

/* --- the table ------------------------------------------------------------------------------ */

/* The table that TableName names, by name or ARN; one that is being created or deleted is not
 * there: "Requested resource not found". */
MUST_CHECK const struct error *op_find_table(struct call *c, const struct table **out);
MUST_CHECK const struct error *op_find_table_named(struct call *c, struct span name,
                                                   const struct table **out);

/* --- faults ---------------------------------------------------------------------------------- */

/* "Provided list of item keys contains duplicates" */
MUST_CHECK const struct error *op_repeated_keys(struct arena *a);
/* "Too many entries in …": more than 4096 in a map or list that the service sets no bound for.
 * What is compared entry by entry stays quick, and holds more than any request needs. */
MUST_CHECK const struct error *op_check_entries(struct arena *a, const char *parameter,
                                                size_t count);
/* "Duplicate primary key exists in table" */
MUST_CHECK const struct error *op_duplicate_item(struct arena *a);

/* --- options of the single-item writes ------------------------------------------------------ */

/* A fault that one of the operation's own request checks found, in the envelope that PutItem,
 * UpdateItem and DeleteItem put round it; NULL stays NULL. */
MUST_CHECK const struct error *op_write_error(struct call *c, const struct error *e);

enum return_values op_return_values(const struct call *c);
/* What PutItem and DeleteItem look at first: the values of their member `name`, Item or Key, and
 * that ReturnValues is ALL_OLD or NONE. */
MUST_CHECK const struct error *op_read_written(struct call *c, const char *name, struct item *out);

/* ConditionExpression; *out stays as it is when the parameter is absent. */
MUST_CHECK const struct error *op_read_condition(struct call *c, struct expr_vars *vars,
                                                 struct expr_cond **out);

/* Runs the condition (NULL: holds) on the stored item. */
MUST_CHECK const struct error *op_check_condition(struct call *c, const struct expr_cond *cond,
                                                  struct change *ch);
/* "The conditional request failed", with the stored item when `show` (ReturnValuesOnCondition-
 * CheckFailure) says so. */
MUST_CHECK const struct error *op_condition_failed(struct arena *a, const struct change *ch,
                                                   bool show);

/* A path that goes below a key attribute; `cond` may be NULL. */
MUST_CHECK const struct error *op_check_condition_paths(struct call *c, const struct table *t,
                                                        const struct expr_cond *cond);
MUST_CHECK const struct error *op_check_projection_paths(struct call *c, const struct table *t,
                                                         const struct expr_projection *p);

/* "Item size has exceeded the maximum allowed size" */
MUST_CHECK const struct error *op_check_size(struct arena *a, const struct item *it);
/* What an update made of an item: "Item size to update has exceeded …", and nesting. */
MUST_CHECK const struct error *op_check_updated(struct arena *a, const struct item *it);

/* --- replies -------------------------------------------------------------------------------- */

/* "Attributes" with the stored item, when the request asks for ALL_OLD and there was one. */
void op_reply_old(struct call *c, const struct change *ch);

/* Writes a stored item, or the chosen parts of it (none chosen, len 0: the whole item). */
void op_put_stored(struct call *c, struct span body, const struct expr_projection *p);

#endif
