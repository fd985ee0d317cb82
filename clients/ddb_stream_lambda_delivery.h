/* ddb_stream_lambda_delivery.h: one batch of a shard on its way to the function, until it is done
 * or given up. */
#ifndef DDB_STREAM_LAMBDA_DELIVERY_H
#define DDB_STREAM_LAMBDA_DELIVERY_H

#include "ddb_stream_lambda_run.h"

struct delivery;

/* Of one batch after the other; `done` is called at the end of each, never from delivery_begin. */
struct delivery *delivery_new(struct lambda_run *run, const char *shard, void (*done)(void *),
                              void *context);
void delivery_free(struct delivery *d);

/* Hands over the first `count` records of the queue, which stay in it meanwhile. */
void delivery_begin(struct delivery *d, const struct queue *q, size_t count);

/* Whether the function is at work. */
bool delivery_is_calling(const struct delivery *d);

#endif
