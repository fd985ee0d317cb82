/* snapshot_owners.h: checks the spaces of a store from an untrusted file: the spaces of tables, and
 * of the streams, backups and tasks in its rows. Each space has one owner (except the log that
 * replicas of one table share), was given out and is not given up; a space that is read as a log or
 * as items is one. */
#pragma once

#include "ops/op.h"

/* What the check of one row may take. A row with values at the service's limits takes a third. */
#define SNAPSHOT_ROW_BUDGET ((struct arena_budget){(size_t)32 << 20, (int64_t)10 * 1000 * 1000})

struct snapshot_owners;

/* Reads in the unit. The unit and the settings must live until the end; errors are in the arena. */
struct snapshot_owners *snapshot_owners_begin(struct arena *a, struct store *s, struct unit *u,
                                              const struct settings *settings);

/* Checks a slice of rows; *more says whether to call again. Returns NULL, or a sentence. */
MUST_CHECK const char *snapshot_owners_step(struct snapshot_owners *o, bool *more);

void snapshot_owners_end(struct snapshot_owners *o); /* o may be NULL */
