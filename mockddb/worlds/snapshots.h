/* snapshots.h: the named snapshots of a world. */
#ifndef WORLDS_SNAPSHOTS_H
#define WORLDS_SNAPSHOTS_H

#include "base/problem.h"
#include "ops/table/table_size.h"
#include "worlds/world_state.h"

#define SNAPSHOTS_MAX 100 /* of a world */

struct snapshots;

struct snapshot {
    char *name;
    struct world_state state; /* its own */
    int64_t taken_ms;         /* real time */
    struct table_totals content;
    size_t memory; /* bytes that it uses */
};

struct snapshots *snapshots_new(void);
void snapshots_free(struct snapshots *all); /* all may be NULL */

/* By name in byte order. */
size_t snapshots_count(const struct snapshots *all);
const struct snapshot *snapshots_at(const struct snapshots *all, size_t i);
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

/* Bytes of memory that they use. */
size_t snapshots_memory(const struct snapshots *all);

#endif
