/* moving_names.h: the names of existing tables, for a message about an unknown one. */
#pragma once

#include "base/arena.h"

struct moving_names {
    struct span *at; /* in order of arrival, without repeats */
    size_t count;
};

/* Adds a copy of a name, unless it is listed already. */
void moving_names_add(struct arena *a, struct moving_names *n, struct span name);

bool moving_names_have(const struct moving_names *n, struct span name);

/* "there is no table X in WHERE, but A, B and 7 others" */
const char *moving_names_lack(struct arena *a, const struct moving_names *n, struct span name,
                              const char *where);
