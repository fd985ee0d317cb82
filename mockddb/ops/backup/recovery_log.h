/* recovery_log.h: what the items of a table were before each change, for point-in-time recovery.
 *
 * A space of the store, for tables with recovery only: an entry for each change, made in the same
 * unit (ops/change.c), with the item as it was before:
 *
 *   key  = space (4 bytes) | running number (8) | time (8, ms; both big-endian) | the item's key in
 *          the table without its space
 *   body = the item, or "-" where there was none
 *
 * Entries are in the order of the changes. Where the clock was set back, a moment is the last one
 * at which the clock had not passed it. Source: docs/behaviour/backups.md. */
#ifndef OPS_RECOVERY_LOG_H
#define OPS_RECOVERY_LOG_H

#include "ops/op.h"
#include "store/cursor.h"

/* Notes a change of an item; `before` is its row, found or not. Of tables with recovery only. */
MUST_CHECK const struct error *recovery_log_append(struct call *c, const struct table *t,
                                                   const struct store_row *before);

/* Where a restore that begins now begins to undo: behind the last change. */
struct span recovery_log_end(struct call *c, uint32_t space);

/* Undoes a slice of what was changed after the moment of the draft's restore, from the newest back;
 * *more says whether to come again. What is left of the log is given up at the end, where its table
 * gave it up meanwhile. */
MUST_CHECK const struct error *recovery_log_undo(struct call *c, struct table *draft, bool *more);

/* Removes a slice of what is older than the table's recovery period, in a unit of its own. *more
 * says whether to come again at once; else *due_ms is when to come again, INT64_MAX: when something
 * is changed. */
MUST_CHECK const struct error *recovery_log_trim(struct call *c, const struct table *t, bool *more,
                                                 int64_t *due_ms);

/* Gives up a log: at once, or when the last restore or holder is done that reads it. */
MUST_CHECK const struct error *recovery_log_drop(struct call *c, uint32_t space);

/* --- reading it ------------------------------------------------------------------------------- */

/* While somebody holds a log nothing of it goes. `holder` is a number that no other has. */
MUST_CHECK const struct error *recovery_log_hold(struct call *c, uint32_t space, uint32_t holder);
MUST_CHECK const struct error *recovery_log_release(struct call *c, uint32_t space,
                                                    uint32_t holder);

/* The changes behind the one of a key (len 0: all of them), oldest first. */
struct store_range recovery_log_behind(struct call *c, uint32_t space, struct span key);

struct recovery_change {
    int64_t ms;
    struct span item_key; /* without its space; borrowed from the row */
    bool had_item;        /* before the change */
    size_t size;          /* of that item */
    struct span item;
};
struct recovery_change recovery_log_read(const struct store_row *row);

#endif
