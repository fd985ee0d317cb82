/* snapshot_file.h: a snapshot as a file: the store's own file, and 88 bytes that say what it is and
 * prove that it is whole. Its form is in docs/worlds.md. */
#ifndef WORLDS_SNAPSHOT_FILE_H
#define WORLDS_SNAPSHOT_FILE_H

#include "worlds/world_state.h"

/* Writes a file that is there as a whole and lasting, or not at all; in place of one of that name.
 * NULL, or one sentence in the arena. */
const char *snapshot_file_write(struct arena *a, const char *path, const struct world_state *state,
                                int64_t taken_ms);

/* Loads a file, whoever wrote it, into memory: a new store, the caller's. NULL, or one sentence in
 * the arena. For a moment there is a file `path`.store beside it. */
const char *snapshot_file_load(struct arena *a, const char *path, struct world_state *out,
                               int64_t *taken_ms);

#endif
