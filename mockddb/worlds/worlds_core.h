/* worlds_core.h: what the sources of the list of worlds share. */
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
    struct explanations *explanations; /* NULL until there are some */
    struct world *first;
    struct world *startup, *empty; /* templates; NULL: not needed yet */
    struct world **at;             /* all, by name in byte order */
    size_t count, capacity;
    struct world_list used;          /* all but the first, in the order of their last use */
    struct world_list turn;          /* those of this turn */
    struct world_list gone, leaving; /* dropped in this turn, and in the one before */
    struct world_order order;
    struct worlds_copy_list copies; /* on their way */
    size_t making; /* of these, how many make worlds that are not in the list yet */
    uint64_t copies_ended;
    size_t held; /* bytes, of all */
};

/* When the world's next step is due may have changed. */
void worlds_note_due(struct worlds *all, struct world *w);

/* Whether there may be one more world; whether there is memory for what is made. */
MUST_CHECK const struct world_fault *worlds_check_room(struct arena *a, const struct worlds *all);
MUST_CHECK const struct world_fault *worlds_check_memory(struct arena *a, const struct worlds *all);

/* What a new world begins with, or the world after a reset. */
MUST_CHECK const struct world_fault *worlds_find_template(struct arena *a, struct worlds *all,
                                                          const struct world *w,
                                                          struct world_state *out);
/* How the store of a world of that name is opened. In a folder it is called by the world's name. */
struct store_options worlds_store_options(struct arena *a, const struct worlds *all,
                                          struct span name);

/* The world of that name joins the list; it begins with the state, whose store it takes over. With
 * no store it is in a file that has been written. */
MUST_CHECK const struct world_fault *worlds_open(struct arena *a, struct worlds *all,
                                                 struct span name, const struct world_state *from,
                                                 struct world **out);
/* Why there cannot be a new world of that name; NULL: there can. */
MUST_CHECK const struct world_fault *worlds_check_new(struct arena *a, const struct worlds *all,
                                                      struct span name);
/* The world is as a new one: it gets the rules that each begins with. */
MUST_CHECK const struct world_fault *worlds_begin(struct arena *a, struct worlds *all,
                                                  struct world *w);

#endif
