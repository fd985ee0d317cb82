/* worlds_core.h: what the source files of the list of worlds share. */
#ifndef WORLDS_WORLDS_CORE_H
#define WORLDS_WORLDS_CORE_H

#include "worlds/world_order.h"
#include "worlds/worlds.h"

TAILQ_HEAD(world_list, world);
TAILQ_HEAD(worlds_copy_list, worlds_copy);

struct worlds {
    struct worlds_options options;
    struct clock *clock; /* the real time */
    struct dispatch_memory *memory;
    struct explanations *explanations; /* NULL until the first use */
    struct world *first;
    struct world *startup, *empty; /* templates; NULL until the first use */
    struct world **at;             /* all worlds, by name in byte order */
    size_t count, capacity;
    struct world_list used;          /* all but the first, ordered by last use */
    struct world_list turn;          /* the worlds used in this turn */
    struct world_list gone, leaving; /* dropped in this turn, and in the one before */
    struct world_order order;
    struct worlds_copy_list copies; /* in progress */
    size_t making; /* copies that make or open worlds that are not in the list yet */
    uint64_t copies_ended;
    size_t held; /* bytes of all worlds */
};

/* Milliseconds on the server's monotonic clock. */
int64_t worlds_steady_ms(const struct worlds *all);
/* The world's next due time may have changed; its memory may have. */
void worlds_note_due(struct worlds *all, struct world *w);
void worlds_weigh(struct worlds *all, struct world *w);
/* The world is not flushed at the end of the turn. */
void worlds_leave_turn(struct worlds *all, struct world *w);
void worlds_free_list(struct world_list *list);

/* Takes the world out of the list. Replies of this turn may still call world_lost, so that part
 * stays. */
void worlds_close(struct worlds *all, struct world *w);

/* Whether there may be another world; whether there is memory for a copy. */
MUST_CHECK const struct problem *worlds_check_room(struct arena *a, const struct worlds *all);
MUST_CHECK const struct problem *worlds_check_memory(struct arena *a, const struct worlds *all);

/* The initial state of a new world, or of the world after a reset. */
MUST_CHECK const struct problem *worlds_find_template(struct arena *a, struct worlds *all,
                                                      const struct world *w,
                                                      struct world_state *out);
/* How the store of a world with this name is opened. In a folder, the file has the world's name. */
struct store_options worlds_store_options(struct arena *a, const struct worlds *all,
                                          struct span name);

/* Adds a world with this name to the list; it begins with the state and the snapshots, and
 * takes them over. Without a store, it is in a file that was written. */
MUST_CHECK const struct problem *worlds_open(struct arena *a, struct worlds *all, struct span name,
                                             const struct world_state *from,
                                             struct snapshots *snapshots, struct world **out);
/* Why a world with this name cannot be made; NULL: it can. */
MUST_CHECK const struct problem *worlds_check_new(struct arena *a, const struct worlds *all,
                                                  struct span name);
/* Gives a new or reset world its initial fault rules. */
MUST_CHECK const struct problem *worlds_begin(struct arena *a, struct worlds *all, struct world *w);

#endif
