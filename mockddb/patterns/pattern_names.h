/* pattern_names.h: a hash table from names to numbers, without constructible collisions. */
#pragma once

#include "base/arena.h"

struct pattern_names;

/* Makes a table for at most `max_names` names, which are borrowed. */
struct pattern_names *pattern_names_new(struct arena *a, size_t max_names);

/* False if the name exists already: it keeps its number. */
bool pattern_names_add(struct pattern_names *n, struct span name, size_t number);

/* Sets *number if the name exists; false otherwise, or if n is NULL. */
bool pattern_names_find(const struct pattern_names *n, struct span name, size_t *number);
bool pattern_names_has(const struct pattern_names *n, struct span name);
