/* awscli_value.h: what stands behind an option, as JSON. */
#ifndef AWSCLI_AWSCLI_VALUE_H
#define AWSCLI_AWSCLI_VALUE_H

#include "awscli/awscli_file.h"
#include "awscli/awscli_refusal.h"
#include "awscli/awscli_shape.h"
#include "base/buf.h"

/* Appends what the words of an option, up to a NULL, stand for. */
MUST_CHECK const struct awscli_refusal *awscli_value_add(struct buf *out, enum awscli_files files,
                                                         const char *option,
                                                         const struct wire_shape *shape,
                                                         const char *const *words);

/* An object that is given as JSON, or as a file of it; NULL and a refusal where it is none. */
MUST_CHECK const struct awscli_refusal *awscli_value_object(struct arena *a,
                                                            enum awscli_files files,
                                                            const char *option, const char *value,
                                                            const wire_node **out);

#endif
