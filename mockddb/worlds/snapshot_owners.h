/* snapshot_owners.h: whose each space of a store is, whose rows anybody may have written: those of
 * tables, and of the streams, backups and tasks that rows tell of. Each space has one owner, but
 * for the log that replicas of one table share, was given out and is not given up; what is read as
 * a log or as items is one.
 *
 * The relations are in docs/reliability.md, "Snapshot files". */
#ifndef WORLDS_SNAPSHOT_OWNERS_H
#define WORLDS_SNAPSHOT_OWNERS_H

#include "ops/op.h"

struct snapshot_owners;

/* Reads in the unit, which lasts as long, as do the settings; what is found is in the arena. */
struct snapshot_owners *snapshot_owners_begin(struct arena *a, struct store *s, struct unit *u,
                                              const struct settings *settings);

/* A slice of rows; *more says whether to come again. NULL, or one sentence. */
MUST_CHECK const char *snapshot_owners_step(struct snapshot_owners *o, bool *more);

void snapshot_owners_end(struct snapshot_owners *o); /* o may be NULL */

#endif
