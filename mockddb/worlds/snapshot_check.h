/* snapshot_check.h: whether what a store has, whose rows anybody may have written, agrees with
 * itself: items, indexes, streams, logs, backups and tasks. How rows fit together as rows was
 * looked at before (store/store_rebuild.h). */
#ifndef WORLDS_SNAPSHOT_CHECK_H
#define WORLDS_SNAPSHOT_CHECK_H

#include "store/store.h"

struct snapshot_check;

/* Nobody else works with the store until the end; what is found is in the arena. */
struct snapshot_check *snapshot_check_begin(struct arena *a, struct store *s);

/* A slice of less than a millisecond, besides rows that are long; *more says whether to come again.
 * NULL, or one sentence: the first thing that is wrong. */
MUST_CHECK const char *snapshot_check_step(struct snapshot_check *c, bool *more);

void snapshot_check_end(struct snapshot_check *c); /* c may be NULL */

#endif
