/* worlds_at_once.h: worlds are made, reset and copied in one go, which the server does in slices.
 */
#pragma once

#include "worlds/worlds_copy.h"

/* Does all steps of a copy; returns the fault. */
const struct problem *worlds_at_once_run(struct worlds_copy *copy);

/* Like worlds_use. */
const struct problem *worlds_at_once_use(struct arena *a, struct worlds *all, struct span name,
                                         struct world **out);

/* Like worlds_begin_make and worlds_begin_reset, and the steps of their copies. */
const struct problem *worlds_at_once_make(struct arena *a, struct worlds *all, struct span name,
                                          const struct world_state *from, struct world **out);
const struct problem *worlds_at_once_reset(struct arena *a, struct worlds *all, struct world *w);
