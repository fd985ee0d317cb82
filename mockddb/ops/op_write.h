/* op_write.h: the common parts of writes of items: options, conditions, sizes.
 *
 * Order and wording of the checks: docs/behaviour/items.md. */
#pragma once

#include "expr/expr.h"
#include "ops/change.h"

/* Adds the envelope of PutItem, UpdateItem and DeleteItem to an error of a request check; NULL
 * stays NULL. */
MUST_CHECK const struct error *op_write_error(struct call *c, const struct error *e);

enum return_values op_write_return_values(const struct call *c);

/* Compares the stored item with call.seen and evaluates the condition, which may be NULL. */
MUST_CHECK const struct error *
op_write_check_condition(struct call *c, const struct expr_cond *cond, struct change *ch);

/* Whether ReturnValuesOnConditionCheckFailure asks for the item. */
bool op_write_shows_on_failure(const wire_node *parameters);
#define OP_WRITE_CONDITION "The conditional request failed"

/* OP_WRITE_CONDITION, with the stored item when `show` (ReturnValuesOnCondition-
 * CheckFailure) says so. */
MUST_CHECK const struct error *op_write_condition_failed(struct arena *a, const struct change *ch,
                                                         bool show);

/* "Item size has exceeded the maximum allowed size" */
MUST_CHECK const struct error *op_write_check_size(struct arena *a, const struct item *it);

/* Checks an item to put against the table's indexes: keys, and the size including its entries. */
MUST_CHECK const struct error *op_write_check_indexes(struct arena *a, const struct table *t,
                                                      const struct item *it);

/* Checks the size ("Item size to update has exceeded …") and nesting of an updated item. */
MUST_CHECK const struct error *op_write_check_updated(struct arena *a, const struct table *t,
                                                      const struct item *it);
