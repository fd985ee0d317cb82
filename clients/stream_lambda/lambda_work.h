/* lambda_work.h: what is left to do of a batch after each answer of the function.
 *
 * A batch is handed over in pieces: at first the whole of it is one. Pieces are done in order; a
 * failed one is tried again, from where the function says, or as two halves, or is given up.
 * Source: "Retain discarded records for a DynamoDB event source", "Configuring partial batch
 * response", Lambda developer guide. */
#ifndef STREAM_LAMBDA_LAMBDA_WORK_H
#define STREAM_LAMBDA_LAMBDA_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAMBDA_WORK_PIECES_MAX 64 /* halving ten thousand records makes fewer */

struct lambda_piece {
    size_t from, to;   /* records of the batch: from ≤ i < to */
    unsigned failures; /* answers that were errors, of larger pieces around it, too */
    int64_t retries;   /* what of them counts against the limit */
};

struct lambda_work {
    struct lambda_piece pieces[LAMBDA_WORK_PIECES_MAX]; /* the last is the next to be done */
    size_t len;
};

struct lambda_work_rules {
    bool bisect;         /* a failed piece is split, which is no retry */
    int64_t max_retries; /* -1: no limit */
};

enum lambda_work_step {
    WORK_RETRY, /* the same records, or fewer, once more */
    WORK_SPLIT, /* a smaller piece is next */
    WORK_GIVEN_UP
};

void lambda_work_begin(struct lambda_work *w, size_t count);

/* The piece to be done, or NULL when the batch is finished. */
const struct lambda_piece *lambda_work_next(const struct lambda_work *w);

/* The next piece is done. */
void lambda_work_succeeded(struct lambda_work *w);

/* The next piece failed, its records from `first` on: piece.from when nothing more is known.
 * When it is given up, *lost is what of it. */
enum lambda_work_step lambda_work_failed(struct lambda_work *w,
                                         const struct lambda_work_rules *rules, size_t first,
                                         struct lambda_piece *lost);

/* The records of the next piece before `from` are not to be done any more. */
void lambda_work_skip(struct lambda_work *w, size_t from);

#endif
