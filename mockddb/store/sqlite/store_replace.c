#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <unistd.h>

#include "store/sqlite/store_core.h"

/* A new file is made beside the old one, whole and closed, and takes its name in one step. What
 * SQLite keeps beside a file, its write-ahead log, is found by the file's name, so the old one must
 * be gone before: it goes with the last connection. */
struct replacing {
    struct arena *arena;
    const struct store_options *options;
    const char *fresh; /* path of the new file */
};

static const char *failed(const struct replacing *r, const char *path)
{
    return arena_printf(r->arena, "%s cannot be replaced: %s", path, strerror(errno));
}

static const char *beside(const struct replacing *r, const char *path, const char *ending)
{
    return arena_printf(r->arena, "%s%s", path, ending);
}

void store_remove(struct arena *a, const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};

    for (size_t i = 0; i < COUNT(endings); i++)
        (void)unlink(arena_printf(a, "%s%s", path, endings[i]));
}

static const char *sync_path(const struct replacing *r, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const char *problem = NULL;

    if (fd < 0)
        return failed(r, path);
    if (r->options->sync != STORE_SYNC_OFF && fsync(fd))
        problem = failed(r, path);
    (void)close(fd);
    return problem;
}

static const char *sync_folder(const struct replacing *r, const char *path)
{
    return sync_path(r, dirname(arena_text(r->arena, span_of(path))));
}

static const char *write_fresh(const struct replacing *r, struct store *from)
{
    struct store_options options = {.path = r->fresh, .sync = r->options->sync};
    const char *problem = NULL;
    struct store *copy;

    store_remove(r->arena, r->fresh);
    if (!(copy = store_copy(r->arena, from, &options, &problem)))
        return problem;
    store_free(copy);
    (void)unlink(beside(r, r->fresh, "-journal")); /* of the copying, which is over */
    if (access(beside(r, r->fresh, "-wal"), F_OK) == 0)
        return arena_printf(r->arena, "%s cannot be finished", r->fresh);
    return sync_path(r, r->fresh);
}

static const char *take_name(const struct replacing *r)
{
    const char *path = r->options->path;

    if (access(beside(r, path, "-wal"), F_OK) == 0)
        return arena_printf(r->arena, "%s cannot be closed", path);
    if (rename(r->fresh, path))
        return failed(r, path);
    return sync_folder(r, path);
}

static const char *replace_file(const struct replacing *r, struct store **s, struct store *from)
{
    const char *problem = write_fresh(r, from), *again = NULL;

    if (!problem) {
        store_free(*s);
        problem = take_name(r);
        *s = store_open(r->arena, r->options, &again);
    }
    if (problem)
        store_remove(r->arena, r->fresh);
    return problem ? problem : again;
}

static const char *replace_memory(const struct replacing *r, struct store **s, struct store *from)
{
    const char *problem = NULL;
    struct store *copy = store_copy(r->arena, from, r->options, &problem);

    if (!copy)
        return problem;
    store_free(*s);
    *s = copy;
    return NULL;
}

const char *store_save(struct arena *a, struct store *from, const struct store_options *options)
{
    struct replacing r = {.arena = a, .options = options};
    const char *problem;

    r.fresh = beside(&r, options->path, ".new");
    if (!(problem = write_fresh(&r, from)))
        problem = take_name(&r);
    if (problem)
        store_remove(a, r.fresh);
    return problem;
}

const char *store_replace(struct arena *a, struct store **s, struct store *from,
                          const struct store_options *options)
{
    struct replacing r = {.arena = a, .options = options};

    if (!options->path)
        return replace_memory(&r, s, from);
    r.fresh = beside(&r, options->path, ".new");
    return replace_file(&r, s, from);
}
