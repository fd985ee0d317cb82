/* golden_expand.h: shorthands that keep golden files small: long strings, many elements, deep
 * values, and what an earlier reply held. */
#pragma once

#include <cjson/cJSON.h>

/* A copy of `node` with every shorthand replaced; `saved` holds what "$save" kept, by name. The
 * caller frees it. */
cJSON *golden_expand(const cJSON *node, const cJSON *saved);
