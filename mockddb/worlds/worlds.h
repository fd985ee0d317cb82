/* worlds.h: the worlds of a server: which world a request uses, how worlds are made and dropped,
 * the flush at the end of a turn, and work between requests.
 *
 * The first world exists from start to end. Others are made when a request first names them; they
 * begin as a copy of the template, which is made on first use. An unused world costs only its
 * memory. */
#pragma once

#include "explain/explanations.h"
#include "worlds/world.h"
#include "worlds/world_files.h"

#define WORLDS_MAX        1000              /* default of max_count */
#define WORLDS_MAX_MEMORY ((size_t)4 << 30) /* bytes; default of max_memory */

struct worlds;

/* The initial content of a new world. */
enum worlds_template {
    WORLDS_STARTUP,  /* what the server loads into the first world, possibly nothing */
    WORLDS_EMPTY,    /* nothing */
    WORLDS_SNAPSHOT, /* a snapshot of the first world */
};

struct worlds_options {
    struct world_options first; /* other worlds have its settings */
    struct clock_time start; /* initial time of their clocks, unless the first world has a clock */
    /* Fills a world as at the server's start. May be NULL: nothing is loaded. */
    const struct problem *(*fill)(void *data, struct arena *a, struct world *w);
    void *fill_data;
    /* Sets up a new world apart from its content: fault rules. May be NULL. Its problems are
     * PROBLEM_FAILED: they are not the caller's. */
    const struct problem *(*begin)(void *data, struct arena *a, struct world *w);
    void *begin_data;
    enum worlds_template template;
    struct span snapshot; /* name, for WORLDS_SNAPSHOT */
    size_t max_count;     /* 0: WORLDS_MAX */
    size_t max_memory;    /* above this, no new worlds and snapshots are made; 0: the default */
    int64_t idle_ms;      /* an unused world is dropped after this time; 0: never */
    struct explain_summary *summary; /* of all operations, borrowed; NULL: no summary */
    /* Where worlds and snapshots are kept in files; NULL: in memory. An unused world is then
     * closed, not dropped. The first world's file is in its store's options. */
    const char *folder;
};

/* Fails if the first world's store cannot be opened. What the options point to must outlive the
 * worlds. The first world is not filled yet. */
MUST_CHECK const struct problem *worlds_new(struct arena *a, const struct worlds_options *options,
                                            struct worlds **out);
void worlds_free(struct worlds *all); /* all may be NULL */

/* The memory shared by all worlds, for dispatch_hold_reply. */
struct dispatch_memory *worlds_memory(const struct worlds *all);

/* The explanations of all worlds; made on first use. */
struct explanations *worlds_explanations(struct worlds *all);
/* The summary that counts the requests of all worlds; NULL: they are not counted. */
struct explain_summary *worlds_summary(const struct worlds *all);

/* --- which one -------------------------------------------------------------------------------- */

/* The world of requests that name none; its name is WORLD_FIRST. */
struct world *worlds_first(const struct worlds *all);

/* Returns the world with this name, or NULL. */
struct world *worlds_find(const struct worlds *all, struct span name);

/* Like worlds_find; opens a world that is only in its file. If it has snapshots to load, the
 * problem is PROBLEM_WAITS, and worlds_idle continues the work. */
MUST_CHECK const struct problem *worlds_seek(struct arena *a, struct worlds *all, struct span name,
                                             struct world **out);

/* Names of the worlds that are only in their files. */
void worlds_closed(struct arena *a, const struct worlds *all, struct world_files_list *out);

/* Returns the world with this name, and makes it on first use. If that takes long, the problem is
 * PROBLEM_WAITS, and worlds_idle continues the work. */
MUST_CHECK const struct problem *worlds_use(struct arena *a, struct worlds *all, struct span name,
                                            struct world **out);

/* Number of ended copies (worlds_copy.h): after PROBLEM_WAITS, try again when it has changed. */
uint64_t worlds_copies_ended(const struct worlds *all);

/* Notes a use of the world: it is flushed at the end of the turn, its next due time is computed
 * again, and its idle time begins again. */
void worlds_touch(struct worlds *all, struct world *w);

/* All worlds, by name in byte order. */
size_t worlds_count(const struct worlds *all);
struct world *worlds_at(const struct worlds *all, size_t i);
/* Last use, in milliseconds of real time. */
int64_t worlds_used_ms(const struct worlds *all, const struct world *w);

/* --- making and dropping ---------------------------------------------------------------------- */

/* The state of a world with nothing in it, for worlds_begin_make. */
MUST_CHECK const struct problem *worlds_find_empty(struct arena *a, struct worlds *all,
                                                   struct world_state *out);

/* Drops a world other than the first. `name` may be the world's own. */
MUST_CHECK const struct problem *worlds_drop(struct arena *a, struct worlds *all, struct span name);

/* Completes the first world after it was filled. */
MUST_CHECK const struct problem *worlds_begin_first(struct arena *a, struct worlds *all);

/* --- snapshots: worlds_copy.h takes, restores and writes them --------------------------------- */

/* Finds the world's snapshot with this name. */
MUST_CHECK const struct problem *worlds_find_snapshot(struct arena *a, const struct world *w,
                                                      struct span name,
                                                      const struct snapshot **out);

/* Makes a new, empty file that only the server's user can read, in the folder of the worlds or in
 * the system's temporary folder. Returns the descriptor, or -1 with errno set. */
int worlds_temporary_file(struct arena *a, const struct worlds *all, const char **path);
/* Writes the bytes to such a file. Returns its path, or NULL if that is not possible. */
const char *worlds_temporary(struct arena *a, const struct worlds *all, struct span bytes);

const struct snapshots *worlds_snapshots(const struct world *w);

MUST_CHECK const struct problem *worlds_drop_snapshot(struct arena *a, struct worlds *all,
                                                      struct world *w, struct span name);

/* --- turns ------------------------------------------------------------------------------------ */

/* At the end of each turn: makes the turn's acknowledged writes durable. world_lost is true for
 * worlds in which that failed. */
void worlds_flush(struct worlds *all);

/* Frees the memory that is kept for the next request. */
void worlds_trim(struct worlds *all);

/* Does a step of the work between requests; returns true if another one is due at once. */
bool worlds_idle(struct worlds *all);
/* Milliseconds of real time until the next step, or WORLD_RESTS. Each request, and file_sync_bell,
 * may make it earlier. */
int worlds_rest_ms(const struct worlds *all);
