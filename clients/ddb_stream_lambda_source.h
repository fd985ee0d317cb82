/* ddb_stream_lambda_source.h: the stream, as the service tells of it. */
#ifndef DDB_STREAM_LAMBDA_SOURCE_H
#define DDB_STREAM_LAMBDA_SOURCE_H

#include "client_aws.h"

struct source {
    struct aws_client *client;
    struct span arn;
};

/* Why something could not be had. */
struct source_error {
    const char *text;       /* NULL: it could */
    struct span error_type; /* of the service; len 0: it did not answer */
};

/* The ARN of the newest stream of a table. */
MUST_CHECK struct source_error source_find(struct aws_client *client, struct arena *a,
                                           const char *table, struct span *arn);

struct source_shard {
    struct span id;
    struct span parent; /* len 0: none */
    bool closed;        /* nothing will be added to it */
};

/* All shards of the stream. */
MUST_CHECK struct source_error source_shards(const struct source *s, struct arena *a,
                                             struct source_shard **shards, size_t *count);

/* An iterator: `type` is TRIM_HORIZON, LATEST, or AFTER_SEQUENCE_NUMBER with a number. */
MUST_CHECK struct source_error source_iterator(const struct source *s, struct arena *a,
                                               const char *shard, const char *type,
                                               const char *sequence, struct span *iterator);

/* The next records (a list), and the iterator behind them (len 0: the shard ends here). */
MUST_CHECK struct source_error source_records(const struct source *s, struct arena *a,
                                              const char *iterator, const wire_node **records,
                                              struct span *next);

#endif
