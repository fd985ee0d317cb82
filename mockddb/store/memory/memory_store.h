/* memory_store.h: the engine that keeps entries in an ordered map for each space (tree.h).
 *
 * A copy of a store shares the maps, so forks, snapshots and restores cost the same for ten items
 * and for ten million; so do copies of spaces. A row's handle is its entry, which lives at least as
 * long as the unit. What was given up is freed in slices (store/store_memory.h). */
#pragma once

#include "store/store.h"

/* Opens an empty store. */
struct store *memory_store_open(void);

/* Returns a copy of a store of this engine, which must have no open unit. */
struct store *memory_store_copy(const struct store *from);
