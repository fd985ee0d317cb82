/* awscli_value.h: converts the values of an option to JSON. */
#pragma once

#include "awscli/awscli_file.h"
#include "awscli/awscli_shape.h"
#include "base/problem.h"

/* Appends the value of an option, given its words up to a NULL. */
MUST_CHECK const struct problem *awscli_value_add(struct buf *out, enum awscli_files files,
                                                  const char *option,
                                                  const struct wire_shape *shape,
                                                  const char *const *words);

/* Reads an object given as JSON or as a file of it; NULL and a problem if it is not one. */
MUST_CHECK const struct problem *awscli_value_object(struct arena *a, enum awscli_files files,
                                                     const char *option, const char *value,
                                                     const wire_node **out);
