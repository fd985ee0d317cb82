/* world_core.h: what the source files of worlds share. */
#pragma once

#include "worlds/world.h"

#include <sys/queue.h>

/* The part of a world that `worlds` manages. */
struct world_place {
    TAILQ_ENTRY(world) used_link; /* in the order of last use */
    TAILQ_ENTRY(world) turn_link; /* among the worlds used in this turn, or the dropped ones */
    bool in_turn;
    int64_t used_ms; /* last use, on the server's monotonic clock */
    size_t memory;   /* at the last count */
    int64_t due_ms;  /* when its next step is due, on the monotonic clock, … */
    size_t due_at;   /* … and its index, from 1, in the order of due worlds; 0: not in it */
};

struct world {
    char *name;
    char *path;   /* of its store; NULL: in memory */
    char *origin; /* the name of the world that it was copied from; NULL: none, or not known */
    struct store_options options;
    struct settings settings;
    struct clock *clock;
    struct store *store;
    struct dispatcher *dispatcher;
    struct faults *faults;
    struct throttle *throttle;
    struct throttle_rules first_throttle; /* the initial rules */
    struct journal *journal;
    bool is_observed; /* by the journal and the metering */
    struct metrics *metrics;
    struct metering *metering;
    struct snapshots *snapshots;
    bool lost;
    bool broken; /* the file could not be reopened: its requests fail */
    int holders;
    int copies; /* copies of it, or one that will replace it, in progress */
    bool advancing;
    int64_t arrival_ms; /* where an advancing clock stops */
    struct world_place place;
};

/* Frees everything but what this turn's replies still need. */
void world_close(struct world *w);

/* Notes that the world is a copy of `of`, or of none. */
void world_set_origin(struct world *w, const struct world *of);

/* The world takes over its snapshots; it has none yet. */
void world_adopt_snapshots(struct world *w, struct snapshots *snapshots);

/* Why the world cannot be dropped or replaced, if it is held. */
MUST_CHECK const struct problem *world_busy(struct arena *a, const struct world *w);
