/* legacy_attributes.h: reads AttributesToGet into the form of a ProjectionExpression.
 *
 * Errors come without envelope. Source: developer guide, "Legacy conditional parameters";
 * docs/behaviour/items.md, "Legacy parameters". */
#ifndef OPS_ITEM_LEGACY_ATTRIBUTES_H
#define OPS_ITEM_LEGACY_ATTRIBUTES_H

#include "expr/expr.h"
#include "ops/op.h"

/* Reads it from the body or from a table's part of BatchGetItem; absent: out->len is 0. */
MUST_CHECK const struct error *legacy_attributes_read(struct call *c, const wire_node *parameters,
                                                      struct expr_projection *out);

#endif
