/* lambda_shard.h: follows one shard: reads, filters and queues its records, and delivers batches in
 * order, one at a time. */
#pragma once

#include "stream_lambda/lambda_run.h"

struct lambda_shard_options {
    struct span id, parent; /* parent: len 0 if none; both are copied */
    const char *start;      /* TRIM_HORIZON or LATEST; NULL: nothing to read */
};

struct lambda_shard *lambda_shard_new(struct lambda_run *run,
                                      const struct lambda_shard_options *options);
void lambda_shard_free(struct lambda_shard *s);

struct span lambda_shard_id(const struct lambda_shard *s);
struct span lambda_shard_parent(const struct lambda_shard *s);

/* Gets the first iterator, so that LATEST means now. Does nothing for a closed shard that is not
 * read. Returns NULL, or an error. */
MUST_CHECK const char *lambda_shard_locate(struct lambda_shard *s);

/* Starts reading, if it has not started yet. */
void lambda_shard_start(struct lambda_shard *s);

/* Whether it was read to its end, and everything was delivered. */
bool lambda_shard_has_ended(const struct lambda_shard *s);
/* Whether it has ended, or all current records were read and delivered. */
bool lambda_shard_is_idle(const struct lambda_shard *s);
/* Whether the function is processing its records. */
bool lambda_shard_is_calling(const struct lambda_shard *s);
