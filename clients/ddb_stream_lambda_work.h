/* ddb_stream_lambda_work.h: what is left to do of a batch after each answer of the function.
 *
 * A batch is handed over in pieces: at first the whole of it is one. Pieces are done in order; a
 * failed one is tried again, from where the function says, or as two halves, or is given up.
 * Source: "Retain discarded records for a DynamoDB event source", "Configuring partial batch
 * response", Lambda developer guide. */
#ifndef DDB_STREAM_LAMBDA_WORK_H
#define DDB_STREAM_LAMBDA_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORK_PIECES_MAX 64 /* halving ten thousand records makes fewer */

struct piece {
    size_t from, to;   /* records of the batch: from ≤ i < to */
    unsigned failures; /* answers that were errors, of larger pieces around it, too */
    int64_t retries;   /* what of them counts against the limit */
};

struct work {
    struct piece pieces[WORK_PIECES_MAX]; /* the last is the next to be done */
    size_t len;
};

struct work_rules {
    bool bisect;         /* a failed piece is split, which is no retry */
    int64_t max_retries; /* -1: no limit */
};

enum work_step {
    WORK_RETRY, /* the same records, or fewer, once more */
    WORK_SPLIT, /* a smaller piece is next */
    WORK_GIVEN_UP
};

void work_begin(struct work *w, size_t count);

/* The piece to be done, or NULL when the batch is finished. */
const struct piece *work_next(const struct work *w);

/* The next piece is done. */
void work_succeeded(struct work *w);

/* The next piece failed, its records from `first` on: piece.from when nothing more is known.
 * When it is given up, *lost is what of it. */
enum work_step work_failed(struct work *w, const struct work_rules *rules, size_t first,
                           struct piece *lost);

/* The records of the next piece before `from` are not to be done any more. */
void work_skip(struct work *w, size_t from);

#endif
