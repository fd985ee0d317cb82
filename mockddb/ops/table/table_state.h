/* table_state.h: tables in the catalog, and their states.
 *
 * CREATING, UPDATING and DELETING last for settings->transition_ms. They end in the background
 * (jobs/job_settle.c), or by a write before that. With 0 only the answer of the call that began
 * them shows them. To change a table: schema_copy, change the copy, table_state_keep. Source:
 * docs/behaviour/tables.md, "States". */
#pragma once

#include "ops/op.h"

/* Finds the table called name, or NULL, with its due transitions ended. A unit that writes ends
 * them in the store; other calls get a copy of the table. */
MUST_CHECK const struct error *table_state_look_up(struct call *c, struct span name,
                                                   const struct table **out);

/* Finds the region's next table after a name ("": the first), or NULL. Tables whose deletion is due
 * are left out. */
MUST_CHECK const struct error *table_state_next(struct call *c, struct span after,
                                                const struct table **out);

/* Finds the table of the request's TableName (a name or an ARN), for operations on tables. */
MUST_CHECK const struct error *table_state_find(struct call *c, const struct table **out);

/* "Requested resource not found: Table: T not found" */
MUST_CHECK const struct error *table_state_not_found(struct call *c, struct span name);

/* "Attempt to change a resource which is still in use: …" */
MUST_CHECK const struct error *table_state_in_use(struct call *c, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* "… in use: Table is being created: T", or deleted. */
MUST_CHECK const struct error *table_state_being_created(struct call *c, struct span name);
MUST_CHECK const struct error *table_state_being_deleted(struct call *c, struct span name);

/* Fails if the table is being created or deleted. */
MUST_CHECK const struct error *table_state_check_there(struct call *c, const struct table *t);

/* "Table is being used: T", for a table that is being restored. */
MUST_CHECK const struct error *table_state_being_used(struct call *c, struct span name);

/* Returns the table of a replica, or NULL if it is not a table or has left the group. */
const struct table *table_state_replica(struct call *c, const struct table *t,
                                        const struct replica *r);

/* The status of a replica of the table. If it is a table, CREATING lasts until it has its
 * items. */
enum status table_state_of_replica(struct call *c, const struct table *t, const struct replica *r);

/* Ends the due transitions of a table in the store, in a unit of its own. */
MUST_CHECK const struct error *table_state_settle(struct call *c, const struct table *t);

/* Returns the next index that needs a backfill (table_backfill.h), or NULL. */
const struct index *table_state_unfilled(const struct table *t);

/* Stores a new version of a table in the catalog and ends its due transitions, which may delete an
 * index or the table itself. t is from schema_new or schema_copy in the call's arena, and belongs
 * to the arena until it is in the catalog. Needs a unit of work. */
MUST_CHECK const struct error *table_state_keep(struct call *c, struct table *t);
