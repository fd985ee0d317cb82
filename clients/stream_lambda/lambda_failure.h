/* lambda_failure.h: the file of given-up batches: a line of JSON for each, like Lambda's messages
 * to an on-failure destination.
 *
 * Source: "Retain discarded records for a DynamoDB event source", Lambda developer guide. */
#pragma once

#include "stream_lambda/lambda_queue.h"

struct lambda_failure_file;

/* Opens for appending; path NULL: nothing is written. Returns NULL, or why it cannot be opened. */
MUST_CHECK const char *lambda_failure_open(struct arena *a, const char *path,
                                           struct span stream_arn,
                                           struct lambda_failure_file **out);
void lambda_failure_close(struct lambda_failure_file *f); /* f may be NULL */

struct lambda_failure {
    const char *condition; /* RetryAttemptsExhausted, RecordAgeExceeded */
    unsigned calls;        /* of the function, with these records */
    int status;            /* of the last answer; 0: never called */
    const char *shard;
    const struct lambda_record *const *records;
    size_t count; /* at least one */
};

/* Returns NULL, or why it could not be written. */
MUST_CHECK const char *lambda_failure_write(struct lambda_failure_file *f, struct arena *a,
                                            const struct lambda_failure *failure);
