/* snapshot_file.h: a snapshot as a file: the store's own file, followed by 88 bytes that identify
 * it and prove that it is complete. docs/worlds.md has the format. */
#pragma once

#include "base/digest.h"
#include "worlds/snapshots.h"

/* --- the end of the file ---------------------------------------------------------------------- */

#define SNAPSHOT_SUM_AT   40 /* the SHA-256 of everything before it */
#define SNAPSHOT_TAIL_LEN (SNAPSHOT_SUM_AT + SHA256_LEN + 16)

struct snapshot_tail {
    size_t store_len; /* of the store's file, which comes first */
    struct clock_time time;
    int64_t taken_ms; /* real time */
};

/* Reads the end of a file whose store has store_len bytes. Returns NULL, or a sentence: not a
 * snapshot, newer, or damaged. */
const char *snapshot_file_read(const unsigned char bytes[SNAPSHOT_TAIL_LEN], size_t store_len,
                               struct snapshot_tail *out);

/* The messages for a file without such an end, and for an inconsistent one. */
extern const char snapshot_file_missing[], snapshot_file_damaged[];

/* --- writing ---------------------------------------------------------------------------------- */

/* Writes a file in slices. In the end the file is complete and synced, or does not exist; it
 * replaces an older one. */
struct snapshot_writing;

/* The state's store is shared, so the caller may free its own. While writing, `path`.part exists.
 * Messages use the snapshot's name. */
struct snapshot_writing *snapshot_file_new(const char *path, struct span name,
                                           const struct world_state *state, int64_t taken_ms);
/* Does a slice of about a millisecond. Returns true when the file is complete and can be renamed,
 * again true when the name is synced, or on an error. */
bool snapshot_file_step(struct snapshot_writing *w);
/* Whether it waits for the disk: a step does nothing until file_sync_bell rings. */
bool snapshot_file_waits(const struct snapshot_writing *w);
/* Gives a complete file its name. Returns NULL, or a sentence in the arena. */
const char *snapshot_file_place(struct arena *a, struct snapshot_writing *w);
/* Why the steps failed, in one sentence that lives as long as *w; or NULL. */
const char *snapshot_file_problem(const struct snapshot_writing *w);
/* Removes a file that has no name yet. w may be NULL. */
void snapshot_file_free(struct snapshot_writing *w);
