/* legacy.h: reads the older parameters into the form of expressions.
 *
 * Errors come without envelope. Source: developer guide, "Legacy conditional parameters";
 * docs/behaviour/items.md, "Older parameters". */
#pragma once

#include "expr/expr.h"
#include "ops/op.h"
#include "wire/wire_attr.h"

/* Reads AttributesToGet of the body or of a table's part of BatchGetItem; absent: out->len is 0. */
MUST_CHECK const struct error *legacy_attributes_read(struct call *c, const wire_node *parameters,
                                                      struct expr_projection *out);

/* Reads Expected, joined by ConditionalOperator; *out is NULL without entries. */
MUST_CHECK const struct error *legacy_expected_read(struct call *c, struct expr_cond **out);

/* Reads QueryFilter or ScanFilter, joined by ConditionalOperator; *out is NULL without entries. */
MUST_CHECK const struct error *legacy_filter_read(struct call *c, const char *parameter,
                                                  enum wire_layer layer, struct expr_cond **out);

/* Refuses ConditionalOperator with fewer than two conditions in `conditions` (Expected, QueryFilter
 * or ScanFilter). */
MUST_CHECK const struct error *legacy_filter_check_operator(struct call *c, const char *conditions);

/* Reads KeyConditions as clauses, in the order sent. The caller checks them against the schema. */
MUST_CHECK const struct error *legacy_filter_read_keys(struct call *c, enum wire_layer layer,
                                                       struct expr_key *out);

/* Reads AttributeUpdates; *out is NULL without the parameter. */
MUST_CHECK const struct error *legacy_update_read(struct call *c, struct expr_update **out);
