/* moving_names.h: the names of tables that there are, for whoever asked for another one. */
#ifndef MOVING_MOVING_NAMES_H
#define MOVING_MOVING_NAMES_H

#include "base/arena.h"

struct moving_names {
    struct span *at; /* in the order in which they came, each once */
    size_t count;
};

/* A name, which is copied; again is as once. */
void moving_names_add(struct arena *a, struct moving_names *n, struct span name);

bool moving_names_have(const struct moving_names *n, struct span name);

/* "there is no table X in WHERE, but A, B and 7 others" */
const char *moving_names_lack(struct arena *a, const struct moving_names *n, struct span name,
                              const char *where);

#endif
