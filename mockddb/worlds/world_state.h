/* world_state.h: all that is in a world, to keep it or to begin another with. */
#ifndef WORLDS_WORLD_STATE_H
#define WORLDS_WORLD_STATE_H

#include "base/clock.h"
#include "store/store.h"

struct world_state {
    struct store *store; /* NULL: an empty one, or what the world's file has */
    struct clock_time time;
};

#endif
