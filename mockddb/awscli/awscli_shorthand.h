/* awscli_shorthand.h: the CLI's shorthand syntax: AttributeName=pk,AttributeType=S. */
#pragma once

#include "awscli/awscli_file.h"
#include "awscli/awscli_shape.h"
#include "base/problem.h"

/* Appends the value of `option` as JSON, its parts in the types of the shape. */
MUST_CHECK const struct problem *awscli_shorthand_add(struct buf *out, enum awscli_files files,
                                                      const char *option,
                                                      const struct wire_shape *shape,
                                                      const char *text);

/* Appends a number as JSON, as Python's int() reads it; false if it is not a number. */
MUST_CHECK bool awscli_shorthand_integer(struct buf *out, struct span text);
