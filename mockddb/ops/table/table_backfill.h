/* table_backfill.h: fills an index that was added to a table with the table's items.
 *
 * A backfill reads the table in key order, a slice at a time. The catalog holds its position, so it
 * continues after a restart. Writes keep the finished part of the index up to date (ops/change.c).
 * Items without usable index keys are left out. Source: docs/behaviour/tables.md,
 * "UpdateTable". */
#pragma once

#include "ops/op.h"

/* An entry that a backfill adds, for an item that it has read. */
struct backfill_place {
    struct store_row entry, owner;
    bool is_kept; /* a write has kept it since: it is there, or the item has changed */
};

/* In a shared store, where writes keep all entries of an index that is being filled, finds out
 * which of these are kept; the others stay as they are until the unit is kept, or it is a conflict.
 */
MUST_CHECK const struct error *table_backfill_look_up(struct call *c, struct backfill_place *places,
                                                      size_t count);

/* Fills one slice of the table's unfilled index, if it has one; needs a unit of work. */
MUST_CHECK const struct error *table_backfill(struct call *c, struct span name);
