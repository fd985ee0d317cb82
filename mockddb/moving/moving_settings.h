/* moving_settings.h: settings outside a table's description: those that are copied, and those that
 * are not. */
#ifndef MOVING_MOVING_SETTINGS_H
#define MOVING_MOVING_SETTINGS_H

#include "client/client.h"

struct moving_settings {
    struct span tags;  /* a JSON list for CreateTable; empty: no tags */
    struct span lacks; /* "a resource policy, point-in-time recovery": settings that a copy lacks */
};

/* Reads the settings; `table` is DescribeTable's. An operation that the server does not know counts
 * as no setting; a setting that may not be read is listed as possible. Returns NULL, or why there
 * is no answer. */
MUST_CHECK const char *moving_settings_read(struct arena *a, struct client *client,
                                            const wire_node *table, struct moving_settings *out);

#endif
