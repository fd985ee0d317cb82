/* bulk_usage.h: the bytes that a bulk put has written to its table and to its indexes.
 *
 * An item counts with its size, an index entry with the size of its projected attributes.
 * Source: API reference, BulkOperationUsage; docs/behaviour/transfer.md. */
#ifndef OPS_BULK_USAGE_H
#define OPS_BULK_USAGE_H

#include "ops/transfer/task.h"

/* Counts an item that was put. */
void bulk_usage_add(struct call *c, struct task *t, const struct table *table,
                    const struct item *it);

/* Writes the member BulkOperationUsage. */
void bulk_usage_put(struct wire_writer *w, const struct task *t);

#endif
