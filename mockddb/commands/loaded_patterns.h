/* loaded_patterns.h: the access patterns of a server's start: from --patterns, and from the
 * fixtures. */
#pragma once

#include "admin/admin.h"
#include "base/option.h"

struct loaded_patterns_options {
    struct option_texts paths;
    struct option_texts fixtures; /* names or folders */
    const char *table_prefix;
};

/* Everything lives in the arena. */
MUST_CHECK const struct problem *loaded_patterns_read(struct arena *a,
                                                      const struct loaded_patterns_options *options,
                                                      struct admin_patterns *out);
