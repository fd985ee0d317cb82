/* lambda_source.h: reads the stream from the service. */
#pragma once

#include "client/client.h"

struct lambda_source {
    struct client *client;
    struct span arn;
};

/* Why a request failed. */
struct lambda_source_error {
    const char *text;       /* NULL: it succeeded */
    struct span error_type; /* the service's error; len 0: no answer */
};

/* Finds the ARN of a table's newest stream. */
MUST_CHECK struct lambda_source_error lambda_source_find(struct client *client, struct arena *a,
                                                         const char *table, struct span *arn);

struct lambda_source_shard {
    struct span id;
    struct span parent; /* len 0: no parent */
    bool closed;        /* no records will be added */
};

/* Lists all shards of the stream. */
MUST_CHECK struct lambda_source_error lambda_source_shards(const struct lambda_source *s,
                                                           struct arena *a,
                                                           struct lambda_source_shard **shards,
                                                           size_t *count);

/* Gets an iterator: `type` is TRIM_HORIZON, LATEST, or AFTER_SEQUENCE_NUMBER with a number. */
MUST_CHECK struct lambda_source_error lambda_source_iterator(const struct lambda_source *s,
                                                             struct arena *a, const char *shard,
                                                             const char *type, const char *sequence,
                                                             struct span *iterator);

/* Gets the next records (a list), and the following iterator (len 0: the end of the shard). */
MUST_CHECK struct lambda_source_error lambda_source_records(const struct lambda_source *s,
                                                            struct arena *a, const char *iterator,
                                                            const wire_node **records,
                                                            struct span *next);
