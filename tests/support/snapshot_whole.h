/* snapshot_whole.h: files of snapshots, written and loaded at once. */
#pragma once

#include "worlds/snapshots.h"

/* Like the steps of worlds/snapshot_file.h. Returns NULL, or a sentence in the arena. */
const char *snapshot_whole_write(struct arena *a, const char *path, struct span name,
                                 const struct world_state *state, int64_t taken_ms);

/* Like the steps of worlds/snapshot_load.h. */
const char *snapshot_whole_load(struct arena *a, const char *path, struct snapshot *out);
