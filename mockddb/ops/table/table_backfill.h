/* table_backfill.h: fills an index that was added to a table with the items that are there.
 *
 * It goes through the table in key order, a slice at a time; the position is kept in the catalog,
 * so that it goes on after a restart. Writes look after the part of the index that is done
 * (ops/change.c). Items without usable index keys are left out. Source: docs/behaviour/tables.md,
 * "Adding an index". */
#ifndef OPS_TABLE_BACKFILL_H
#define OPS_TABLE_BACKFILL_H

#include "ops/op.h"
#include "store/cursor.h"

/* One slice for the table's index that waits for it, if there is one; needs a unit of work. */
MUST_CHECK const struct error *table_backfill(struct call *c, struct span name);

/* The items of a table behind the position that a backfill has reached (len 0: all). */
struct store_range table_backfill_rest(struct call *c, const struct table *t, struct span position);

#endif
