/* lambda_filter.h: filter patterns, as an event source mapping has them.
 *
 * A pattern is a JSON object of the record's shape; its leaves are arrays of what the value there
 * may be. Operators: exact values, prefix, suffix, equals-ignore-case, anything-but, numeric,
 * exists, and $or between patterns. Source: "Control which events Lambda sends to your function",
 * Lambda developer guide; docs/stream-lambda.md. */
#ifndef STREAM_LAMBDA_LAMBDA_FILTER_H
#define STREAM_LAMBDA_LAMBDA_FILTER_H

#include "wire/wire_body.h"

#define LAMBDA_FILTERS_MAX 10

struct lambda_filter {
    const wire_node *pattern;
};

/* Reads one pattern; the tree is the arena's. Returns NULL, or what is wrong with it. */
MUST_CHECK const char *lambda_filter_read(struct arena *a, struct span text,
                                          struct lambda_filter *out);

/* Whether a record, in the form in which the function gets it, passes at least one of them; without
 * any, everything does. */
bool lambda_filter_any_matches(const struct lambda_filter *filters, size_t count,
                               const wire_node *record);

#endif
