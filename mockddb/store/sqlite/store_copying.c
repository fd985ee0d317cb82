
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file_release.h"
#include "base/file_sync.h"
#include "base/platform.h"
#include "store/convert.h"
#include "store/memory/memory_store.h"
#include "store/sqlite/sql_store.h"

/* A new file is written beside the old one as FILE.new, until it is complete and synced. SQLite
 * finds the write-ahead log by the file's name, so the old log must be deleted before the new file
 * gets the name. Between the two the new file is FILE.next, and store_open completes the
 * replacement first. */
#define FRESH ".new"
#define NEXT  ".next"

#define PAGES_AT_STEP 16

/* Where SQLite locks a file: docs "File Locking And Concurrency". */
#define LOCK_BYTE  0x40000000
#define LOCK_BYTES 512

enum copying_stage { COPY_PAGES, SYNC_FILE, IS_WHOLE, SYNC_FOLDER, IS_LASTING };

struct store_copying {
    struct arena *arena;
    enum copying_stage stage;
    struct store *from;
    struct store_options options;
    struct store *copy;      /* for a file: until it is closed */
    sqlite3_backup *pages;   /* between two databases of SQLite … */
    struct convert *rows;    /* … or row by row, into another engine, … */
    struct store *rows_from; /* … from a store in memory that does not change */
    struct store_options
        fresh; /* the new file; its path is NULL in memory, or when it has its name */
    int fd;    /* of that file while it is made, then of its folder; or -1 */
    struct file_sync *sync;
    const char *problem;
};

static const char *beside(struct arena *a, const char *path, const char *ending)
{
    return arena_printf(a, "%s%s", path, ending);
}

const char *store_next_path(struct arena *a, const char *path)
{
    return beside(a, path, NEXT);
}

static const char *cannot_replace(struct arena *a, const struct store_options *options)
{
    return arena_printf(a, "%s cannot be replaced: %s", store_name(options), strerror(errno));
}

void store_remove(struct arena *a, const char *path)
{
    static const char *const endings[] = {NEXT, "", "-wal", "-shm", "-journal"};

    for (size_t i = 0; i < COUNT(endings); i++)
        (void)file_release_unlink(beside(a, path, endings[i]));
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Begins a copy to or from a store in memory. A copy of one in memory is complete at once. */
static void begin_rows(struct store_copying *c)
{
    bool is_in_memory = c->from->engine == &store_in_memory;

    c->rows_from = is_in_memory ? memory_store_copy(c->from) : NULL;
    if (!c->fresh.path && is_in_memory) {
        c->copy = c->rows_from;
        c->rows_from = NULL;
        c->stage = IS_WHOLE;
        return;
    }
    c->copy = c->fresh.path ? store_open_empty(c->arena, &c->fresh, &c->problem)
                            : memory_store_open();
    if (c->copy)
        c->rows = convert_new(is_in_memory ? c->rows_from : c->from, c->copy);
}

/* Opens the copy, which is empty. Snapshots of a file in memory have pages. */
static void begin_copy(struct store_copying *c)
{
    if (c->fresh.path)
        store_remove(c->arena, c->fresh.path);
    if (store_flush(c->from, c->arena)) {
        c->problem = "the changes before the copy cannot be saved";
        return;
    }
    if (c->from->engine == &store_in_memory || (!c->fresh.path && !c->from->in_file)) {
        begin_rows(c);
        if (c->fresh.path && c->options.sync != STORE_SYNC_OFF)
            c->fd = open(c->fresh.path, O_RDONLY | O_CLOEXEC);
        return;
    }
    if (!(c->copy = store_open_blank(c->arena, &c->fresh, &c->problem)))
        return;
    c->pages = sqlite3_backup_init(sql_store_db(c->copy)->handle, "main",
                                   sql_store_db(c->from)->handle, "main");
    if (!c->pages)
        c->problem = store_explain(c->arena, c->copy, &c->fresh);
    if (c->fresh.path && c->options.sync != STORE_SYNC_OFF)
        c->fd = open(c->fresh.path, O_RDONLY | O_CLOEXEC);
}

static void begin_sync(struct store_copying *c, enum copying_stage stage)
{
    if (c->fd < 0)
        c->problem = cannot_replace(c->arena, &c->options);
    else
        c->sync = file_sync_begin(c->fd);
    c->stage = stage;
}

/* Closes the file before it is opened under its name: a later close would end SQLite's locks. */
static bool end_sync(struct store_copying *c)
{
    bool done = file_sync_end(c->sync);

    c->sync = NULL;
    if (!done)
        c->problem = cannot_replace(c->arena, &c->options);
    (void)close(c->fd);
    c->fd = -1;
    return done;
}

/* A file is closed, so that all of it is in the file, not the log. */
static void finish_copy(struct store_copying *c)
{
    c->stage = IS_WHOLE;
    if (!c->fresh.path || c->problem)
        return;
    store_free(c->copy);
    c->copy = NULL;
    (void)unlink(beside(c->arena, c->fresh.path, "-journal")); /* from the copying, which is over */
    if (access(beside(c->arena, c->fresh.path, "-wal"), F_OK) == 0)
        c->problem = arena_printf(c->arena, "%s cannot be finished", store_name(&c->fresh));
    else if (c->options.sync != STORE_SYNC_OFF)
        begin_sync(c, SYNC_FILE);
}

/* Called when all pages are copied, or failed. */
static void finish_pages(struct store_copying *c, bool all)
{
    bool copied = sqlite3_backup_finish(c->pages) == SQLITE_OK && all;

    c->pages = NULL;
    c->problem = copied ? store_take_figures(c->arena, c->copy, c->from, &c->fresh)
                        : store_explain(c->arena, c->copy, &c->fresh);
    finish_copy(c);
}

/* Copies rows; the last ones end the copy. */
static void copy_rows(struct store_copying *c)
{
    struct arena *a = arena_new();
    bool more;

    if (convert_step(c->rows, a, &more))
        c->problem = arena_printf(c->arena, "%s cannot be copied", store_name(&c->fresh));
    else if (!more && c->fresh.path)
        c->problem = store_end_rows(c->arena, c->copy, &c->fresh);
    arena_free(a);
    if (!more || c->problem)
        finish_copy(c);
}

struct store_copying *store_copying_new(struct store *from, const struct store_options *options)
{
    struct store_copying *c = process_zeroed(sizeof *c);

    assert(!from->unit_count);
    c->arena = arena_new();
    c->from = from;
    c->options = *options;
    c->fd = -1;
    if (options->path) {
        c->options.path = arena_text(c->arena, span_of(options->path));
        c->fresh.path = beside(c->arena, options->path, FRESH);
    }
    if (options->name)
        c->options.name = c->fresh.name = arena_text(c->arena, span_of(options->name));
    begin_copy(c);
    return c;
}

bool store_copying_waits(const struct store_copying *c)
{
    return c->sync && !file_sync_is_over(c->sync);
}

bool store_copying_step(struct store_copying *c, bool wait)
{
    if (c->problem)
        return true;
    if (!wait && store_copying_waits(c))
        return false;
    if (c->rows && c->stage == COPY_PAGES) {
        copy_rows(c);
        if (c->stage == COPY_PAGES && c->fd >= 0)
            platform_begin_writing(c->fd);
    } else if (c->stage == COPY_PAGES) {
        int result = sqlite3_backup_step(c->pages, PAGES_AT_STEP);

        /* The system is asked to write a file while it grows, so that little is left for the end.
         */
        if (result != SQLITE_OK)
            finish_pages(c, result == SQLITE_DONE);
        else if (c->fd >= 0)
            platform_begin_writing(c->fd);
    } else if (c->stage == SYNC_FILE && end_sync(c))
        c->stage = IS_WHOLE;
    else if (c->stage == SYNC_FOLDER && end_sync(c))
        c->stage = IS_LASTING;
    return c->problem || c->stage == IS_WHOLE || c->stage == IS_LASTING;
}

void store_copying_free(struct store_copying *c)
{
    if (!c)
        return;
    (void)file_sync_end(c->sync);
    if (c->fd >= 0)
        (void)close(c->fd);
    sqlite3_backup_finish(c->pages);
    convert_free(c->rows);
    store_free(c->rows_from);
    store_free(c->copy);
    if (c->fresh.path)
        store_remove(c->arena, c->fresh.path);
    arena_free(c->arena);
    free(c);
}

/* --- taking the place ------------------------------------------------------------------------- */

/* Replaces the file that was just closed by the new one. */
static const char *take_name(struct store_copying *c)
{
    const char *path = c->options.path, *next = store_next_path(c->arena, path);
    bool is_old = access(path, F_OK) == 0;

    if (!is_old) /* a log without its file has no use */
        store_remove(c->arena, path);
    if (rename(c->fresh.path, is_old ? next : path))
        return cannot_replace(c->arena, &c->options);
    c->fresh.path = NULL;
    return is_old ? store_finish_placing(c->arena, &c->options) : NULL;
}

bool store_is_in_use(const char *path)
{
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_BYTE, .l_len = LOCK_BYTES};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool locked = fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;

    if (fd >= 0)
        (void)close(fd);
    return locked;
}

const char *store_finish_placing(struct arena *a, const struct store_options *options)
{
    const char *path = options->path, *next = store_next_path(a, path);

    if (access(next, F_OK) != 0 || store_is_in_use(path))
        return NULL;
    if ((file_release_unlink(beside(a, path, "-wal")) && errno != ENOENT) ||
        file_release_rename(next, path))
        return cannot_replace(a, options);
    return NULL;
}

static const char *place_file(struct arena *a, struct store_copying *c, struct store **s)
{
    const char *problem, *again = NULL;
    bool replaces = s && *s;

    if (replaces) {
        store_leave_log(*s);
        store_free(*s);
    }
    problem = take_name(c);
    if (replaces || (s && !problem))
        *s = store_open(a, &c->options, &again);
    return problem ? arena_text(a, span_of(problem)) : again;
}

const char *store_copying_place(struct arena *a, struct store_copying *c, struct store **s)
{
    const char *problem;

    if (c->problem)
        return arena_text(a, span_of(c->problem));
    assert(c->stage == IS_WHOLE);
    c->stage = IS_LASTING;
    if (!c->options.path) {
        store_free(*s);
        *s = c->copy;
        c->copy = NULL;
        return NULL;
    }
    if ((problem = place_file(a, c, s)) || c->options.sync == STORE_SYNC_OFF)
        return problem;
    c->fd = open(dirname(arena_text(c->arena, span_of(c->options.path))),
                 O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    begin_sync(c, SYNC_FOLDER);
    return NULL;
}

const char *store_copying_problem(const struct store_copying *c)
{
    return c->problem;
}
