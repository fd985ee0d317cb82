/* snapshot_check.h: whether the tables of a store that anybody may have written agree with
 * themselves: items, indexes and counters. */
#ifndef WORLDS_SNAPSHOT_CHECK_H
#define WORLDS_SNAPSHOT_CHECK_H

#include "store/store.h"

/* Goes through all of it. NULL, or one sentence in the arena: the first thing that is wrong. */
const char *snapshot_check(struct arena *a, struct store *s);

#endif
