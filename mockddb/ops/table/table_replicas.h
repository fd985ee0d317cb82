/* table_replicas.h: a table's list of the replicas in other regions, and its witness. Replicas and
 * the witness change their states with time.
 *
 * Source: docs/behaviour/global-tables.md. */
#pragma once

#include "ops/op.h"

/* Whether the table is part of a global table; otherwise it is a regional table. */
bool table_replicas_any(const struct table *t);

/* The replica in that region, or NULL. */
struct replica *table_replicas_find(const struct table *t, struct span region);

/* Adds an entry to the table's list, zeroed except for its copy of the region. */
struct replica *table_replicas_add(struct table *draft, struct span region);
void table_replicas_remove(struct table *draft, const struct replica *r);

/* Ends the states of replicas and of the witness that are due at now_ms. A table that has neither
 * becomes regional again. */
void table_replicas_settle(struct table *draft, int64_t now_ms);

/* When the next of these states ends; 0: no state will end. */
int64_t table_replicas_due_ms(const struct table *t);
