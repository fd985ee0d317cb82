/* loaded_patterns.h: the access patterns of a server's start: from --patterns, and from the
 * fixtures. */
#ifndef COMMANDS_LOADED_PATTERNS_H
#define COMMANDS_LOADED_PATTERNS_H

#include "admin/admin.h"

struct loaded_patterns_options {
    const char *const *paths;
    size_t path_count;
    const char *const *fixtures; /* names or folders */
    size_t fixture_count;
    const char *table_prefix;
};

/* Everything lives in the arena. Returns NULL, or what is wrong. */
const char *loaded_patterns_read(struct arena *a, const struct loaded_patterns_options *options,
                                 struct admin_patterns *out);

#endif
