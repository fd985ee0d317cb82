/* table_replicas.h: what a table knows of the global table that it is part of: the other regions'
 * replicas, the witness, and how they come and go with time.
 *
 * Source: docs/behaviour/global-tables.md. */
#ifndef OPS_TABLE_REPLICAS_H
#define OPS_TABLE_REPLICAS_H

#include "ops/op.h"

/* Whether the table is part of a global table: else it is a regional one. */
bool table_replicas_any(const struct table *t);

/* The replica in that region, or NULL. */
struct replica *table_replicas_find(const struct table *t, struct span region);

/* Another entry in the table's list, zeroed except for the region, which is copied. */
struct replica *table_replicas_add(struct table *draft, struct span region);
void table_replicas_remove(struct table *draft, const struct replica *r);

/* Ends the states of replicas and of the witness that end by then. A table without any is regional
 * again. */
void table_replicas_settle(struct table *draft, int64_t now_ms);

/* When the next of them ends; 0: none does. */
int64_t table_replicas_due_ms(const struct table *t);

#endif
