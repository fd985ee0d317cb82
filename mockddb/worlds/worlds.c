#define _GNU_SOURCE /* mkostemps */
#include "worlds/worlds.h"
#include "base/file.h"

#include "base/file_release.h"
#include "base/log.h"
#include "worlds/snapshot_load.h"
#include "worlds/worlds_copy.h"
#include "worlds/worlds_core.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_STEPS 4 /* steps of making a world before its first request has to wait */

/* --- the list --------------------------------------------------------------------------------- */

/* Index of the first whose name is not less than `name`. */
static size_t position_of(const struct worlds *all, struct span name)
{
    size_t low = 0, high = all->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (span_compare(world_name(all->at[middle]), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct world *worlds_find(const struct worlds *all, struct span name)
{
    size_t i = position_of(all, name);

    return i < all->count && span_equal(world_name(all->at[i]), name) ? all->at[i] : NULL;
}

struct world *worlds_first(const struct worlds *all)
{
    return all->first;
}

size_t worlds_count(const struct worlds *all)
{
    return all->count;
}

struct world *worlds_at(const struct worlds *all, size_t i)
{
    return all->at[i];
}

int64_t worlds_used_ms(const struct worlds *all, const struct world *w)
{
    return clock_now_ms(all->clock) - (worlds_steady_ms(all) - w->place.used_ms);
}

static void insert_world(struct worlds *all, struct world *w)
{
    size_t i = position_of(all, world_name(w));

    all->at = process_one_more(all->at, all->count, &all->capacity, sizeof(*all->at));
    memmove(all->at + i + 1, all->at + i, (all->count - i) * sizeof *all->at);
    all->at[i] = w;
    all->count++;
    if (w != all->first)
        TAILQ_INSERT_TAIL(&all->used, w, place.used_link);
    worlds_touch(all, w);
    worlds_weigh(all, w);
    worlds_note_due(all, w);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* If the first world's file is in the folder, it is open by now, so no other server uses the
 * folder. */
static void remove_unfinished(struct arena *a, const struct worlds *all)
{
    const char *folder = all->options.folder, *first = all->options.first.store.path;

    if (folder && first && !all->options.first.settings.read_only &&
        strcmp(first, world_files_world(a, folder, SPAN_LIT(WORLD_FIRST))) == 0)
        world_files_remove_unfinished(a, folder);
}

const struct problem *worlds_new(struct arena *a, const struct worlds_options *options,
                                 struct worlds **out)
{
    struct worlds *all = process_zeroed(sizeof *all);
    const struct problem *p;
    struct snapshot_load_all *o;

    all->options = *options;
    all->options.first.name = SPAN_LIT(WORLD_FIRST);
    if (!all->options.max_count)
        all->options.max_count = WORLDS_MAX;
    if (!all->options.max_memory)
        all->options.max_memory = WORLDS_MAX_MEMORY;
    TAILQ_INIT(&all->used);
    TAILQ_INIT(&all->turn);
    TAILQ_INIT(&all->gone);
    TAILQ_INIT(&all->leaving);
    TAILQ_INIT(&all->copies);
    all->clock = clock_new_system();
    all->memory = dispatch_memory_new();
    *out = NULL;
    if ((p = world_new(a, &all->options.first, &(struct world_state){.time = options->start},
                       all->memory, &all->first))) {
        worlds_free(all);
        return p;
    }
    remove_unfinished(a, all);
    /* Before the server serves, nothing has to wait for the snapshots in files. */
    o = snapshot_load_all_begin(all->options.folder, SPAN_LIT(WORLD_FIRST));
    while (!snapshot_load_all_step(o))
        continue;
    world_adopt_snapshots(all->first, snapshot_load_all_take(o));
    snapshot_load_all_free(o);
    insert_world(all, all->first);
    *out = all;
    return NULL;
}

void worlds_free(struct worlds *all)
{
    if (!all)
        return;
    while (!TAILQ_EMPTY(&all->copies))
        worlds_copy_free(TAILQ_FIRST(&all->copies));
    explanations_free(all->explanations);
    for (size_t i = 0; i < all->count; i++)
        world_free(all->at[i]);
    free(all->at);
    world_free(all->startup);
    world_free(all->empty);
    worlds_free_list(&all->gone);
    worlds_free_list(&all->leaving);
    worlds_order_free(&all->order);
    dispatch_memory_free(all->memory);
    clock_free(all->clock);
    free(all);
}

struct dispatch_memory *worlds_memory(const struct worlds *all)
{
    return all->memory;
}

struct explain_summary *worlds_summary(const struct worlds *all)
{
    return all->options.summary;
}

struct explanations *worlds_explanations(struct worlds *all)
{
    if (!all->explanations)
        all->explanations = explanations_new();
    return all->explanations;
}

/* --- templates -------------------------------------------------------------------------------- */

/* Makes the template at *place on first use. */
static const struct problem *make_template(struct arena *a, struct worlds *all, bool fill,
                                           struct world **place)
{
    const struct world_options options = {.name = SPAN_LIT("template"),
                                          .settings = all->options.first.settings};
    const struct world_state from = {.time = all->options.start};
    const struct problem *p;
    struct world *w;

    if (*place)
        return NULL;
    p = world_new(a, &options, &from, all->memory, &w);
    if (!p && fill)
        p = all->options.fill(all->options.fill_data, a, w);
    if (!p) {
        *place = w;
        return NULL;
    }
    world_free(w);
    return problem_new(a, PROBLEM_FAILED, "the template of worlds cannot be made: %s", p->text);
}

/* The clock starts like that of every world. */
const struct problem *worlds_find_template(struct arena *a, struct worlds *all,
                                           const struct world *for_world, struct world_state *out)
{
    enum worlds_template kind = for_world == all->first ? WORLDS_STARTUP : all->options.template;
    const struct problem *p;
    const struct snapshot *s;
    bool fill = kind == WORLDS_STARTUP && all->options.fill;
    struct world **template = fill ? &all->startup : &all->empty;

    if (kind == WORLDS_SNAPSHOT) {
        if ((p = worlds_find_snapshot(a, all->first, all->options.snapshot, &s)))
            return p;
        *out = s->state;
        return NULL;
    }
    if ((p = make_template(a, all, fill, template)))
        return p;
    assert(*template);
    *out = (struct world_state){(*template)->store, all->options.start};
    return NULL;
}

const struct problem *worlds_find_empty(struct arena *a, struct worlds *all,
                                        struct world_state *out)
{
    const struct problem *p = make_template(a, all, false, &all->empty);

    if (p)
        return p;
    *out = (struct world_state){all->empty->store, all->options.start};
    return NULL;
}

/* --- making and dropping ---------------------------------------------------------------------- */

const struct problem *worlds_check_memory(struct arena *a, const struct worlds *all)
{
    if (all->held < all->options.max_memory)
        return NULL;
    return problem_new(a, PROBLEM_LIMIT,
                       "the worlds take %zu MB of memory, and %zu MB is the limit: drop some of "
                       "them or of their snapshots",
                       all->held >> 20, all->options.max_memory >> 20);
}

const struct problem *worlds_check_room(struct arena *a, const struct worlds *all)
{
    if (all->count + all->making < all->options.max_count)
        return worlds_check_memory(a, all);
    return problem_new(a, PROBLEM_LIMIT, "the limit of %zu worlds is reached: drop some",
                       all->options.max_count);
}

const struct problem *worlds_begin(struct arena *a, struct worlds *all, struct world *w)
{
    world_begin(w);
    return all->options.begin ? all->options.begin(all->options.begin_data, a, w) : NULL;
}

const struct problem *worlds_begin_first(struct arena *a, struct worlds *all)
{
    return worlds_begin(a, all, all->first);
}

/* The path of the world's file; NULL: it is in memory. */
static const char *path_of(struct arena *a, const struct worlds *all, struct span name)
{
    return all->options.folder ? world_files_world(a, all->options.folder, name) : NULL;
}

struct store_options worlds_store_options(struct arena *a, const struct worlds *all,
                                          struct span name)
{
    struct store_options options = {.path = path_of(a, all, name),
                                    .sync = all->options.first.store.sync};

    if (options.path)
        options.name = arena_printf(a, "world %.*s", SPAN_ARG(name));
    return options;
}

const struct problem *worlds_open(struct arena *a, struct worlds *all, struct span name,
                                  const struct world_state *from, struct snapshots *snapshots,
                                  struct world **out)
{
    struct world_options options = {.name = name,
                                    .store = worlds_store_options(a, all, name),
                                    .settings = all->options.first.settings,
                                    .journal = all->options.first.journal,
                                    .throttle = all->options.first.throttle};
    const struct problem *p;

    if ((p = world_new(a, &options, from, all->memory, out))) {
        snapshots_free(snapshots);
        log_error("%s: %s", options.store.path, p->text);
        return p;
    }
    world_adopt_snapshots(*out, snapshots);
    insert_world(all, *out);
    return worlds_begin(a, all, *out);
}

static bool is_in_file(struct arena *a, const struct worlds *all, struct span name)
{
    const char *path = path_of(a, all, name);

    return path && access(path, F_OK) == 0;
}

/* Whether a copy in progress makes or opens a world with this name. A failed copy stays until a
 * request receives its fault; it does not count. */
static bool is_made(const struct worlds *all, struct span name)
{
    const struct worlds_copy *c = worlds_find_making(all, name);

    return c && !c->is_over;
}

const struct problem *worlds_check_new(struct arena *a, const struct worlds *all, struct span name)
{
    const struct problem *p;

    if ((p = world_check_name(a, name)))
        return p;
    if (all->options.first.store.url)
        return problem_invalid(a,
                               "world %.*s does not exist, and there is no other than the first in "
                               "a database (--store)",
                               SPAN_ARG(name));
    if (all->options.folder && all->options.first.settings.read_only)
        return problem_invalid(a, "world %.*s does not exist, and the server is read-only",
                               SPAN_ARG(name));
    if (is_made(all, name))
        return problem_new(a, PROBLEM_WAITS, "world %.*s is being made", SPAN_ARG(name));
    if (worlds_find(all, name) || is_in_file(a, all, name))
        return problem_new(a, PROBLEM_CONFLICT, "world %.*s already exists", SPAN_ARG(name));
    return worlds_check_room(a, all);
}

void worlds_closed(struct arena *a, const struct worlds *all, struct world_files_list *out)
{
    size_t kept = 0;

    *out = (struct world_files_list){.count = 0};
    if (!all->options.folder)
        return;
    world_files_worlds(a, all->options.folder, out);
    for (size_t i = 0; i < out->count; i++)
        if (!worlds_find(all, out->names[i]))
            out->names[kept++] = out->names[i];
    out->count = kept;
}

static const struct problem *world_is_missing(struct arena *a, struct span name)
{
    return problem_new(a, PROBLEM_MISSING, "world %.*s does not exist", SPAN_ARG(name));
}

static const struct problem *waits_for_making(struct arena *a, struct span name)
{
    return problem_new(a, PROBLEM_WAITS, "world %.*s is being made", SPAN_ARG(name));
}

/* Finds a world, or begins to open it if it is only in its file, or, with `make`, to make it. */
static const struct problem *find_or_begin(struct arena *a, struct worlds *all, struct span name,
                                           bool make, struct world **out)
{
    struct worlds_copy *c = worlds_find_making(all, name);
    const struct problem *p;
    bool is_verbs;

    if ((*out = worlds_find(all, name)))
        return NULL;
    if ((p = world_check_name(a, name)))
        return p;
    if (c && !make && c->kind != COPY_OPENS) {
        if (!c->is_over)
            return waits_for_making(a, name);
        c = NULL; /* its fault is for a request that makes the world */
    }
    if (!c) {
        if (is_in_file(a, all, name))
            p = worlds_begin_open(a, all, name, &c);
        else if (make)
            p = worlds_begin_make(a, all, name, NULL, NULL, &c);
        else
            p = world_is_missing(a, name);
        if (p)
            return p;
        c->is_disowned = true;
    }
    /* Does some steps of a copy that makes or opens a world. *out: the world, if it is complete. */
    is_verbs = !c->is_disowned;
    for (int i = 0; !is_verbs && i < FIRST_STEPS && !worlds_copy_step(c); i++)
        continue;
    if (!c->is_over)
        return waits_for_making(a, span_of(c->snapshot.name));
    if ((p = c->problem))
        p = problem_copy(a, p);
    else
        *out = worlds_copy_world(c);
    if (!is_verbs)
        worlds_copy_free(c);
    return p;
}

const struct problem *worlds_seek(struct arena *a, struct worlds *all, struct span name,
                                  struct world **out)
{
    return find_or_begin(a, all, name, false, out);
}

const struct problem *worlds_use(struct arena *a, struct worlds *all, struct span name,
                                 struct world **out)
{
    const struct problem *p = find_or_begin(a, all, name, true, out);

    if (*out)
        worlds_touch(all, *out);
    return p;
}

void worlds_close(struct worlds *all, struct world *w)
{
    size_t i = position_of(all, world_name(w));

    all->count--;
    memmove(all->at + i, all->at + i + 1, (all->count - i) * sizeof *all->at);
    TAILQ_REMOVE(&all->used, w, place.used_link);
    worlds_leave_turn(all, w);
    worlds_order_set(&all->order, w, INT64_MAX);
    all->held -= w->place.memory;
    explanations_forget(all->explanations, world_name(w));
    world_close(w);
    TAILQ_INSERT_TAIL(&all->gone, w, place.turn_link);
}

static void remove_files(struct arena *a, const struct worlds *all, struct span name)
{
    const char *folder = all->options.folder;
    struct world_files_list list;

    if (!folder)
        return;
    store_remove(a, world_files_world(a, folder, name));
    world_files_snapshots(a, folder, name, &list);
    for (size_t i = 0; i < list.count; i++)
        (void)file_release_unlink(world_files_snapshot(a, folder, name, list.names[i]));
}

const struct problem *worlds_drop(struct arena *a, struct worlds *all, struct span name)
{
    struct world *w = worlds_find(all, name);

    if (!w) {
        const struct problem *p = world_check_name(a, name);

        /* A closed world is dropped without being opened: its snapshots would be loaded first. */
        if (p)
            return p;
        if (is_made(all, name))
            return waits_for_making(a, name);
        if (!is_in_file(a, all, name))
            return world_is_missing(a, name);
        if (store_is_in_use(path_of(a, all, name)))
            return problem_new(a, PROBLEM_FAILED,
                               "world %.*s is in use by another process or handle", SPAN_ARG(name));
        remove_files(a, all, name);
        return NULL;
    }
    if (w == all->first)
        return problem_invalid(a, "world %s cannot be dropped; reset it", w->name);
    if (w->copies)
        return problem_new(a, PROBLEM_WAITS, "world %s is being copied", w->name);
    if (w->holders)
        return world_busy(a, w);
    if (all->options.folder)
        store_leave_log(w->store);
    worlds_close(all, w);
    remove_files(a, all, name);
    return NULL;
}

/* --- snapshots -------------------------------------------------------------------------------- */

int worlds_temporary_file(struct arena *a, const struct worlds *all, const char **path)
{
    const char *temporary = getenv("TMPDIR");
    char *name;

    if (!temporary || !*temporary)
        temporary = "/tmp";
    if (all->options.folder)
        temporary = all->options.folder;
    name = arena_printf(a, "%s/" WORLD_FILES_TEMPORARY, temporary);
    *path = name;
    return mkostemps(name, (int)strlen(WORLD_FILES_ENDING), O_CLOEXEC);
}

const char *worlds_temporary(struct arena *a, const struct worlds *all, struct span bytes)
{
    const char *path;
    int fd = worlds_temporary_file(a, all, &path);
    bool written;

    if (fd < 0)
        return NULL;
    written = file_write(fd, bytes);
    (void)close(fd);
    if (!written)
        (void)file_release_unlink(path);
    return written ? path : NULL;
}

const struct problem *worlds_find_snapshot(struct arena *a, const struct world *w, struct span name,
                                           const struct snapshot **out)
{
    *out = snapshots_find(w->snapshots, name);
    return *out ? NULL
                : problem_new(a, PROBLEM_MISSING, "world %s has no snapshot %.*s", w->name,
                              SPAN_ARG(name));
}

const struct snapshots *worlds_snapshots(const struct world *w)
{
    return w->snapshots;
}

const struct problem *worlds_drop_snapshot(struct arena *a, struct worlds *all, struct world *w,
                                           struct span name)
{
    const struct snapshot *s;
    const struct problem *p = worlds_find_snapshot(a, w, name, &s);
    const char *path;

    if (p)
        return p;
    if (w->copies) /* it may be about to be replaced */
        return problem_new(a, PROBLEM_WAITS, "world %s is being copied", w->name);
    path = all->options.folder ? world_files_snapshot(a, all->options.folder, world_name(w), name)
                               : NULL;
    if (path && file_release_unlink(path) &&
        errno != ENOENT) /* else it would exist again after the next start */
        return problem_new(a, PROBLEM_FAILED, "the file of snapshot %.*s cannot be removed: %s",
                           SPAN_ARG(name), strerror(errno));
    snapshots_remove(w->snapshots, name);
    worlds_touch(all, w);
    return NULL;
}
