/* op_fault.h: errors that several families of operations share. */
#pragma once

#include "ops/op.h"

/* "Provided list of item keys contains duplicates": two entries of the table's, from 0. */
MUST_CHECK const struct error *op_fault_repeated_keys(struct arena *a, struct span table,
                                                      size_t first, size_t second);

/* "Too many items requested for the BatchGetItem call": more than `limit` in all tables. */
MUST_CHECK const struct error *op_fault_many_items(struct call *c, size_t count, size_t limit);

/* "Too many entries in …": refuses more than 4096 entries in a map or list without a limit of the
 * service. This keeps comparisons of entries fast; real requests have fewer. */
MUST_CHECK const struct error *op_fault_check_entries(struct arena *a, const char *parameter,
                                                      size_t count);

/* "Item size has exceeded the maximum allowed size"; bare. */
MUST_CHECK const struct error *op_fault_size(struct arena *a);

/* "Item size to update has exceeded the maximum allowed size" */
MUST_CHECK const struct error *op_fault_updated_size(struct arena *a);

#define OP_FAULT_DUPLICATE "Duplicate primary key exists in table"
MUST_CHECK const struct error *op_fault_duplicate_item(struct arena *a);

/* "The level of configured provisioned throughput for the table was exceeded. …" */
MUST_CHECK const struct error *op_fault_throughput(struct arena *a);

/* "Requested resource not found: Index … for table …" */
MUST_CHECK const struct error *op_fault_no_index(struct arena *a, const struct table *t,
                                                 struct span name);

/* Why an item-level request is refused that meets a transaction. */
#define OP_FAULT_CONFLICT "Transaction is ongoing for the item"

/* The code of an error as the reason of a transaction's action, or in a member of a batch of
 * statements. */
const char *op_fault_code(enum error_kind kind);
