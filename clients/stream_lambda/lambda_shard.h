/* lambda_shard.h: follows one shard: reads, filters, queues and hands over, one batch
 * at a time and in order. */
#ifndef STREAM_LAMBDA_LAMBDA_SHARD_H
#define STREAM_LAMBDA_LAMBDA_SHARD_H

#include "stream_lambda/lambda_run.h"

struct lambda_shard_options {
    struct span id, parent; /* parent: len 0 for none; both are copied */
    const char *start;      /* TRIM_HORIZON or LATEST; NULL: there is nothing to read */
};

struct lambda_shard *lambda_shard_new(struct lambda_run *run,
                                      const struct lambda_shard_options *options);
void lambda_shard_free(struct lambda_shard *s);

struct span lambda_shard_id(const struct lambda_shard *s);
struct span lambda_shard_parent(const struct lambda_shard *s);

/* Settles where reading begins, so that LATEST means now; of an ended one nothing. Returns NULL, or
 * why it cannot. */
MUST_CHECK const char *lambda_shard_locate(struct lambda_shard *s);

/* Begins to read, unless it has begun. */
void lambda_shard_start(struct lambda_shard *s);

/* Read to its end, and all handed over. */
bool lambda_shard_has_ended(const struct lambda_shard *s);
/* Ended; or caught up, and all handed over. */
bool lambda_shard_is_idle(const struct lambda_shard *s);
/* The function is at work on its records. */
bool lambda_shard_is_calling(const struct lambda_shard *s);

#endif
