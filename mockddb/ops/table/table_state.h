/* table_state.h: tables in the catalog, and how their states follow each other.
 *
 * CREATING, UPDATING and DELETING last for settings->transition_ms; what ends by itself is ended
 * in the background (jobs/job_settle.c), or by the first write before that. With 0 they are seen in the answer of
 * the call that began them only. Every change of a table goes schema_copy, change,
 * table_state_keep. Source: docs/behaviour/tables.md, "States". */
#ifndef OPS_TABLE_STATE_H
#define OPS_TABLE_STATE_H

#include "ops/op.h"

/* The table of that name as it is now, or NULL: transitions that are due have ended. In a unit that
 * writes they end in the store; a read gets a copy of the table in which they have. */
MUST_CHECK const struct error *table_state_look_up(struct call *c, struct span name,
                                                   const struct table **out);

/* The table that the request's TableName says (a name or an ARN), for operations on tables. */
MUST_CHECK const struct error *table_state_find(struct call *c, const struct table **out);

/* "Requested resource not found: Table: T not found" */
MUST_CHECK const struct error *table_state_not_found(struct call *c, struct span name);

/* "Attempt to change a resource which is still in use: " and the text. */
MUST_CHECK const struct error *table_state_in_use(struct call *c, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* "… in use: Table is being created: T", and deleted. */
MUST_CHECK const struct error *table_state_being_created(struct call *c, struct span name);
MUST_CHECK const struct error *table_state_being_deleted(struct call *c, struct span name);

/* NULL for a table that is neither being created nor being deleted, else that it is. */
MUST_CHECK const struct error *table_state_check_there(struct call *c, const struct table *t);

/* "Table is being used: T": it is being restored. */
MUST_CHECK const struct error *table_state_being_used(struct call *c, struct span name);

/* The table that a replica is, where regions are kept apart and it was not left; else NULL. */
const struct table *table_state_replica(struct call *c, const struct table *t,
                                        const struct replica *r);

/* The state in which a replica of the table is: where it is a table, CREATING lasts until that has
 * its items. */
enum status table_state_of_replica(struct call *c, const struct table *t, const struct replica *r);

/* Ends in the store what is due of a table in the catalog, in a unit of its own. */
MUST_CHECK const struct error *table_state_settle(struct call *c, const struct table *t);

/* The index that is to be filled with the table's items next (table_backfill.h), or NULL. */
const struct index *table_state_unfilled(const struct table *t);

/* Puts the next version of a table into the catalog, with what is due ended: an index or the
 * table itself may be gone after it. t is one of schema_new or schema_copy in the call's arena, to
 * which it belongs until it is in the catalog. Needs a unit of work. */
MUST_CHECK const struct error *table_state_keep(struct call *c, struct table *t);

#endif
