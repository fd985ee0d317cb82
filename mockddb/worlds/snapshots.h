/* snapshots.h: the named snapshots of a world. */
#pragma once

#include "base/clock.h"
#include "base/problem.h"
#include "ops/table/table_size.h"

#define SNAPSHOTS_MAX 100 /* of a world */

/* The content of a world, for keeping it or starting another with it. */
struct world_state {
    struct store *store; /* NULL: an empty store, or the one in the world's file */
    struct clock_time time;
};

struct snapshot {
    char *name;
    struct world_state state; /* its own */
    int64_t taken_ms;         /* real time */
    struct table_totals content;
    size_t memory; /* bytes that it uses */
};

/* Only snapshots.c changes it. */
struct snapshots {
    struct snapshot *at; /* by name in byte order */
    size_t count, room;
    size_t memory; /* bytes that they use */
};

struct snapshots *snapshots_new(void);
void snapshots_free(struct snapshots *all); /* all may be NULL */

const struct snapshot *snapshots_find(const struct snapshots *all, struct span name);

/* Whether a snapshot with this name can be kept: it exists already, or there are fewer than the
 * limit. */
MUST_CHECK const struct problem *snapshots_check_room(struct arena *a, const struct snapshots *all,
                                                      struct span name);
/* Keeps a snapshot under this name, and takes over its store; replaces an existing snapshot. There
 * must be room. Name and memory are not read. */
void snapshots_adopt(struct snapshots *all, struct span name, const struct snapshot *taken);
/* Returns false if there is no snapshot with this name. */
bool snapshots_remove(struct snapshots *all, struct span name);
