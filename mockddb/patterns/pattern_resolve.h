/* pattern_resolve.h: fills values, table prefix and earlier answers into a request. */
#ifndef PATTERNS_PATTERN_RESOLVE_H
#define PATTERNS_PATTERN_RESOLVE_H

#include "patterns/pattern_names.h"
#include "patterns/pattern_result.h"

/* What {name} in a string stands for. */
struct pattern_value {
    const char *name;
    struct span value;
};

struct pattern_resolve_context {
    const struct pattern_value *values;   /* the prefix is the one named "prefix" */
    const struct pattern_names *names;    /* of the values, with their numbers */
    const struct pattern_result *earlier; /* the steps whose answers may be referred to */
};

/* The values by name: of those that have one name the first counts. */
const struct pattern_names *pattern_resolve_names(struct arena *a,
                                                  const struct pattern_value *values, size_t count);

struct pattern_resolved {
    const wire_node *sent;  /* to run with */
    const wire_node *shown; /* the same with placeholders where an earlier answer is used */
};

/* `node` is a request or an expectation. Returns NULL, or which reference leads nowhere. */
MUST_CHECK const char *pattern_resolve(struct arena *a,
                                       const struct pattern_resolve_context *context,
                                       const wire_node *node, struct pattern_resolved *out);

/* The same where nothing was run: references to earlier answers stay as they are. */
MUST_CHECK const char *pattern_resolve_form(struct arena *a,
                                            const struct pattern_resolve_context *context,
                                            const wire_node *node, const wire_node **out);

#endif
