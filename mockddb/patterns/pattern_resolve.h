/* pattern_resolve.h: fills values, the table prefix and earlier answers into a request. */
#pragma once

#include "base/option.h"
#include "patterns/pattern_names.h"
#include "patterns/pattern_result.h"

struct pattern_resolve_context {
    const struct option_pair *values;     /* of {name} in a string; the prefix is "prefix" */
    const struct pattern_names *names;    /* of the values, with their indexes */
    const struct pattern_result *earlier; /* the steps whose answers may be referenced */
};

/* The index of values by name; if a name occurs several times, the first one counts. */
const struct pattern_names *pattern_resolve_names(struct arena *a, const struct option_pair *values,
                                                  size_t count);

struct pattern_resolved {
    const wire_node *sent;  /* the request to send */
    const wire_node *shown; /* the same request with placeholders for earlier answers */
};

/* `node` is a request or an expectation. Returns NULL, or which reference cannot be resolved. */
MUST_CHECK const char *pattern_resolve(struct arena *a,
                                       const struct pattern_resolve_context *context,
                                       const wire_node *node, struct pattern_resolved *out);

/* Like pattern_resolve, without a run: references to earlier answers stay unchanged. */
MUST_CHECK const char *pattern_resolve_form(struct arena *a,
                                            const struct pattern_resolve_context *context,
                                            const wire_node *node, const wire_node **out);
