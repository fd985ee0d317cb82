/* snapshot_file.h: a snapshot as a file: the store's own file, and 88 bytes that say what it is and
 * prove that it is whole. Its form is in docs/worlds.md. */
#ifndef WORLDS_SNAPSHOT_FILE_H
#define WORLDS_SNAPSHOT_FILE_H

#include "worlds/world_state.h"

/* A file that is written in slices: there as a whole and lasting, or not at all; in place of one of
 * that name. */
struct snapshot_writing;

/* The state's store is shared with it, so the caller may free its own. Beside `path` there is a
 * file `path`.part meanwhile. Sentences about it call it by the snapshot's name. */
struct snapshot_writing *snapshot_file_new(const char *path, struct span name,
                                           const struct world_state *state, int64_t taken_ms);
/* Does a slice, of a millisecond or so; true when there is nothing to do: first when the file is
 * whole, so that it can take its name, and once more when that is lasting. Or there was a problem.
 * `wait`: waits for the disk where that is what is left to do. */
bool snapshot_file_step(struct snapshot_writing *w, bool wait);
/* Whether it waits for the disk: a step does nothing until file_sync_bell rings. */
bool snapshot_file_waits(const struct snapshot_writing *w);
/* A file that is whole takes its name. NULL, or one sentence in the arena. */
const char *snapshot_file_place(struct arena *a, struct snapshot_writing *w);
/* Why the steps ended early, in one sentence that lives as long as *w; or NULL. */
const char *snapshot_file_problem(const struct snapshot_writing *w);
/* One that has no name yet leaves nothing behind. w may be NULL. */
void snapshot_file_free(struct snapshot_writing *w);

/* All of it at once. NULL, or one sentence in the arena. */
const char *snapshot_file_write(struct arena *a, const char *path, struct span name,
                                const struct world_state *state, int64_t taken_ms);

#endif
