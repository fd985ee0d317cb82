/* awscli_moment.h: times as people write them for the CLI: "2020-01-01", "Jan 1 2020 10 am EST",
 * seconds since 1970.
 *
 * The CLI reads them with Python's dateutil, which accepts nearly everything; this reads the same
 * texts in the same way. Texts with letters or digits beyond ASCII are refused. */
#pragma once

#include "wire/wire_body.h"

/* Reads a text, or a number of seconds, as whole seconds since 1970; false: the CLI refuses it.
 * Missing parts are today's (`now`, in seconds); without a zone it is UTC. */
bool awscli_moment_of(struct arena *a, const wire_node *node, int64_t now, int64_t *seconds);
