/* legacy.h: the parameters from before expressions, turned into what expressions become.
 *
 * Errors come without envelope. Source: developer guide, "Legacy conditional parameters";
 * docs/behaviour/items.md, "Legacy parameters". */
#ifndef OPS_LEGACY_H
#define OPS_LEGACY_H

#include "expr/expr.h"
#include "ops/op.h"
#include "wire/wire_attr.h"

/* Expected, joined by ConditionalOperator; *out is NULL when there is nothing to hold. */
MUST_CHECK const struct error *legacy_read_expected(struct call *c, struct expr_cond **out);

/* QueryFilter or ScanFilter, joined by ConditionalOperator; *out is NULL when there is none. */
MUST_CHECK const struct error *legacy_read_filter(struct call *c, const char *parameter,
                                                  enum wire_layer layer, struct expr_cond **out);

/* ConditionalOperator without the conditions it joins (Expected, QueryFilter or ScanFilter), or
 * with fewer than two. */
MUST_CHECK const struct error *legacy_check_operator(struct call *c, const char *conditions);

/* KeyConditions as clauses, in the order sent; what needs the schema is the caller's. */
MUST_CHECK const struct error *legacy_read_key_conditions(struct call *c, enum wire_layer layer,
                                                          struct expr_key *out);

/* AttributeUpdates; *out is NULL when the parameter is absent. */
MUST_CHECK const struct error *legacy_read_updates(struct call *c, struct expr_update **out);

/* AttributesToGet of the body or of a table's part of BatchGetItem; none: out->len is 0. */
MUST_CHECK const struct error *legacy_read_attributes(struct call *c, const wire_node *parameters,
                                                      struct expr_projection *out);

#endif
