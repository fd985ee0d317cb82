/* awscli_usage.h: the CLI's errors for a command line that it cannot read:
 * PROBLEM_INVALID. */
#pragma once

#include "base/problem.h"

/* "aws: error: …" after the usage. */
MUST_CHECK const struct problem *awscli_usage_error(struct arena *a, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* "Unknown options: …" after the usage. */
MUST_CHECK const struct problem *awscli_usage_unknown(struct arena *a, const char *list);

/* "Error parsing parameter '--key': …" */
MUST_CHECK const struct problem *awscli_usage_value(struct arena *a, const char *option,
                                                    const char *fmt, ...) PRINTF_LIKE(3, 4);
