/* ddb_patterns_resolve.h: fills values, table prefix and earlier answers into a request. */
#ifndef DDB_PATTERNS_RESOLVE_H
#define DDB_PATTERNS_RESOLVE_H

#include "ddb_patterns_result.h"

/* What {name} in a string stands for. */
struct pattern_value {
    const char *name;
    struct span value;
};

struct resolve_context {
    const struct pattern_value *values; /* the prefix is the one named "prefix" */
    size_t value_count;
    const struct pattern_result *earlier; /* the steps whose answers may be referred to */
};

struct resolved {
    const wire_node *sent;  /* to run with */
    const wire_node *shown; /* the same with placeholders where an earlier answer is used */
};

/* `node` is a request or an expectation. Returns NULL, or which reference leads nowhere. */
MUST_CHECK const char *resolve(struct arena *a, const struct resolve_context *context,
                               const wire_node *node, struct resolved *out);

#endif
