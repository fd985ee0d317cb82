/* worlds.h: the worlds of a server: which one a request means, how they come and go, the turn's
 * flush, work between requests.
 *
 * The first world is there from the beginning to the end. Others are made when they are named first
 * and begin as a copy of the template, which is made once, when it is needed. What is not in use
 * costs its memory and nothing else. */
#ifndef WORLDS_WORLDS_H
#define WORLDS_WORLDS_H

#include "explain/explanations.h"
#include "worlds/snapshots.h"
#include "worlds/world.h"
#include "worlds/world_files.h"

#define WORLDS_MAX        1000              /* without another figure */
#define WORLDS_MAX_MEMORY ((size_t)4 << 30) /* bytes, without another figure */

struct worlds;

/* What a new world begins with. */
enum worlds_template {
    WORLDS_STARTUP,  /* what the server fills the first one with, which may be nothing */
    WORLDS_EMPTY,    /* nothing */
    WORLDS_SNAPSHOT, /* a snapshot of the first world */
};

struct worlds_options {
    struct world_options first; /* others have its settings */
    struct clock_time start;    /* of their clocks, unless the first one's is given */
    /* Fills a world as the server's start does. NULL, or what is wrong. May be NULL: with nothing.
     */
    const char *(*fill)(void *data, struct arena *a, struct world *w);
    void *fill_data;
    /* Says what goes on in a world from its beginning on, besides what it holds: fault rules. NULL,
     * or what is wrong. May be NULL: nothing. */
    const char *(*begin)(void *data, struct arena *a, struct world *w);
    void *begin_data;
    enum worlds_template template;
    struct span snapshot; /* its name, with WORLDS_SNAPSHOT */
    size_t max_count;     /* 0: WORLDS_MAX */
    size_t max_memory;    /* from here on there are no new worlds and snapshots; 0: the default */
    int64_t idle_ms;      /* after which one that is not used is dropped; 0: never */
    /* Where worlds and snapshots are kept in files; NULL: in memory. One that is not used for a
     * while is closed then, not dropped. The first one's file is in its store's options. */
    const char *folder;
};

/* NULL, and *problem one clear sentence in the arena, where the first world's store cannot be
 * opened. What the options point to must outlive the worlds. The first world is not filled yet. */
struct worlds *worlds_new(struct arena *a, const struct worlds_options *options,
                          const char **problem);
void worlds_free(struct worlds *all); /* all may be NULL */

/* The memory that all worlds work in, for dispatch_hold_reply. */
struct dispatch_memory *worlds_memory(const struct worlds *all);

/* The explanations of all worlds; made on first use. */
struct explanations *worlds_explanations(struct worlds *all);

/* --- which one -------------------------------------------------------------------------------- */

/* The world of requests that name none; its name is WORLD_FIRST. */
struct world *worlds_first(const struct worlds *all);

/* The world of that name, or NULL. */
struct world *worlds_find(const struct worlds *all, struct span name);

/* The same; one that is in its file alone is opened. */
MUST_CHECK const struct world_fault *worlds_seek(struct arena *a, struct worlds *all,
                                                 struct span name, struct world **out);

/* Names of those that are in their files alone. */
void worlds_closed(struct arena *a, const struct worlds *all, struct world_files_list *out);

/* The world of that name, which is made if there is none. Where that takes long there is a fault,
 * WORLD_WAITS, and the making continues in worlds_idle, unless it is to be done `now`. */
MUST_CHECK const struct world_fault *worlds_use(struct arena *a, struct worlds *all,
                                                struct span name, bool now, struct world **out);

/* How many copies (worlds_copy.h) have ended: after WORLD_WAITS it is worth asking again when the
 * number has changed. */
uint64_t worlds_copies_ended(const struct worlds *all);

/* Something was done in the world: it is flushed at the end of the turn, what falls due in it is
 * looked for anew, and its life begins anew. */
void worlds_touch(struct worlds *all, struct world *w);

/* All of them, by name in byte order. */
size_t worlds_count(const struct worlds *all);
struct world *worlds_at(const struct worlds *all, size_t i);
/* When it was used last, in milliseconds of real time. */
int64_t worlds_used_ms(const struct worlds *all, const struct world *w);

/* --- making and dropping ---------------------------------------------------------------------- */

/* A new world that begins with `from`; NULL: with the template. In slices: worlds_copy.h. */
MUST_CHECK const struct world_fault *worlds_make(struct arena *a, struct worlds *all,
                                                 struct span name, const struct world_state *from,
                                                 struct world **out);

/* Drops a world other than the first. */
MUST_CHECK const struct world_fault *worlds_drop(struct arena *a, struct worlds *all,
                                                 struct world *w);

/* Begins the first world, once it is filled. NULL, or what is wrong. */
const char *worlds_begin_first(struct arena *a, struct worlds *all);

/* The world is as one that was just made; the first one as after the start. In slices:
 * worlds_copy.h. */
MUST_CHECK const struct world_fault *worlds_reset(struct arena *a, struct worlds *all,
                                                  struct world *w);

/* --- snapshots of a world (taken, restored and written by worlds_copy.h)
 * --------------------------------------------------------------------- */

/* The snapshot of that name. */
MUST_CHECK const struct world_fault *worlds_find_snapshot(struct arena *a, const struct world *w,
                                                          struct span name,
                                                          const struct snapshot **out);

/* Whether the world can keep one more snapshot, of that name. */
MUST_CHECK const struct world_fault *worlds_check_snapshot(struct arena *a,
                                                           const struct worlds *all,
                                                           const struct world *w, struct span name);
/* Keeps what was loaded from a file (snapshot_file.h) as a snapshot of the world. */
struct snapshot_load;
MUST_CHECK const struct world_fault *worlds_keep_loaded(struct arena *a, struct worlds *all,
                                                        struct world *w, struct span name,
                                                        struct snapshot_load *loaded);

/* A new, empty file for whoever runs the server alone, where worlds are kept or where the system
 * has its temporary ones. Returns the descriptor, or -1, with errno set. */
int worlds_temporary_file(struct arena *a, const struct worlds *all, const char **path);

const struct snapshots *worlds_snapshots(const struct world *w);

MUST_CHECK const struct world_fault *worlds_drop_snapshot(struct arena *a, struct worlds *all,
                                                          struct world *w, struct span name);

/* --- turns ------------------------------------------------------------------------------------ */

/* At the end of each turn: makes all that was acknowledged in it last. Worlds in which that could
 * not be done say so by world_lost. */
void worlds_flush(struct worlds *all);

/* Gives back the memory that is kept for the next request. */
void worlds_trim(struct worlds *all);
/* Gives memory back that deleted tables and items of the worlds had, in a few milliseconds; false
 * when there is no more. */
bool worlds_shrink_step(struct worlds *all);

/* A step of the work between requests; true when another one is due at once. */
bool worlds_idle(struct worlds *all);
/* In how many milliseconds of real time the next step is due, or WORLD_RESTS. It can come earlier
 * with each request, and when file_sync_bell rings. */
int worlds_rest_ms(const struct worlds *all);

#endif
