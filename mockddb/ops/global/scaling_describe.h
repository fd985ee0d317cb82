/* scaling_describe.h: what the operations on auto scaling of a global table share. */
#ifndef OPS_SCALING_DESCRIBE_H
#define OPS_SCALING_DESCRIBE_H

#include "ops/op.h"

/* Finds the table that TableName names, which must be a global table: "Global table with name: T
 * does not exist." */
MUST_CHECK const struct error *scaling_describe_find(struct call *c, const struct table **out);

/* TableAutoScalingDescription. */
void scaling_describe(struct call *c, const struct table *t);

#endif
