/* lambda_delivery.h: passes one batch of a shard to the function, until it is done or given up. */
#pragma once

#include "stream_lambda/lambda_run.h"

struct lambda_delivery;

/* Delivers one batch at a time; `done` is called at the end of each, never from
 * lambda_delivery_begin. */
struct lambda_delivery *lambda_delivery_new(struct lambda_run *run, const char *shard,
                                            void (*done)(void *), void *context);
void lambda_delivery_free(struct lambda_delivery *d);

/* Delivers the first `count` records of the queue, which keeps them until `done`. */
void lambda_delivery_begin(struct lambda_delivery *d, const struct lambda_queue *q, size_t count);

/* Whether the function is running. */
bool lambda_delivery_is_calling(const struct lambda_delivery *d);
