/* ddb_stream_lambda_queue.h: records of a shard that wait for the function, and when they make a
 * batch. */
#ifndef DDB_STREAM_LAMBDA_QUEUE_H
#define DDB_STREAM_LAMBDA_QUEUE_H

#include "base/arena.h"

/* The records of one answer share a page of memory, which goes with the last of them. */
struct page;

struct record {
    struct record *next;
    struct page *page;
    struct span event;    /* as the function gets it */
    struct span sequence; /* number, as text */
    int64_t arrival_ms;
};

struct queue {
    struct record *first, *last;
    size_t len;
    int64_t since_ms; /* when the first one came */
};

/* A page without records; closed once no more will be added. */
struct page *page_new(void);
struct arena *page_arena(struct page *p);
void page_close(struct page *p);

/* Adds a copy of the record, whose texts are in the page's arena. */
void queue_add(struct queue *q, struct page *p, const struct record *record, int64_t now_ms);

/* Takes the first `count` records out; now_ms is when those behind them begin to wait. */
void queue_drop(struct queue *q, size_t count, int64_t now_ms);

#define BATCH_BYTES_MAX ((size_t)6 * 1024 * 1024) /* of one event */

struct batch_rules {
    size_t size;       /* most records */
    int64_t window_ms; /* how long to wait for so many */
};

/* How many of the first records are a batch now; 0: it is not time yet. At the end of a stream
 * nothing is waited for. */
size_t queue_batch(const struct queue *q, const struct batch_rules *rules, int64_t now_ms,
                   bool at_end);

#endif
