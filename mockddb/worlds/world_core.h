/* world_core.h: what the sources of the worlds share. */
#ifndef WORLDS_WORLD_CORE_H
#define WORLDS_WORLD_CORE_H

#include "worlds/snapshots.h"
#include "worlds/world.h"

#include <sys/queue.h>

/* What `worlds` knows of each of its worlds. */
struct world_place {
    TAILQ_ENTRY(world) used_link; /* in the order of their last use */
    TAILQ_ENTRY(world) turn_link; /* of those that were used in this turn; or of those that go */
    bool in_turn;
    int64_t used_ms; /* as the server's steady clock counts */
    size_t memory;   /* as it was counted last */
    int64_t due_ms;  /* when its next step is due, as the steady clock counts, … */
    size_t due_at;   /* … and its place, from 1 on, among those that have one; 0: it has none */
};

struct world {
    char *name;
    char *path; /* of its store; NULL: in memory */
    struct store_options options;
    struct settings settings;
    struct clock *clock;
    struct store *store;
    struct dispatcher *dispatcher;
    struct faults *faults;
    struct throttle *throttle;
    struct throttle_rules first_throttle; /* when it begins */
    struct journal *journal;
    bool journal_on;
    struct metrics *metrics;
    struct metering *metering;
    bool metering_on;
    struct snapshots *snapshots;
    bool lost;
    bool broken; /* the file could not be had again: its requests fail */
    int holders;
    int copies; /* that are made of it, or one that will replace it */
    bool advancing;
    int64_t arrival_ms; /* of a clock that is being advanced */
    struct world_place place;
};

/* Frees all but what its replies of this turn still ask for. */
void world_close(struct world *w);

/* Why it is neither dropped nor replaced, where it is held. */
MUST_CHECK const struct world_fault *world_busy(struct arena *a, const struct world *w);

#endif
