/* setup_patterns.h: the access patterns of a server's start: from --patterns, and from the
 * fixtures. */
#pragma once

#include "admin/admin.h"
#include "moving/moving_fixtures.h"

/* Reads these files, and those of the fixtures. Everything lives in the arena. */
MUST_CHECK const struct problem *setup_patterns_read(struct arena *a,
                                                     const struct option_texts *paths,
                                                     const struct moving_fixtures *fixtures,
                                                     struct admin_patterns *out);
