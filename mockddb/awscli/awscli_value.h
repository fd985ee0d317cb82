/* awscli_value.h: what stands behind an option, as JSON. */
#ifndef AWSCLI_AWSCLI_VALUE_H
#define AWSCLI_AWSCLI_VALUE_H

#include "awscli/awscli_refusal.h"
#include "awscli/awscli_shape.h"
#include "base/buf.h"

/* Whether the value names a file whose contents are meant. */
bool awscli_value_is_file(const char *value);

/* The value, or the contents of the file that it names (file://, fileb://). */
MUST_CHECK const struct awscli_refusal *awscli_value_load(struct arena *a, const char *option,
                                                          const char *value, const char **out);

/* Appends what the words of an option, up to a NULL, stand for. */
MUST_CHECK const struct awscli_refusal *awscli_value_add(struct buf *out, const char *option,
                                                         const struct wire_shape *shape,
                                                         const char *const *words);

/* An object that is given as JSON; NULL and a refusal where it is none. */
MUST_CHECK const struct awscli_refusal *
awscli_value_object(struct arena *a, const char *option, const char *text, const wire_node **out);

#endif
