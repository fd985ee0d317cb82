/* lambda_filter.h: filter patterns of event source mappings.
 *
 * A pattern is a JSON object with the record's structure; its leaves are arrays of allowed values.
 * Operators: exact values, prefix, suffix, equals-ignore-case, anything-but, numeric, exists, and
 * $or between patterns. Source: "Control which events Lambda sends to your function", Lambda
 * developer guide; docs/stream-lambda.md. */
#pragma once

#include "wire/wire_body.h"

#define LAMBDA_FILTERS_MAX 10

struct lambda_filter {
    const wire_node *pattern;
};

/* Parses a pattern; the tree lives in the arena. Returns NULL, or what is wrong with it. */
MUST_CHECK const char *lambda_filter_read(struct arena *a, struct span text,
                                          struct lambda_filter *out);

/* Whether a record, in the form that the function receives, matches at least one of the filters.
 * Without filters, every record does. */
bool lambda_filter_any_matches(const struct lambda_filter *filters, size_t count,
                               const wire_node *record);

/* Returns why a valid pattern matches no record, or NULL if it may match. Does not look inside
 * $or. */
const char *lambda_filter_doubt(struct arena *a, const struct lambda_filter *filter);
