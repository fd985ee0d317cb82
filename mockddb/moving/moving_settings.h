/* moving_settings.h: what a table has besides its description: what is carried, and what is not. */
#ifndef MOVING_MOVING_SETTINGS_H
#define MOVING_MOVING_SETTINGS_H

#include "moving/moving_door.h"

struct moving_settings {
    struct span tags;  /* a JSON list, for CreateTable; empty: there are none */
    struct span lacks; /* "a resource policy, point-in-time recovery": a copy has none of these */
};

/* Asks for them; `table` is DescribeTable's. What a server does not know, its tables do not have;
 * what it does not let us see is named as that. Returns NULL, or why there is no answer. */
MUST_CHECK const char *moving_settings_read(struct arena *a, struct moving_door *door,
                                            const wire_node *table, struct moving_settings *out);

#endif
