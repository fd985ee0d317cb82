/* legacy_filter.h: QueryFilter, ScanFilter and KeyConditions, turned into what expressions become.
 *
 * Errors come without envelope. Source: developer guide, "Legacy conditional parameters";
 * docs/behaviour/items.md, "Legacy parameters". */
#ifndef OPS_ITEM_LEGACY_FILTER_H
#define OPS_ITEM_LEGACY_FILTER_H

#include "expr/expr.h"
#include "ops/op.h"
#include "wire/wire_attr.h"

/* QueryFilter or ScanFilter, joined by ConditionalOperator; *out is NULL when there is none. */
MUST_CHECK const struct error *legacy_filter_read(struct call *c, const char *parameter,
                                                  enum wire_layer layer, struct expr_cond **out);

/* ConditionalOperator without the conditions it joins (Expected, QueryFilter or ScanFilter), or
 * with fewer than two. */
MUST_CHECK const struct error *legacy_filter_check_operator(struct call *c, const char *conditions);

/* KeyConditions as clauses, in the order sent; what needs the schema is the caller's. */
MUST_CHECK const struct error *legacy_filter_read_keys(struct call *c, enum wire_layer layer,
                                                       struct expr_key *out);

#endif
