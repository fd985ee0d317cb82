/* op_target.h: the table that an operation on items is about. */
#ifndef OPS_OP_TARGET_H
#define OPS_OP_TARGET_H

#include "ops/op.h"

/* The table that TableName names, by name or ARN; one that is being created or deleted is not
 * there: "Requested resource not found". */
MUST_CHECK const struct error *op_target_find(struct call *c, const struct table **out);
MUST_CHECK const struct error *op_target_find_named(struct call *c, struct span name,
                                                    const struct table **out);

#endif
