/* op_fault.h: faults that operations of several families find. */
#ifndef OPS_OP_FAULT_H
#define OPS_OP_FAULT_H

#include "ops/op.h"

/* "Provided list of item keys contains duplicates" */
MUST_CHECK const struct error *op_fault_repeated_keys(struct arena *a);

/* "Too many entries in …": more than 4096 in a map or list that the service sets no bound for.
 * What is compared entry by entry stays quick, and holds more than any request needs. */
MUST_CHECK const struct error *op_fault_check_entries(struct arena *a, const char *parameter,
                                                      size_t count);

/* "Item size to update has exceeded the maximum allowed size" */
MUST_CHECK const struct error *op_fault_updated_size(struct arena *a);

#define OP_FAULT_DUPLICATE "Duplicate primary key exists in table"
MUST_CHECK const struct error *op_fault_duplicate_item(struct arena *a);

/* "The level of configured provisioned throughput for the table was exceeded. …" */
MUST_CHECK const struct error *op_fault_throughput(struct arena *a);

/* What an error is called as the reason of one action of a transaction, or of one member of a batch
 * of statements. */
const char *op_fault_code(enum error_kind kind);

#endif
