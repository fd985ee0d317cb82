/* snapshot_load.h: a snapshot from its file (snapshot_file.h), which anybody may have written. */
#ifndef WORLDS_SNAPSHOT_LOAD_H
#define WORLDS_SNAPSHOT_LOAD_H

#include "worlds/world_state.h"

/* A file, which may be anybody's, is loaded into memory in slices; memory is what the store takes,
 * the file's pages as they are read, and little else. The file may lose its name once it has begun.
 */
struct snapshot_load;
struct snapshot_load *snapshot_load_begin(const char *path);
/* A slice of a millisecond or two; true when all is done, or something is wrong. */
bool snapshot_load_step(struct snapshot_load *l);
/* Once it is done: a new store, the caller's. NULL, or one sentence in the arena. */
const char *snapshot_load_take(struct snapshot_load *l, struct arena *a, struct world_state *out,
                               int64_t *taken_ms);
void snapshot_load_free(struct snapshot_load *l); /* l may be NULL */

/* All of it at once. */
const char *snapshot_load_all(struct arena *a, const char *path, struct world_state *out,
                              int64_t *taken_ms);

#endif
