/* bulk_describe.h: BulkOperationDescription. */
#ifndef OPS_BULK_DESCRIBE_H
#define OPS_BULK_DESCRIBE_H

#include "ops/transfer/task.h"

/* The bulk operation that the request's BulkOperationArn names. */
MUST_CHECK const struct error *bulk_describe_find(struct call *c, struct task *out);

/* The member BulkOperationDescription of the reply. */
MUST_CHECK const struct error *bulk_describe(struct call *c, const struct task *t);

/* The members of a summary. */
void bulk_describe_summary(struct call *c, const struct task *t);

#endif
