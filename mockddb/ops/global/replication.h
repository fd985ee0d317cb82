/* replication.h: copies the writes of one replica of a global table to the others.
 *
 * Replicas that are tables share a log of writes in order, each with its region and time. After
 * settings.replica_lag_ms an entry is applied to each other replica, unless that replica has a
 * later write to the item: the last writer wins. With strong consistency a write goes to all
 * replicas at once, and there is no log.
 *
 *   log      space | number | the item's key without its space → time, region, the item
 *   latest   space | region | the item's key without its space → the number of the region's last
 *                                                                log entry for the item
 *
 * Source: docs/behaviour/global-tables.md. */
#pragma once

#include "ops/op.h"

/* Delivers some of the due entries, in a unit of work that writes. *more says that others may be
 * due. *due_ms is when the next entry is due; 0: no entry to wait for. No entry is delivered while
 * a replica is CREATING. */
MUST_CHECK const struct error *replication_step(struct call *c, const struct table *t, bool *more,
                                                int64_t *due_ms);

/* Check rows of a foreign snapshot. A log entry is sound if it is well formed, its item, if any, is
 * an item of the table, and `latest` has its number or a later one. A row of `latest` is sound if
 * the log has its entry. */
bool replication_entry_is_sound(struct call *c, const struct table *t, const struct store_row *row);
bool replication_latest_is_sound(struct call *c, const struct table *t,
                                 const struct store_row *row);

/* Delivers all entries now. */
MUST_CHECK const struct error *replication_finish(struct call *c, const struct table *t);
