/* bulk_describe.h: BulkOperationDescription. */
#ifndef OPS_BULK_DESCRIBE_H
#define OPS_BULK_DESCRIBE_H

#include "ops/transfer/task.h"

/* Finds the bulk operation that the request's BulkOperationArn names. */
MUST_CHECK const struct error *bulk_describe_find(struct call *c, struct task *out);

/* Writes BulkOperationDescription into the reply. */
MUST_CHECK const struct error *bulk_describe(struct call *c, const struct task *t);

/* Writes the members of a summary. */
void bulk_describe_summary(struct call *c, const struct task *t);

#endif
