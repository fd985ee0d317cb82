/* snapshot_tail.h: the end of a snapshot's file, which identifies it and proves that it is
 * complete. docs/worlds.md has the format. */
#ifndef WORLDS_SNAPSHOT_TAIL_H
#define WORLDS_SNAPSHOT_TAIL_H

#include "base/clock.h"
#include "base/sha256.h"

#define SNAPSHOT_SUM_AT   40 /* the SHA-256 of everything before it */
#define SNAPSHOT_TAIL_LEN (SNAPSHOT_SUM_AT + SHA256_LEN + 16)

struct snapshot_tail {
    size_t store_len; /* of the store's file, which comes first */
    struct clock_time time;
    int64_t taken_ms; /* real time */
};

/* Writes everything but the checksum, which the caller adds. */
void snapshot_tail_write(unsigned char out[SNAPSHOT_TAIL_LEN], const struct snapshot_tail *tail);

/* Reads the end of a file whose store has store_len bytes. Returns NULL, or a sentence: not a
 * snapshot, newer, or damaged. */
const char *snapshot_tail_read(const unsigned char bytes[SNAPSHOT_TAIL_LEN], size_t store_len,
                               struct snapshot_tail *out);

/* The messages for a file without such an end, and for an inconsistent one. */
extern const char snapshot_tail_missing[], snapshot_tail_damaged[];

#endif
