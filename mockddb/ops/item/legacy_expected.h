/* legacy_expected.h: reads Expected into the form of a ConditionExpression.
 *
 * Errors come without envelope. Source: developer guide, "Legacy conditional parameters";
 * docs/behaviour/items.md, "Legacy parameters". */
#ifndef OPS_ITEM_LEGACY_EXPECTED_H
#define OPS_ITEM_LEGACY_EXPECTED_H

#include "expr/expr.h"
#include "ops/op.h"

/* Reads the entries, joined by ConditionalOperator; *out is NULL without entries. */
MUST_CHECK const struct error *legacy_expected_read(struct call *c, struct expr_cond **out);

#endif
