/* awscli_refusal.h: errors of the CLI itself, before anything is sent. */
#ifndef AWSCLI_AWSCLI_REFUSAL_H
#define AWSCLI_AWSCLI_REFUSAL_H

#include "base/arena.h"

enum awscli_status {
    AWSCLI_MISUSE = 252,  /* the command was not understood */
    AWSCLI_REFUSED = 254, /* the service answered with an error */
    AWSCLI_FAILED = 255,  /* anything else */
};

struct awscli_refusal {
    const char *text; /* for standard error, without the empty line before it */
    int status;       /* the exit status */
    const char *why;  /* the probable mistake in the command line; NULL: unknown */
};

MUST_CHECK const struct awscli_refusal *awscli_refusal_new(struct arena *a, int status,
                                                           const char *fmt, ...) PRINTF_LIKE(3, 4);

/* A copy with another `why`. */
const struct awscli_refusal *awscli_refusal_because(struct arena *a, const struct awscli_refusal *r,
                                                    const char *why);

/* "Error parsing parameter '--key': …" */
MUST_CHECK const struct awscli_refusal *awscli_refusal_of_value(struct arena *a, const char *option,
                                                                const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif
