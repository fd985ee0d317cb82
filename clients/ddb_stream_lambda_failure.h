/* ddb_stream_lambda_failure.h: the file of batches that were given up, a line of JSON for each, in
 * the form of what Lambda sends to an on-failure destination.
 *
 * Source: "Retain discarded records for a DynamoDB event source", Lambda developer guide. */
#ifndef DDB_STREAM_LAMBDA_FAILURE_H
#define DDB_STREAM_LAMBDA_FAILURE_H

#include "ddb_stream_lambda_queue.h"

struct failure_file;

/* Opens for appending; path NULL: nothing is written. Returns NULL, or why it cannot be opened. */
MUST_CHECK const char *failure_open(struct arena *a, const char *path, struct span stream_arn,
                                    struct failure_file **out);
void failure_close(struct failure_file *f); /* f may be NULL */

struct failure {
    const char *condition; /* RetryAttemptsExhausted, RecordAgeExceeded */
    unsigned calls;        /* of the function, with these records */
    int status;            /* of its answer; 0: it was never called */
    const char *shard;
    const struct record *const *records;
    size_t count; /* at least one */
};

/* Returns NULL, or why it could not be written. */
MUST_CHECK const char *failure_write(struct failure_file *f, struct arena *a,
                                     const struct failure *failure);

#endif
