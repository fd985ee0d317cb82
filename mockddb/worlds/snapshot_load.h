/* snapshot_load.h: loads a snapshot from its file (snapshot_file.h), which is not trusted. */
#pragma once

#include "worlds/snapshots.h"

/* Loads a file into memory in slices. Memory use is the store's size, a few megabytes of the file
 * at a time, and little else: no table is kept. The file may be unlinked after the start. */
struct snapshot_load;
struct snapshot_load *snapshot_load_begin(const char *path);
/* Does a slice of a millisecond or two; returns true when it is done, or has failed. */
bool snapshot_load_step(struct snapshot_load *l);
/* After the last step: *out gets a new store, which the caller frees, and no name. Returns NULL, or
 * a sentence in the arena. */
const char *snapshot_load_take(struct snapshot_load *l, struct arena *a, struct snapshot *out);
void snapshot_load_free(struct snapshot_load *l); /* l may be NULL */

/* --- all snapshots of a world ------------------------------------------------------------------
 */

/* Loads the snapshots that a world has in files, in slices. */
struct snapshot_load_all;

/* `folder` must live until the end; NULL: no snapshot is in a file. */
struct snapshot_load_all *snapshot_load_all_begin(const char *folder, struct span world);
/* Does a step of snapshot_load; returns true at the end. A file that cannot be loaded is logged and
 * stays where it is. */
bool snapshot_load_all_step(struct snapshot_load_all *o);
/* After the end: the snapshots, which the caller frees. */
struct snapshots *snapshot_load_all_take(struct snapshot_load_all *o);
void snapshot_load_all_free(struct snapshot_load_all *o); /* o may be NULL */
