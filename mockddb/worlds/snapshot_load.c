#include "worlds/snapshot_load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_release.h"
#include "base/log.h"
#include "store/store_rebuild.h"
#include "worlds/snapshot_check.h"
#include "worlds/snapshot_file.h"
#include "worlds/world_files.h"

#define PIECE ((size_t)512 * 1024) /* bytes added to the checksum in a slice */

struct snapshot_load {
    struct arena *arena;
    int fd;
    unsigned char end[SNAPSHOT_TAIL_LEN]; /* of the file, … */
    struct snapshot_tail tail;            /* … and its content */
    char *room;         /* buffer for a piece; NULL once the checksum was verified */
    struct digest *sum; /* of the bytes read so far */
    size_t read;
    struct store_rebuild *rebuild; /* NULL once the store exists, … */
    struct store *store;
    struct snapshot_check *check; /* … and is checked */
    const char *problem;
};

static const char *read_tail(struct snapshot_load *l)
{
    struct stat found;
    size_t len;

    if (fstat(l->fd, &found))
        return arena_printf(l->arena, "the file cannot be read: %s", strerror(errno));
    if (found.st_size < (off_t)SNAPSHOT_TAIL_LEN)
        return snapshot_file_missing;
    len = (size_t)found.st_size - SNAPSHOT_TAIL_LEN;
    if (pread(l->fd, l->end, sizeof l->end, (off_t)len) != (ssize_t)sizeof l->end)
        return snapshot_file_missing;
    return snapshot_file_read(l->end, len, &l->tail);
}

struct snapshot_load *snapshot_load_begin(const char *path)
{
    struct snapshot_load *l = process_zeroed(sizeof *l);

    l->arena = arena_new();
    if ((l->fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        l->problem = arena_printf(l->arena, "the file cannot be read: %s", strerror(errno));
    else
        l->problem = read_tail(l);
    l->room = process_malloc(PIECE);
    l->sum = digest_begin(DIGEST_SHA256);
    return l;
}

static const char *sum_on(struct snapshot_load *l)
{
    size_t left = l->tail.store_len - l->read, want = left < PIECE ? left : PIECE;
    ssize_t got;

    if (!left) {
        unsigned char sum[SHA256_LEN];
        const char *problem = NULL;

        free(l->room);
        l->room = NULL;
        digest_add(l->sum, (struct span){(char *)l->end, SNAPSHOT_SUM_AT});
        digest_end(l->sum, sum);
        l->sum = NULL;
        if (memcmp(sum, l->end + SNAPSHOT_SUM_AT, sizeof sum) != 0)
            return snapshot_file_damaged;
        l->rebuild = store_rebuild_begin(l->arena, l->fd, l->tail.store_len, &problem);
        return problem;
    }
    if ((got = pread(l->fd, l->room, want, (off_t)l->read)) <= 0)
        return snapshot_file_damaged;
    digest_add(l->sum, (struct span){l->room, (size_t)got});
    l->read += (size_t)got;
    return NULL;
}

static const char *rebuild_on(struct snapshot_load *l)
{
    bool more;
    const char *problem = store_rebuild_step(l->rebuild, &more);

    if (problem || more)
        return problem;
    l->store = store_rebuild_take(l->rebuild);
    store_rebuild_free(l->rebuild);
    l->rebuild = NULL;
    l->check = snapshot_check_begin(l->arena, l->store);
    return NULL;
}

bool snapshot_load_step(struct snapshot_load *l)
{
    bool more = true;

    if (!l->problem)
        l->problem = l->room      ? sum_on(l)
                     : l->rebuild ? rebuild_on(l)
                                  : snapshot_check_step(l->check, &more);
    return l->problem || !more;
}

const char *snapshot_load_take(struct snapshot_load *l, struct arena *a, struct snapshot *out)
{
    if (l->problem)
        return arena_text(a, span_of(l->problem));
    *out = (struct snapshot){.state = {l->store, l->tail.time},
                             .taken_ms = l->tail.taken_ms,
                             .content = snapshot_check_content(l->check)};
    snapshot_check_end(l->check);
    l->check = NULL;
    l->store = NULL;
    return NULL;
}

void snapshot_load_free(struct snapshot_load *l)
{
    if (!l)
        return;
    snapshot_check_end(l->check);
    store_free(l->store);
    store_rebuild_free(l->rebuild);
    if (l->sum)
        digest_end(l->sum, NULL);
    free(l->room);
    file_release_close(l->fd); /* an uploaded file has no name any more */
    arena_free(l->arena);
    free(l);
}

/* --- all snapshots of a world ------------------------------------------------------------------
 */

struct snapshot_load_all {
    struct arena *arena;
    const char *folder;
    struct span world;
    struct world_files_list list;
    size_t next; /* in the list; the one before it is being loaded */
    struct snapshot_load *load;
    struct snapshots *all;
};

struct snapshot_load_all *snapshot_load_all_begin(const char *folder, struct span world)
{
    struct snapshot_load_all *o = process_zeroed(sizeof *o);

    o->arena = arena_new();
    o->folder = folder;
    o->world = arena_span(o->arena, world);
    o->all = snapshots_new();
    if (folder)
        world_files_snapshots(o->arena, folder, world, &o->list);
    return o;
}

static const char *path_of_snapshot(const struct snapshot_load_all *o, struct span name)
{
    return world_files_snapshot(o->arena, o->folder, o->world, name);
}

static void keep_loaded(struct snapshot_load_all *o)
{
    struct span name = o->list.names[o->next - 1];
    struct snapshot loaded;
    const char *problem = snapshot_load_take(o->load, o->arena, &loaded);

    if (problem)
        log_error("%s: %s", path_of_snapshot(o, name), problem);
    else
        snapshots_adopt(o->all, name, &loaded);
    snapshot_load_free(o->load);
    o->load = NULL;
}

bool snapshot_load_all_step(struct snapshot_load_all *o)
{
    if (!o->load && (o->next == o->list.count ||
                     snapshots_check_room(o->arena, o->all, o->list.names[o->next])))
        return true;
    if (!o->load)
        o->load = snapshot_load_begin(path_of_snapshot(o, o->list.names[o->next++]));
    if (snapshot_load_step(o->load))
        keep_loaded(o);
    return false;
}

struct snapshots *snapshot_load_all_take(struct snapshot_load_all *o)
{
    struct snapshots *all = o->all;

    o->all = NULL;
    return all;
}

void snapshot_load_all_free(struct snapshot_load_all *o)
{
    if (!o)
        return;
    snapshot_load_free(o->load);
    snapshots_free(o->all);
    arena_free(o->arena);
    free(o);
}
