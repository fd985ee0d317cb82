/* ddb_stream_lambda_shard.h: follows one shard: reads, filters, queues and hands over, one batch
 * at a time and in order. */
#ifndef DDB_STREAM_LAMBDA_SHARD_H
#define DDB_STREAM_LAMBDA_SHARD_H

#include "ddb_stream_lambda_run.h"

struct shard_options {
    struct span id, parent; /* parent: len 0 for none; both are copied */
    const char *start;      /* TRIM_HORIZON or LATEST; NULL: there is nothing to read */
};

struct shard *shard_new(struct lambda_run *run, const struct shard_options *options);
void shard_free(struct shard *s);

struct span shard_id(const struct shard *s);
struct span shard_parent(const struct shard *s);

/* Settles where reading begins, so that LATEST means now; of an ended one nothing. Returns NULL, or
 * why it cannot. */
MUST_CHECK const char *shard_locate(struct shard *s);

/* Begins to read, unless it has begun. */
void shard_start(struct shard *s);

bool shard_has_ended(const struct shard *s);  /* read to its end, and all handed over */
bool shard_is_idle(const struct shard *s);    /* ended; or caught up, and all handed over */
bool shard_is_calling(const struct shard *s); /* the function is at work on its records */

#endif
