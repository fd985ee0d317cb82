/* bulk_usage.h: what a bulk put has put into its table and the indexes of it, in bytes.
 *
 * An item counts its size, an entry of an index the size of what the index holds of the item.
 * Source: API reference, BulkOperationUsage; docs/behaviour/transfer.md. */
#ifndef OPS_BULK_USAGE_H
#define OPS_BULK_USAGE_H

#include "ops/transfer/task.h"

/* The item was put. */
void bulk_usage_add(struct call *c, struct task *t, const struct table *table,
                    const struct item *it);

/* Writes the member BulkOperationUsage. */
void bulk_usage_put(struct wire_writer *w, const struct task *t);

#endif
