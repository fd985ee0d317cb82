/* world_past.h: what a world's journal says about a read that is being explained. */
#pragma once

#include "explain/inquiry.h"
#include "worlds/world.h"

struct world_past {
    struct explain_past past; /* first; for explain_context */
    const struct world *world;
};

struct world_past world_past_of(const struct world *w);
