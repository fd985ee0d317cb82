/* replication.h: how what is written to one replica of a global table comes to the others.
 *
 * The replicas that are tables share a log: what was written, where and when, in the order in which
 * it was. A while later (settings.replica_lag_ms) an entry is taken to each other replica, unless
 * that one was written to after it: the last writer wins. With strong consistency a write is done
 * everywhere at once, and there is no log.
 *
 *   log      space | number | the item's key without its space → time, region, the item
 *   latest   space | region | the item's key without its space → the number of the region's last
 *                                                                entry for it that is in the log
 *
 * Source: docs/behaviour/global-tables.md. */
#ifndef OPS_REPLICATION_H
#define OPS_REPLICATION_H

#include "ops/op.h"

/* A client has put an item (its JSON) into the table, or has deleted it (len 0). Of tables with a
 * log_space only. `key` is the item's entry key. */
MUST_CHECK const struct error *replication_note(struct call *c, const struct table *t,
                                                struct span key, struct span body);

/* Takes some of the entries that are due to where they belong, in a unit of work that writes. *more
 * says that others may be due as well; *due_ms when the next one is, 0: there is none to wait for.
 * A replica that is being made holds the rest up. */
MUST_CHECK const struct error *replication_step(struct call *c, const struct table *t, bool *more,
                                                int64_t *due_ms);

/* Whether an entry that anybody may have written is one of the table's log, with an item of that
 * table where it has one, and `latest` knows it or a later one of its item; and whether one of
 * `latest` is of an entry in the log. */
bool replication_entry_is_sound(struct call *c, const struct table *t, const struct store_row *row);
bool replication_latest_is_sound(struct call *c, const struct table *t,
                                 const struct store_row *row);

/* All that is on its way arrives now. */
MUST_CHECK const struct error *replication_finish(struct call *c, const struct table *t);

#endif
