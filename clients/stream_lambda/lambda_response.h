/* lambda_response.h: interprets a function's answer to a batch.
 *
 * Source: "Configuring partial batch response with DynamoDB and Lambda", Lambda developer guide. */
#pragma once

#include "stream_lambda/lambda_queue.h"

/* Reads {"batchItemFailures": [{"itemIdentifier": SEQUENCE_NUMBER}, …]}, the answer to a piece of
 * `count` records. *failed is the first record that failed, or `count` if none did: an empty
 * answer, null, {}, an empty list. Returns NULL, or why the whole piece counts as failed: an
 * identifier that is empty, missing or unknown, or any other answer. */
const char *lambda_response_read(struct arena *a, struct span response,
                                 const struct lambda_record *const *records, size_t count,
                                 size_t *failed);

/* Whether the answer is a runtime's error object (errorMessage, errorType); *message is its
 * text. */
bool lambda_response_is_error(struct arena *a, struct span response, const char **message);
