/* awscli_usage.h: the CLI's errors for a command line that it cannot read. */
#ifndef AWSCLI_AWSCLI_USAGE_H
#define AWSCLI_AWSCLI_USAGE_H

#include "awscli/awscli_refusal.h"

/* "aws: error: …" after the usage. */
MUST_CHECK const struct awscli_refusal *awscli_usage_error(struct arena *a, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* "Unknown options: …" after the usage. */
MUST_CHECK const struct awscli_refusal *awscli_usage_unknown(struct arena *a, const char *list);

#endif
