/* throttle_error.h: the errors of throttled requests, and their reasons.
 *
 * A reason is {Table, Index} × {Read, Write} × a cause, with the ARN of the table or index. Source:
 * API reference, ThrottlingReason; docs/throttling.md. */
#pragma once

#include "ops/op.h"

/* "The level of configured provisioned throughput for the table was exceeded. …", and the message
 * of on-demand tables. */
extern const char throttle_error_exceeded[];
extern const char throttle_error_busy[];

enum throttle_cause {
    THROTTLE_PROVISIONED,
    THROTTLE_ACCOUNT,
    THROTTLE_KEY_RANGE,
    THROTTLE_MAX_ON_DEMAND,
    THROTTLE_CAUSE_COUNT
};

struct throttle_reason {
    struct span name;     /* "TableReadProvisionedThroughputExceeded" */
    struct span resource; /* an ARN; empty: absent */
};

/* Makes the name of a reason, in the arena. */
struct span throttle_error_reason(struct arena *a, bool of_index, bool writes,
                                  enum throttle_cause cause);

/* Whether a text is the name of one of the 16 reasons, and whether a reason is about an index. */
bool throttle_error_is_reason(struct span name);
bool throttle_error_is_of_index(struct span name);

/* Whether errors of the kind have reasons; *usual is the default cause. */
bool throttle_error_has_reasons(enum error_kind kind, enum throttle_cause *usual);

/* Makes the error with one or more reasons; the first one decides the message. */
MUST_CHECK const struct error *throttle_error(struct arena *a, enum error_kind kind,
                                              const struct throttle_reason *reasons, size_t count);

/* Whether `e`, which may be NULL, is an error of throttling. */
bool throttle_error_is_one(const struct error *e);

/* The kind of the service's error for this cause and billing mode. */
enum error_kind throttle_error_kind(enum throttle_cause cause, bool on_demand);
