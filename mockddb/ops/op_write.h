/* op_write.h: what writes of items have in common: options, conditions, sizes.
 *
 * Order and wording of the checks: docs/behaviour/items.md. */
#ifndef OPS_OP_WRITE_H
#define OPS_OP_WRITE_H

#include "expr/expr.h"
#include "ops/change.h"
#include "ops/op.h"

/* A fault that one of the operation's own request checks found, in the envelope that PutItem,
 * UpdateItem and DeleteItem put round it; NULL stays NULL. */
MUST_CHECK const struct error *op_write_error(struct call *c, const struct error *e);

enum return_values op_write_return_values(const struct call *c);

/* What PutItem and DeleteItem look at first: the values of their member `name`, Item or Key, and
 * that ReturnValues is ALL_OLD or NONE. */
MUST_CHECK const struct error *op_write_read(struct call *c, const char *name, struct item *out);

/* Compares the stored item with call.seen, and runs the condition (NULL: holds) on it. */
MUST_CHECK const struct error *
op_write_check_condition(struct call *c, const struct expr_cond *cond, struct change *ch);

/* Whether ReturnValuesOnConditionCheckFailure among the parameters asks for the item. */
bool op_write_shows_on_failure(const wire_node *parameters);
#define OP_WRITE_CONDITION "The conditional request failed"

/* OP_WRITE_CONDITION, with the stored item when `show` (ReturnValuesOnCondition-
 * CheckFailure) says so. */
MUST_CHECK const struct error *op_write_condition_failed(struct arena *a, const struct change *ch,
                                                         bool show);

/* "Item size has exceeded the maximum allowed size" */
MUST_CHECK const struct error *op_write_check_size(struct arena *a, const struct item *it);

/* An item that is to be put, against the table's indexes: keys, and the size with its entries. */
MUST_CHECK const struct error *op_write_check_indexes(struct arena *a, const struct table *t,
                                                      const struct item *it);

/* What an update made of an item: "Item size to update has exceeded …", and nesting. */
MUST_CHECK const struct error *op_write_check_updated(struct arena *a, const struct table *t,
                                                      const struct item *it);

#endif
