/* lambda_queue.h: records of a shard that wait for the function, and when they form a batch. */
#pragma once

#include "base/arena.h"

/* The memory of the records in one answer; it is freed with the last of them. */
struct lambda_page;

struct lambda_record {
    struct lambda_record *next;
    struct lambda_page *page;
    struct span event;    /* as the function receives it */
    struct span sequence; /* sequence number */
    int64_t arrival_ms;
};

struct lambda_queue {
    struct lambda_record *first, *last;
    size_t len;
    int64_t since_ms; /* arrival of the first record */
};

/* Returns an empty page; close it after the last record was added. */
struct lambda_page *lambda_queue_page(void);
struct arena *lambda_queue_page_arena(struct lambda_page *p);
void lambda_queue_page_close(struct lambda_page *p);

/* Adds a copy of the record; its texts are in the page's arena. */
void lambda_queue_add(struct lambda_queue *q, struct lambda_page *p,
                      const struct lambda_record *record, int64_t now_ms);

/* Removes the first `count` records. The records after them wait from now_ms on. */
void lambda_queue_drop(struct lambda_queue *q, size_t count, int64_t now_ms);

#define LAMBDA_BATCH_BYTES_MAX ((size_t)6 * 1024 * 1024) /* of one event */

struct lambda_batch_rules {
    size_t size;       /* most records in a batch */
    int64_t window_ms; /* how long to wait for a full batch */
};

/* How many of the first records form a batch now; 0: wait longer. At the end of a stream, does not
 * wait. */
size_t lambda_queue_batch(const struct lambda_queue *q, const struct lambda_batch_rules *rules,
                          int64_t now_ms, bool at_end);
