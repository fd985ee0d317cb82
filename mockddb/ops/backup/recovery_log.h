/* recovery_log.h: the items of a table before each change, for point-in-time recovery.
 *
 * Each table with recovery has a log, a space of the store. Each change adds an entry with the old
 * item, in the same unit (ops/change.c):
 *
 *   key  = space (4 bytes) | running number (8) | time (8, ms; both big-endian) | the item's key in
 *          the table without its space
 *   body = the old item, or "-" if there was no item
 *
 * Entries are in the order of the changes. If the clock was set back, times may repeat: a moment
 * then means the last point in the log at which the clock had not passed it. Source:
 * docs/behaviour/backups.md. */
#pragma once

#include "ops/op.h"
#include "store/cursor.h"

/* Returns the position behind the last change. */
struct span recovery_log_end(struct call *c, uint32_t space);

/* Where a restore starts to undo changes in a copy that begins now: behind the last change; in a
 * shared store behind all that will be in the log, since other processes may just be keeping some
 * that the copy has. To undo those that it does not have changes nothing. */
struct span recovery_log_undo_from(struct call *c, uint32_t space);

/* Undoes a slice of the changes after the moment of the draft's restore, newest first. *more says
 * whether to call it again. At the end it drops the log if the log's table has given it up. */
MUST_CHECK const struct error *recovery_log_undo(struct call *c, struct table *draft, bool *more);

/* Removes a slice of the changes older than the table's recovery period, in its own unit. *more
 * says to call it again at once. Otherwise *due_ms is when to call it again; INT64_MAX: after the
 * next change. */
MUST_CHECK const struct error *recovery_log_trim(struct call *c, const struct table *t, bool *more,
                                                 int64_t *due_ms);

/* Drops a log, at once or when the last restore or holder that reads it is done. */
MUST_CHECK const struct error *recovery_log_drop(struct call *c, uint32_t space);

/* --- reading it ------------------------------------------------------------------------------- */

/* No entry of a log is removed while it is held. `holder` is a unique number. */
MUST_CHECK const struct error *recovery_log_hold(struct call *c, uint32_t space, uint32_t holder);
MUST_CHECK const struct error *recovery_log_release(struct call *c, uint32_t space,
                                                    uint32_t holder);
bool recovery_log_is_held(struct call *c, uint32_t space, uint32_t holder);

struct recovery_change {
    int64_t ms;
    struct span item_key; /* without its space; borrowed from the row */
    bool had_item;        /* before the change */
    size_t size;          /* of the old item */
    struct span item;
};
struct recovery_change recovery_log_read(const struct store_row *row);
