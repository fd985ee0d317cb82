/* awscli_check.h: the CLI's own checks of a request: names, types and lower bounds. */
#ifndef AWSCLI_AWSCLI_CHECK_H
#define AWSCLI_AWSCLI_CHECK_H

#include "awscli/awscli_shape.h"
#include "base/problem.h"

/* "Parameter validation failed: …", or NULL. */
MUST_CHECK const struct problem *awscli_check(struct arena *a, const struct op *op,
                                              const wire_node *request);

#endif
