/* worlds_copy.h: what copies all of a world, in slices, so that other worlds are served meanwhile:
 * making, resetting, keeping and restoring one, and a snapshot's file.
 *
 * The world that is copied, or replaced, is as it was when the copy began: requests to it wait
 * until the copy has ended (world_is_copied). Templates and snapshots never change; a snapshot that
 * is dropped meanwhile lives until the end. A copy that is freed before its end leaves all as it
 * was; what it is to make or replace is there as a whole or not at all.
 *
 * Faults are those of worlds.h. WORLD_WAITS: another copy has to end first (worlds_copies_ended).
 */
#ifndef WORLDS_WORLDS_COPY_H
#define WORLDS_WORLDS_COPY_H

#include "worlds/worlds.h"

struct worlds_copy;

/* A snapshot of the world under that name, in place of one of that name. */
MUST_CHECK const struct world_fault *worlds_begin_snapshot(struct arena *a, struct worlds *all,
                                                           struct world *w, struct span name,
                                                           struct worlds_copy **out);
/* The world as the snapshot has it. */
MUST_CHECK const struct world_fault *worlds_begin_restore(struct arena *a, struct worlds *all,
                                                          struct world *w, const struct snapshot *s,
                                                          struct worlds_copy **out);
/* The world as a new one; the first one as after the start. */
MUST_CHECK const struct world_fault *worlds_begin_reset(struct arena *a, struct worlds *all,
                                                        struct world *w, struct worlds_copy **out);
/* A new world that begins as `of` is; of NULL: as `from`, which does not change; both NULL: as the
 * template. */
MUST_CHECK const struct world_fault *worlds_begin_make(struct arena *a, struct worlds *all,
                                                       struct span name, struct world *of,
                                                       const struct world_state *from,
                                                       struct worlds_copy **out);
/* The snapshot's file, in the folder for temporary ones. */
MUST_CHECK const struct world_fault *worlds_begin_export(struct arena *a, struct worlds *all,
                                                         const struct snapshot *s,
                                                         struct worlds_copy **out);

/* Does a slice, of a millisecond or so; true: it has ended. `wait`: waits for the disk where that
 * is what is left to do. */
bool worlds_copy_step(struct worlds_copy *c, bool wait);
/* Whether it waits for the disk: a step does nothing until file_sync_bell rings. */
bool worlds_copy_waits(const struct worlds_copy *c);
/* The same as the steps until it has ended; returns its fault. */
MUST_CHECK const struct world_fault *worlds_copy_run(struct worlds_copy *c);

bool worlds_copy_is_over(const struct worlds_copy *c);
/* After the end: why nothing was done, or NULL. The rest is there without a fault. All of it lives
 * as long as the copy. */
const struct world_fault *worlds_copy_fault(const struct worlds_copy *c);
/* The world that was made or changed. */
struct world *worlds_copy_world(const struct worlds_copy *c);
/* The snapshot that was taken, restored or written. */
const struct snapshot *worlds_copy_snapshot(const struct worlds_copy *c);
/* The file's descriptor, to be read from its beginning; the caller closes it. */
int worlds_copy_take_file(struct worlds_copy *c);

void worlds_copy_free(struct worlds_copy *c); /* c may be NULL */

/* The copy that makes a world of that name, or NULL. */
struct worlds_copy *worlds_find_making(const struct worlds *all, struct span name);

/* Nobody waits for its answer: it takes its steps in worlds_idle, and its fault is kept for the
 * next request that names the world. */
void worlds_copy_disown(struct worlds_copy *c);
bool worlds_copy_is_disowned(const struct worlds_copy *c);
/* A step of each of these; whether none of them has one to take now. */
void worlds_copies_idle(struct worlds *all);
bool worlds_copies_are_idle(const struct worlds *all);

#endif
