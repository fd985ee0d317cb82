/* awscli_check.h: the CLI's own checks of a request (names, types and lower bounds), and how it
 * sends one. */
#pragma once

#include "awscli/awscli_shape.h"
#include "base/problem.h"

/* "Parameter validation failed: …", or NULL. */
MUST_CHECK const struct problem *awscli_check(struct arena *a, const struct op *op,
                                              const wire_node *request);

/* Appends the request, which awscli_check has accepted, with its timestamps as whole seconds since
 * 1970, in whatever form they were given. */
void awscli_check_send(struct buf *out, const struct op *op, const wire_node *request);
