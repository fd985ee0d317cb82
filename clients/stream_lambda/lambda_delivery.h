/* lambda_delivery.h: one batch of a shard on its way to the function, until it is done
 * or given up. */
#ifndef STREAM_LAMBDA_LAMBDA_DELIVERY_H
#define STREAM_LAMBDA_LAMBDA_DELIVERY_H

#include "stream_lambda/lambda_run.h"

struct lambda_delivery;

/* Of one batch after the other; `done` is called at the end of each, never from
 * lambda_delivery_begin. */
struct lambda_delivery *lambda_delivery_new(struct lambda_run *run, const char *shard,
                                            void (*done)(void *), void *context);
void lambda_delivery_free(struct lambda_delivery *d);

/* Hands over the first `count` records of the queue, which stay in it meanwhile. */
void lambda_delivery_begin(struct lambda_delivery *d, const struct lambda_queue *q, size_t count);

/* Whether the function is at work. */
bool lambda_delivery_is_calling(const struct lambda_delivery *d);

#endif
