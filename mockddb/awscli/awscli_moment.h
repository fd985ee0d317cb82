/* awscli_moment.h: points in time as people write them for the CLI: "2020-01-01", "Jan 1 2020 10 am
 * EST", seconds since 1970.
 *
 * The CLI reads them with Python's dateutil, which takes nearly everything; this reads the same
 * texts in the same way. Texts with letters or digits beyond ASCII are refused. */
#ifndef AWSCLI_AWSCLI_MOMENT_H
#define AWSCLI_AWSCLI_MOMENT_H

#include "wire/wire_body.h"

/* A text, or a number of seconds, in whole seconds since 1970, as the CLI sends it; false: the CLI
 * refuses it. What a text leaves out is today's (`now`, in seconds); without a zone it is UTC. */
bool awscli_moment_of(struct arena *a, const wire_node *node, int64_t now, int64_t *seconds);

#endif
