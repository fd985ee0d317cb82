/* op_target.h: finds the table of an operation on items. */
#pragma once

#include "ops/op.h"

/* Finds the table of TableName, a name or ARN. A table that is CREATING or DELETING counts as
 * missing: "Requested resource not found". */
MUST_CHECK const struct error *op_target_find(struct call *c, const struct table **out);
MUST_CHECK const struct error *op_target_find_named(struct call *c, struct span name,
                                                    const struct table **out);
