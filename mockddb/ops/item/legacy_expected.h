/* legacy_expected.h: Expected, turned into what a ConditionExpression becomes.
 *
 * Errors come without envelope. Source: developer guide, "Legacy conditional parameters";
 * docs/behaviour/items.md, "Legacy parameters". */
#ifndef OPS_ITEM_LEGACY_EXPECTED_H
#define OPS_ITEM_LEGACY_EXPECTED_H

#include "expr/expr.h"
#include "ops/op.h"

/* Joined by ConditionalOperator; *out is NULL when there is nothing to hold. */
MUST_CHECK const struct error *legacy_expected_read(struct call *c, struct expr_cond **out);

#endif
