/* snapshot_load.h: loads a snapshot from its file (snapshot_file.h), which is not trusted. */
#ifndef WORLDS_SNAPSHOT_LOAD_H
#define WORLDS_SNAPSHOT_LOAD_H

#include "worlds/world_state.h"

/* Loads a file into memory in slices. Memory use is the store's size, the file's pages as they are
 * read, and little else. The file may be unlinked after the start. */
struct snapshot_load;
struct snapshot_load *snapshot_load_begin(const char *path);
/* Does a slice of a millisecond or two; returns true when it is done, or has failed. */
bool snapshot_load_step(struct snapshot_load *l);
/* After the last step: *out gets a new store, which the caller frees. Returns NULL, or a sentence
 * in the arena. */
const char *snapshot_load_take(struct snapshot_load *l, struct arena *a, struct world_state *out,
                               int64_t *taken_ms);
void snapshot_load_free(struct snapshot_load *l); /* l may be NULL */

/* Loads the whole file at once. */
const char *snapshot_load_all(struct arena *a, const char *path, struct world_state *out,
                              int64_t *taken_ms);

#endif
