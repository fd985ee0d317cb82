#include "worlds/worlds_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file_release.h"
#include "worlds/snapshot_file.h"
#include "worlds/snapshot_load.h"
#include "worlds/worlds_core.h"

#define LOAD_US 1000 /* a slice of loading */

/* --- beginning -------------------------------------------------------------------------------- */

static bool makes_world(const struct worlds_copy *c)
{
    return c->kind == COPY_MAKES || c->kind == COPY_OPENS;
}

/* The store is shared until the copy is freed. */
static void share_state(struct worlds_copy *c, struct store *s)
{
    c->snapshot.state.store = store_share(s);
    c->snapshot.memory = store_memory(s);
    c->reserved = c->kind == COPY_EXPORTS ? 0 : c->snapshot.memory;
    c->all->held += c->reserved;
}

/* From now on the world, which may be NULL, waits for the copy. */
static void keep_waiting(struct worlds_copy *c, struct world *w)
{
    if (!(c->held = w))
        return;
    w->copies++;
    worlds_note_due(c->all, w);
}

static struct worlds_copy *new_copy(struct worlds *all, enum copy_kind kind, struct span name,
                                    const struct world_state *from, struct world *held)
{
    struct worlds_copy *c = process_zeroed(sizeof *c);

    c->kind = kind;
    c->all = all;
    c->arena = arena_new();
    c->fd = -1;
    c->snapshot = (struct snapshot){.name = arena_text(c->arena, name),
                                    .state = {.time = from->time},
                                    .taken_ms = clock_now_ms(all->clock)};
    if (from->store)
        share_state(c, from->store);
    all->making += makes_world(c);
    TAILQ_INSERT_TAIL(&all->copies, c, link);
    keep_waiting(c, held);
    return c;
}

/* Whether the world can keep another snapshot, with this name. */
static const struct problem *check_room(struct arena *a, const struct worlds *all,
                                        const struct world *w, struct span name)
{
    const struct problem *p = worlds_check_memory(a, all);

    return p ? p : snapshots_check_room(a, w->snapshots, name);
}

static const struct problem *check_not_copied(struct arena *a, const struct world *w)
{
    return w->copies ? problem_new(a, PROBLEM_WAITS, "world %s is being copied", w->name) : NULL;
}

/* A world may be copied several times at once, but replaced by only one copy. */
static const struct problem *check_free(struct arena *a, const struct world *w)
{
    const struct problem *p = check_not_copied(a, w);

    return p || !w->holders ? p : world_busy(a, w);
}

const struct problem *worlds_begin_snapshot(struct arena *a, struct worlds *all, struct world *w,
                                            struct span name, struct worlds_copy **out)
{
    const struct world_state state = world_state(w);
    const struct problem *p = check_not_copied(a, w);

    if (p || (p = check_room(a, all, w, name)))
        return p;
    *out = new_copy(all, COPY_TAKES, name, &state, w);
    (*out)->made = w;
    (*out)->snapshot.content = table_size_all(a, w->store);
    (*out)->copying = store_copying_new(w->store, &(struct store_options){.path = NULL});
    return NULL;
}

static const struct problem *begin_replacing(struct arena *a, struct worlds *all, struct world *w,
                                             enum copy_kind kind, struct span name,
                                             const struct world_state *from,
                                             struct worlds_copy **out)
{
    const struct problem *p = check_free(a, w);
    struct store_options options = w->options;

    if (p)
        return p;
    options.name = worlds_store_options(a, all, world_name(w)).name;
    *out = new_copy(all, kind, name, from, w);
    (*out)->made = w;
    (*out)->copying = store_copying_new(from->store, &options);
    return NULL;
}

const struct problem *worlds_begin_restore(struct arena *a, struct worlds *all, struct world *w,
                                           const struct snapshot *s, struct worlds_copy **out)
{
    const struct problem *p = begin_replacing(a, all, w, COPY_RESTORES, span_of(s->name), &s->state,
                                              out);

    if (!p) {
        (*out)->snapshot.taken_ms = s->taken_ms;
        (*out)->snapshot.content = s->content;
    }
    return p;
}

const struct problem *worlds_begin_reset(struct arena *a, struct worlds *all, struct world *w,
                                         struct worlds_copy **out)
{
    const struct problem *p;
    struct world_state template;

    if ((p = check_free(a, w)) || (p = worlds_find_template(a, all, w, &template)))
        return p;
    return begin_replacing(a, all, w, COPY_RESETS, world_name(w), &template, out);
}

/* Whether a copy is about to replace the world's store. A store's file must not be open elsewhere
 * then. */
static bool is_replaced(const struct worlds *all, const struct world *w)
{
    const struct worlds_copy *c;

    TAILQ_FOREACH(c, &all->copies, link)
    if (c->held == w && (c->kind == COPY_RESTORES || c->kind == COPY_RESETS))
        return true;
    return false;
}

const struct problem *worlds_begin_make(struct arena *a, struct worlds *all, struct span name,
                                        struct world *of, const struct world_state *from,
                                        struct worlds_copy **out)
{
    const struct problem *p;
    struct world_state template;
    struct store_options options;

    if ((p = worlds_check_new(a, all, name)))
        return p;
    if (of && is_replaced(all, of))
        return problem_new(a, PROBLEM_WAITS, "world %s is being replaced", of->name);
    if (of) {
        template = world_state(of);
        from = &template;
    } else if (!from) {
        if ((p = worlds_find_template(a, all, NULL, &template)))
            return p;
        from = &template;
    }
    *out = new_copy(all, COPY_MAKES, name, from, of);
    (*out)->open = snapshot_load_all_begin(all->options.folder, name);
    options = worlds_store_options(a, all, name);
    (*out)->copying = store_copying_new(from->store, &options);
    return NULL;
}

const struct problem *worlds_begin_export(struct arena *a, struct worlds *all,
                                          const struct snapshot *s, struct worlds_copy **out)
{
    const char *path;
    int fd = worlds_temporary_file(a, all, &path);
    struct worlds_copy *c;

    if (fd < 0)
        return problem_new(a, PROBLEM_FAILED, "snapshot %s cannot be written to a file: %s",
                           s->name, strerror(errno));
    (void)close(fd);
    *out = c = new_copy(all, COPY_EXPORTS, span_of(s->name), &s->state, NULL);
    c->temporary = arena_text(c->arena, span_of(path));
    c->writing = snapshot_file_new(path, span_of(s->name), &s->state, s->taken_ms);
    return NULL;
}

const struct problem *worlds_begin_load(struct arena *a, struct worlds *all, struct world *w,
                                        struct span name, const char *path,
                                        struct worlds_copy **out)
{
    const struct world_state none = {.store = NULL};
    const struct problem *p = check_room(a, all, w, name);

    if (p)
        return p;
    *out = new_copy(all, COPY_LOADS, name, &none, NULL);
    (*out)->made = w;
    (*out)->load = snapshot_load_begin(path);
    world_hold(w);
    return NULL;
}

const struct problem *worlds_begin_open(struct arena *a, struct worlds *all, struct span name,
                                        struct worlds_copy **out)
{
    const struct world_state as_it_is = {.time = all->options.start};
    const struct problem *p = worlds_check_room(a, all);

    if (p)
        return p;
    *out = new_copy(all, COPY_OPENS, name, &as_it_is, NULL);
    (*out)->open = snapshot_load_all_begin(all->options.folder, name);
    return NULL;
}

/* --- placing ---------------------------------------------------------------------------------- */

/* The problem that a step of the copy reports; text NULL: none. */
static const struct problem *problem_if(struct worlds_copy *c, const char *text)
{
    return problem_of(c->arena, PROBLEM_FAILED, text);
}

static struct span name_of(const struct worlds_copy *c)
{
    return span_of(c->snapshot.name);
}

/* What was loaded is kept like a snapshot that is taken. */
static const struct problem *take_loaded(struct worlds_copy *c)
{
    struct snapshot loaded;
    const struct problem *p = check_room(c->arena, c->all, c->made, name_of(c));
    const char *problem;

    if (p)
        return p;
    if ((problem = snapshot_load_take(c->load, c->arena, &loaded)))
        return problem_invalid(c->arena, "%s", problem);
    c->taken = loaded.state.store;
    c->snapshot.state.time = loaded.state.time;
    c->snapshot.taken_ms = loaded.taken_ms;
    c->snapshot.content = loaded.content;
    share_state(c, c->taken);
    snapshot_load_free(c->load);
    c->load = NULL;
    keep_waiting(c, c->made);
    return NULL;
}

/* The copy in memory is complete; with files it is written next, and then becomes a snapshot. */
static const struct problem *write_snapshot(struct worlds_copy *c)
{
    const char *folder = c->all->options.folder;
    struct world_state state = c->snapshot.state;
    const struct problem *p = c->load ? take_loaded(c)
                                      : problem_if(c, store_copying_place(c->arena, c->copying,
                                                                          &c->taken));

    if (p || !folder)
        return p;
    state.store = c->taken;
    c->writing = snapshot_file_new(
        world_files_snapshot(c->arena, folder, world_name(c->held), name_of(c)), name_of(c), &state,
        c->snapshot.taken_ms);
    return NULL;
}

static const struct problem *take_snapshot(struct worlds_copy *c)
{
    const struct problem *p = NULL;

    if (!c->taken && ((p = write_snapshot(c)) || c->writing))
        return p;
    c->is_placed = true;
    p = snapshots_check_room(c->arena, c->held->snapshots, name_of(c));
    if (!p && c->writing)
        p = problem_if(c, snapshot_file_place(c->arena, c->writing));
    if (p)
        return p;
    store_free(c->snapshot.state.store);
    /* the world owns it now; the snapshot is shown */
    c->snapshot.state.store = store_share(c->taken);
    c->taken = NULL;
    snapshots_adopt(c->held->snapshots, name_of(c), &c->snapshot);
    return NULL;
}

static const struct problem *replace_world(struct worlds_copy *c)
{
    const struct problem *p = world_become(c->arena, c->held, c->copying, &c->snapshot.state.time);

    c->is_placed = true;
    if (p || c->kind == COPY_RESTORES)
        return p;
    world_set_origin(c->held, NULL);
    return worlds_begin(c->arena, c->all, c->held);
}

static const struct problem *make_copied_world(struct worlds_copy *c)
{
    struct world_state begun = {.time = c->snapshot.state.time};
    const struct problem *p = problem_if(c,
                                         store_copying_place(c->arena, c->copying, &begun.store));

    c->is_placed = true;
    c->all->making--;            /* the world is counted, … */
    c->all->held -= c->reserved; /* … and its memory, too */
    c->reserved = 0;
    if (p || (p = worlds_open(c->arena, c->all, name_of(c), &begun, snapshot_load_all_take(c->open),
                              &c->made)))
        return p;
    world_set_origin(c->made, c->held);
    c->made->copies++;
    c->holds_made = true;
    worlds_note_due(c->all, c->made);
    return NULL;
}

static const struct problem *open_world(struct worlds_copy *c)
{
    c->is_placed = true;
    c->all->making--;
    return worlds_open(c->arena, c->all, name_of(c), &c->snapshot.state,
                       snapshot_load_all_take(c->open), &c->made);
}

static void let_go_of_made(struct worlds_copy *c)
{
    if (!c->holds_made)
        return;
    c->holds_made = false;
    c->made->copies--;
    worlds_note_due(c->all, c->made);
}

static const struct problem *open_file(struct worlds_copy *c)
{
    const char *problem = snapshot_file_place(c->arena, c->writing);

    c->is_placed = true;
    if (!problem && (c->fd = open(c->temporary, O_RDONLY | O_CLOEXEC)) < 0)
        problem = strerror(errno);
    return problem_if(c, problem);
}

static const struct problem *(*const places[])(struct worlds_copy *c) = {
    [COPY_TAKES] = take_snapshot,  [COPY_RESTORES] = replace_world,
    [COPY_RESETS] = replace_world, [COPY_MAKES] = make_copied_world,
    [COPY_EXPORTS] = open_file,    [COPY_LOADS] = take_snapshot,
    [COPY_OPENS] = open_world};

/* --- steps ------------------------------------------------------------------------------------ */

/* Loads a slice; returns true when all is loaded, or has failed. Before it is kept, other copies of
 * the world must end. */
static bool load_slice(struct worlds_copy *c)
{
    int64_t end_us = clock_ticks_us(c->all->clock) + LOAD_US;
    bool done;

    if (c->load && world_is_copied(c->made))
        return false;
    do
        done = c->load ? snapshot_load_step(c->load) : snapshot_load_all_step(c->open);
    while (!done && clock_ticks_us(c->all->clock) < end_us);
    return done;
}

/* Does a slice; returns false if the copy only has to be placed, or to end. */
static bool move_slice(struct worlds_copy *c)
{
    if (c->load)
        return !load_slice(c);
    if (c->open && !c->opened && !(c->opened = load_slice(c)))
        return true;
    if (c->writing)
        return !snapshot_file_step(c->writing);
    return c->copying && !store_copying_step(c->copying, false);
}

bool worlds_copy_waits(const struct worlds_copy *c)
{
    if (c->load)
        return world_is_copied(c->made);
    return c->writing ? snapshot_file_waits(c->writing)
                      : c->copying && store_copying_waits(c->copying);
}

bool worlds_copy_step(struct worlds_copy *c)
{
    while (!c->is_over) {
        if (move_slice(c))
            return false;
        c->problem = problem_if(c, c->writing   ? snapshot_file_problem(c->writing)
                                   : c->copying ? store_copying_problem(c->copying)
                                                : NULL);
        if (!c->problem && !c->is_placed)
            c->problem = places[c->kind](c);
        else
            c->is_over = true;
        c->is_over = c->is_over || c->problem;
    }
    let_go_of_made(c);
    return true;
}

void worlds_copy_free(struct worlds_copy *c)
{
    struct worlds *all;

    if (!c)
        return;
    all = c->all;
    let_go_of_made(c);
    store_copying_free(c->copying);
    snapshot_file_free(c->writing);
    snapshot_load_free(c->load);
    snapshot_load_all_free(c->open);
    store_free(c->taken);
    store_free(c->snapshot.state.store);
    file_release_close(c->fd);
    if (c->temporary)
        (void)file_release_unlink(c->temporary);
    TAILQ_REMOVE(&all->copies, c, link);
    all->held -= c->reserved;
    all->making -= makes_world(c) && !c->is_placed;
    all->copies_ended++;
    if (c->kind == COPY_LOADS)
        world_release(c->made);
    if (c->held) {
        c->held->copies--;
        worlds_touch(all, c->held);
    }
    arena_free(c->arena);
    free(c);
}

/* --- what came out ---------------------------------------------------------------------------- */

const struct problem *worlds_copy_problem(const struct worlds_copy *c)
{
    return c->problem;
}

struct world *worlds_copy_world(const struct worlds_copy *c)
{
    return c->made;
}

const struct snapshot *worlds_copy_snapshot(const struct worlds_copy *c)
{
    return &c->snapshot;
}

int worlds_copy_take_file(struct worlds_copy *c)
{
    int fd = c->fd;

    c->fd = -1;
    return fd;
}

/* --- on their own ----------------------------------------------------------------------------- */

struct worlds_copy *worlds_find_making(const struct worlds *all, struct span name)
{
    struct worlds_copy *c, *failed = NULL;

    TAILQ_FOREACH(c, &all->copies, link)
    {
        if (!makes_world(c) || !span_equal(name_of(c), name))
            continue;
        if (!c->is_over)
            return c;
        failed = c;
    }
    return failed;
}

void worlds_copies_idle(struct worlds *all)
{
    struct worlds_copy *c, *after;

    for (c = TAILQ_FIRST(&all->copies); c; c = after) {
        after = TAILQ_NEXT(c, link);
        if (!c->is_disowned || c->is_over || !worlds_copy_step(c))
            continue;
        if (c->problem)
            all->copies_ended++; /* the next request for the world receives the fault */
        else
            worlds_copy_free(c);
    }
}

bool worlds_copies_are_idle(const struct worlds *all)
{
    const struct worlds_copy *c;

    TAILQ_FOREACH(c, &all->copies, link)
    if (c->is_disowned && !c->is_over && !worlds_copy_waits(c))
        return false;
    return true;
}
