/* world_state.h: the content of a world, for keeping it or starting another with it. */
#ifndef WORLDS_WORLD_STATE_H
#define WORLDS_WORLD_STATE_H

#include "base/clock.h"
#include "store/store.h"

struct world_state {
    struct store *store; /* NULL: an empty store, or the one in the world's file */
    struct clock_time time;
};

#endif
