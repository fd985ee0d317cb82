/* worlds_copy.h: copies whole worlds in slices, so that other worlds are served meanwhile: makes,
 * opens, resets, snapshots and restores a world, writes a snapshot's file and loads it.
 *
 * The world that is copied or replaced stays as it was when the copy began: its requests wait until
 * the copy has ended (world_is_copied). Templates and snapshots never change; a snapshot that is
 * dropped meanwhile lives until the end. A copy that is freed early changes nothing; its result
 * appears as a whole or not at all.
 *
 * PROBLEM_WAITS: another copy must end first (worlds_copies_ended).
 */
#pragma once

#include "worlds/worlds.h"

struct worlds_copy;

/* Takes a snapshot of the world under this name; replaces an older one. */
MUST_CHECK const struct problem *worlds_begin_snapshot(struct arena *a, struct worlds *all,
                                                       struct world *w, struct span name,
                                                       struct worlds_copy **out);
/* Restores the world from the snapshot. */
MUST_CHECK const struct problem *worlds_begin_restore(struct arena *a, struct worlds *all,
                                                      struct world *w, const struct snapshot *s,
                                                      struct worlds_copy **out);
/* Resets the world to the state of a new one; the first world to that after the start. */
MUST_CHECK const struct problem *worlds_begin_reset(struct arena *a, struct worlds *all,
                                                    struct world *w, struct worlds_copy **out);
/* Makes a world from `of`; if it is NULL, from the state `from`, which must not change; if both are
 * NULL, from the template. */
MUST_CHECK const struct problem *worlds_begin_make(struct arena *a, struct worlds *all,
                                                   struct span name, struct world *of,
                                                   const struct world_state *from,
                                                   struct worlds_copy **out);
/* Writes the snapshot's file into the folder for temporary files. */
MUST_CHECK const struct problem *worlds_begin_export(struct arena *a, struct worlds *all,
                                                     const struct snapshot *s,
                                                     struct worlds_copy **out);

/* Loads the snapshot in a file, and keeps it under this name; replaces an older one. The file may
 * be unlinked after the start. The world's requests wait only while the loaded snapshot is kept. */
MUST_CHECK const struct problem *worlds_begin_load(struct arena *a, struct worlds *all,
                                                   struct world *w, struct span name,
                                                   const char *path, struct worlds_copy **out);
/* Opens a world that is only in its file, with its snapshots. */
MUST_CHECK const struct problem *worlds_begin_open(struct arena *a, struct worlds *all,
                                                   struct span name, struct worlds_copy **out);

/* Does a slice of about a millisecond; returns true at the end. */
bool worlds_copy_step(struct worlds_copy *c);
/* Whether it waits for the disk, until file_sync_bell rings, or for another copy of the world; a
 * step does nothing then. */
bool worlds_copy_waits(const struct worlds_copy *c);

/* After the end: why it failed, or NULL. The functions below need a copy that succeeded; their
 * results live as long as the copy. */
const struct problem *worlds_copy_problem(const struct worlds_copy *c);
/* The world that was made or changed. */
struct world *worlds_copy_world(const struct worlds_copy *c);
/* The snapshot that was taken, restored, written or loaded. */
const struct snapshot *worlds_copy_snapshot(const struct worlds_copy *c);
/* The file's descriptor, positioned at the start; the caller closes it. */
int worlds_copy_take_file(struct worlds_copy *c);

void worlds_copy_free(struct worlds_copy *c); /* c may be NULL */
