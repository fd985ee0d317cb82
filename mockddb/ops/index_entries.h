/* index_entries.h: the entries that a write of an item adds to indexes, changes and removes.
 *
 * They are computed once for a write, charged, and written by the follower of indexes. */
#ifndef OPS_INDEX_ENTRIES_H
#define OPS_INDEX_ENTRIES_H

#include "ops/capacity.h"
#include "ops/follower.h"

/* Whether the index has, or should have, the entry of the item with this key. Index entries behind
 * the position of a backfill are left to the backfill; a deletion spares them. */
bool index_entries_cover(const struct index *ix, struct span key);

/* Adds the units of the write's entries to `used`. */
void index_entries_charge(struct call *c, struct item_write *w, struct capacity *used);

/* Bytes by which the write makes the entries in local indexes grow, below 0 where they shrink. */
int64_t index_entries_local_growth(struct call *c, struct item_write *w);

#endif
