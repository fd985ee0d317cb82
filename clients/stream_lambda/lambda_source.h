/* lambda_source.h: the stream, as the service describes it. */
#ifndef STREAM_LAMBDA_LAMBDA_SOURCE_H
#define STREAM_LAMBDA_LAMBDA_SOURCE_H

#include "client/client_aws.h"

struct lambda_source {
    struct client_aws *client;
    struct span arn;
};

/* Why something could not be had. */
struct lambda_source_error {
    const char *text;       /* NULL: it could */
    struct span error_type; /* of the service; len 0: it did not answer */
};

/* The ARN of the newest stream of a table. */
MUST_CHECK struct lambda_source_error lambda_source_find(struct client_aws *client, struct arena *a,
                                                         const char *table, struct span *arn);

struct lambda_source_shard {
    struct span id;
    struct span parent; /* len 0: none */
    bool closed;        /* nothing will be added to it */
};

/* All shards of the stream. */
MUST_CHECK struct lambda_source_error lambda_source_shards(const struct lambda_source *s,
                                                           struct arena *a,
                                                           struct lambda_source_shard **shards,
                                                           size_t *count);

/* An iterator: `type` is TRIM_HORIZON, LATEST, or AFTER_SEQUENCE_NUMBER with a number. */
MUST_CHECK struct lambda_source_error lambda_source_iterator(const struct lambda_source *s,
                                                             struct arena *a, const char *shard,
                                                             const char *type, const char *sequence,
                                                             struct span *iterator);

/* The next records (a list), and the iterator behind them (len 0: the shard ends here). */
MUST_CHECK struct lambda_source_error lambda_source_records(const struct lambda_source *s,
                                                            struct arena *a, const char *iterator,
                                                            const wire_node **records,
                                                            struct span *next);

#endif
