/* worlds_core.h: what the source files of the list of worlds share. */
#pragma once

#include "worlds/world_core.h"
#include "worlds/worlds.h"

TAILQ_HEAD(world_list, world);
TAILQ_HEAD(worlds_copy_list, worlds_copy);

enum copy_kind {
    COPY_TAKES,
    COPY_RESTORES,
    COPY_RESETS,
    COPY_MAKES,
    COPY_EXPORTS,
    COPY_LOADS,
    COPY_OPENS
};

/* The worlds with due work, ordered by time. Adding, moving and removing one takes logarithmic
 * time, so that a thousand idle worlds cost nothing. */
struct worlds_order {
    struct world **at; /* a heap; the first index is 1 */
    size_t count, capacity;
};

/* A copy in progress: worlds_copy.h. */
struct worlds_copy {
    TAILQ_ENTRY(worlds_copy) link;
    enum copy_kind kind;
    struct worlds *all;
    struct arena *arena;
    struct world *held;       /* the world that waits for the copy, or NULL */
    struct snapshot snapshot; /* state: what is copied; name: of the result */
    size_t reserved;          /* bytes that the copy will use */
    struct store_copying *copying;
    struct snapshot_writing *writing;
    struct store *taken;            /* in memory, until the snapshot has it */
    struct snapshot_load *load;     /* LOAD: until it has ended */
    struct snapshot_load_all *open; /* of a new or opened world */
    bool opened;                    /* all of these are loaded */
    const char *temporary;
    int fd;
    struct world *made; /* the world that was made or changed */
    bool is_placed;     /* the result must still become durable */
    bool holds_made;    /* a new world waits for that */
    bool is_over;
    bool is_disowned; /* no request waits for it: worlds_idle does its steps, and the next request
                       * that names the world receives its problem */
    const struct problem *problem; /* why it failed; NULL: it has not */
};

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
    struct worlds_order order;
    struct worlds_copy_list copies; /* in progress */
    size_t making; /* copies that make or open worlds that are not in the list yet */
    uint64_t copies_ended;
    size_t held; /* bytes of all worlds */
};

void worlds_order_free(struct worlds_order *o);

/* Sets the world's time in the order; INT64_MAX removes it. */
void worlds_order_set(struct worlds_order *o, struct world *w, int64_t due_ms);

/* Returns the world that is due first, or NULL. */
struct world *worlds_order_first(const struct worlds_order *o);

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

/* The copy that makes or opens a world with this name, or NULL; one in progress comes before one
 * that failed. */
struct worlds_copy *worlds_find_making(const struct worlds *all, struct span name);
/* Does a step of each disowned copy; returns whether none has a step to do now. */
void worlds_copies_idle(struct worlds *all);
bool worlds_copies_are_idle(const struct worlds *all);
