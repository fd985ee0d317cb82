/* legacy_update.h: reads AttributeUpdates into the form of an UpdateExpression.
 *
 * Errors come without envelope. Source: developer guide, "Legacy conditional parameters";
 * docs/behaviour/items.md, "Legacy parameters". */
#ifndef OPS_ITEM_LEGACY_UPDATE_H
#define OPS_ITEM_LEGACY_UPDATE_H

#include "expr/expr.h"
#include "ops/op.h"

/* *out is NULL when the parameter is absent. */
MUST_CHECK const struct error *legacy_update_read(struct call *c, struct expr_update **out);

#endif
