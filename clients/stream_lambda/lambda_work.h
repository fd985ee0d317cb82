/* lambda_work.h: which records of a batch remain to be done after each answer of the function.
 *
 * A batch is delivered in pieces; at first it is one piece. Pieces are done in order. A failed
 * piece is retried, from the record that the function reports, or as two halves, or it is given up.
 * Source: "Retain discarded records for a DynamoDB event source", "Configuring partial batch
 * response", Lambda developer guide. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAMBDA_WORK_PIECES_MAX 64 /* enough for halving ten thousand records */

struct lambda_piece {
    size_t from, to;   /* records of the batch: from ≤ i < to */
    unsigned failures; /* failed calls with these records, also in larger pieces */
    int64_t retries;   /* the failures that count against the limit */
};

struct lambda_work {
    struct lambda_piece pieces[LAMBDA_WORK_PIECES_MAX]; /* the last is the next to deliver */
    size_t len;
};

struct lambda_work_rules {
    bool bisect;         /* split a failed piece, which is not a retry */
    int64_t max_retries; /* -1: no limit */
};

enum lambda_work_step {
    WORK_RETRY, /* deliver the same records, or fewer, again */
    WORK_SPLIT, /* deliver a smaller piece next */
    WORK_GIVEN_UP
};

void lambda_work_begin(struct lambda_work *w, size_t count);

/* Returns the next piece to deliver, or NULL if the batch is finished. */
const struct lambda_piece *lambda_work_next(const struct lambda_work *w);

/* The next piece is done. */
void lambda_work_succeeded(struct lambda_work *w);

/* The next piece failed from record `first` on; first is piece.from if the function did not say
 * more. If records are given up, *lost is set to them. */
enum lambda_work_step lambda_work_failed(struct lambda_work *w,
                                         const struct lambda_work_rules *rules, size_t first,
                                         struct lambda_piece *lost);

/* Skips the records of the next piece before `from`. */
void lambda_work_skip(struct lambda_work *w, size_t from);
