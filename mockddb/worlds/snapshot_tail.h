/* snapshot_tail.h: the end of a snapshot's file, which says what it is and proves that it is whole.
 * docs/worlds.md has its form. */
#ifndef WORLDS_SNAPSHOT_TAIL_H
#define WORLDS_SNAPSHOT_TAIL_H

#include "base/clock.h"
#include "base/sha256.h"

#define SNAPSHOT_SUM_AT   40 /* the SHA-256 of all that comes before it */
#define SNAPSHOT_TAIL_LEN (SNAPSHOT_SUM_AT + SHA256_LEN + 16)

struct snapshot_tail {
    size_t store_len; /* of the store's file, which comes before */
    struct clock_time time;
    int64_t taken_ms; /* real time */
};

/* All but the sum, which the caller puts there. */
void snapshot_tail_write(unsigned char out[SNAPSHOT_TAIL_LEN], const struct snapshot_tail *tail);

/* Takes the end of a file apart whose store has store_len bytes. NULL, or one sentence: no
 * snapshot, of a newer form, or damaged. */
const char *snapshot_tail_read(const unsigned char bytes[SNAPSHOT_TAIL_LEN], size_t store_len,
                               struct snapshot_tail *out);

/* What is said of a file without such an end, and of one that does not agree with itself. */
extern const char snapshot_tail_missing[], snapshot_tail_damaged[];

#endif
