/* pattern_names.h: names that have numbers, found by a hash that nobody can aim at. */
#ifndef PATTERNS_PATTERN_NAMES_H
#define PATTERNS_PATTERN_NAMES_H

#include "base/arena.h"

struct pattern_names;

/* Room for so many; what is added is borrowed. */
struct pattern_names *pattern_names_new(struct arena *a, size_t most);

/* False where the name is there already: it keeps its number. */
bool pattern_names_add(struct pattern_names *n, struct span name, size_t number);

/* Sets *number where the name is there; n may be NULL, and then none is. */
bool pattern_names_find(const struct pattern_names *n, struct span name, size_t *number);
bool pattern_names_has(const struct pattern_names *n, struct span name);

#endif
