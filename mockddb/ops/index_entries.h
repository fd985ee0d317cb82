/* index_entries.h: the entries that a write of an item adds to indexes, changes and removes.
 *
 * They are computed once for a write, charged, and written by the follower of indexes. */
#pragma once

#include "ops/capacity.h"
#include "ops/follower.h"

/* Whether writes of the item with this key concern the index. Entries behind the position of a
 * backfill are left to the backfill; if the index is being deleted, they are never written. */
bool index_entries_cover(const struct index *ix, struct span key);

/* Adds the units of the write's entries to `used`. */
void index_entries_charge(struct call *c, struct item_write *w, struct capacity *used);

/* The growth of the entries in local indexes by the write, in bytes; negative if they shrink. */
int64_t index_entries_local_growth(struct call *c, struct item_write *w);
