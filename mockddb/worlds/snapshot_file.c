#include "worlds/snapshot_file.h"

#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_release.h"
#include "base/file_sync.h"
#include "base/sha256.h"
#include "worlds/snapshot_tail.h"

/* --- writing ---------------------------------------------------------------------------------- */

/* Maps the file's bytes; the caller unmaps them. `at` is NULL on failure. */
static struct span map(int fd)
{
    struct stat found;
    void *at;

    if (fstat(fd, &found) || found.st_size <= 0)
        return (struct span){NULL, 0};
    at = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    return at == MAP_FAILED ? (struct span){NULL, 0} : (struct span){at, (size_t)found.st_size};
}

static void unmap(struct span bytes)
{
    if (bytes.len)
        (void)munmap((void *)(uintptr_t)bytes.at, bytes.len);
}

#define PIECE ((size_t)1 << 20) /* added to the checksum at a time */

enum writing_stage {
    WRITE_STORE,
    ADD_UP, /* the store's part is synced beside this, … */
    SYNC_STORE,
    SYNC_FILE, /* … so that only the tail is left here */
    IS_WHOLE,
    SYNC_FOLDER,
    IS_LASTING
};

struct snapshot_writing {
    struct arena *arena;
    enum writing_stage stage;
    const char *path;
    const char *name;  /* name of the snapshot in messages */
    const char *fresh; /* temporary name; NULL: it has its own name */
    struct world_state state;
    int64_t taken_ms;
    struct store_copying *copying;
    int fd, folder;
    struct span bytes; /* of the store's file */
    size_t added;      /* of them, to the sum; the rest is mapped */
    struct sha256 *sum;
    struct file_sync *sync;
    const char *problem;
};

struct snapshot_writing *snapshot_file_new(const char *path, struct span name,
                                           const struct world_state *state, int64_t taken_ms)
{
    struct snapshot_writing *w = calloc(1, sizeof *w);
    struct store_options options = {
        .sync = STORE_SYNC_OFF}; /* the file is synced once, when it is whole */

    if (!w)
        process_out_of_memory();
    w->arena = arena_new();
    w->path = arena_text(w->arena, span_of(path));
    options.name = w->name = arena_printf(w->arena, "snapshot %.*s", SPAN_ARG(name));
    options.path = w->fresh = arena_printf(w->arena, "%s.part", path);
    w->state = *state;
    w->taken_ms = taken_ms;
    w->folder = w->fd = -1;
    store_remove(w->arena, w->fresh);
    (void)store_share(state->store);
    w->copying = store_copying_new(state->store, &options);
    return w;
}

/* The store's file is written. Opens what is needed after it, so that once the file has its name
 * only the folder can fail. */
static void begin_tail(struct snapshot_writing *w)
{
    const char *in = dirname(arena_text(w->arena, span_of(w->path)));

    if ((w->problem = store_copying_place(w->arena, w->copying, NULL)))
        return;
    w->folder = open(in, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    w->fd = open(w->fresh, O_RDWR | O_CLOEXEC | O_APPEND);
    if (w->folder < 0 || w->fd < 0 || !(w->bytes = map(w->fd)).at) {
        w->problem = file_error(w->arena, w->name);
        return;
    }
    w->sum = sha256_begin();
    w->sync = file_sync_begin(w->fd);
    w->stage = ADD_UP;
}

static void add_up(struct snapshot_writing *w)
{
    struct span piece = span_from(w->bytes, w->added);

    if (piece.len > PIECE)
        piece.len = PIECE;
    sha256_add(w->sum, piece);
    unmap(piece);
    w->added += piece.len;
    if (w->added == w->bytes.len)
        w->stage = SYNC_STORE;
}

/* The checksum covers the store's bytes and the tail before it. */
static bool write_tail(struct snapshot_writing *w)
{
    unsigned char tail[SNAPSHOT_TAIL_LEN];
    const struct snapshot_tail said = {w->bytes.len, w->state.time, w->taken_ms};

    snapshot_tail_write(tail, &said);
    sha256_add(w->sum, (struct span){(char *)tail, SNAPSHOT_SUM_AT});
    sha256_end(w->sum, tail + SNAPSHOT_SUM_AT);
    w->sum = NULL;
    return file_write(w->fd, (struct span){(char *)tail, SNAPSHOT_TAIL_LEN});
}

static void end_sync(struct snapshot_writing *w)
{
    bool done = file_sync_end(w->sync);

    w->sync = NULL;
    if (!done || (w->stage == SYNC_STORE && !write_tail(w)))
        w->problem = file_error(w->arena, w->name);
    else if (w->stage == SYNC_STORE)
        w->sync = file_sync_begin(w->fd);
    w->stage++;
}

bool snapshot_file_waits(const struct snapshot_writing *w)
{
    return w->stage > ADD_UP && w->sync && !file_sync_is_over(w->sync);
}

bool snapshot_file_step(struct snapshot_writing *w)
{
    if (w->problem)
        return true;
    if (snapshot_file_waits(w))
        return false;
    if (w->stage == ADD_UP)
        add_up(w);
    else if (w->sync)
        end_sync(w);
    else if (w->stage == WRITE_STORE && store_copying_step(w->copying, false))
        begin_tail(w);
    return w->problem || w->stage == IS_WHOLE || w->stage == IS_LASTING;
}

const char *snapshot_file_place(struct arena *a, struct snapshot_writing *w)
{
    if (!w->problem && file_release_rename(w->fresh, w->path))
        w->problem = file_error(w->arena, w->name);
    if (w->problem)
        return arena_text(a, span_of(w->problem));
    w->fresh = NULL;
    w->sync = file_sync_begin(w->folder);
    w->stage = SYNC_FOLDER;
    return NULL;
}

const char *snapshot_file_problem(const struct snapshot_writing *w)
{
    return w->problem;
}

void snapshot_file_free(struct snapshot_writing *w)
{
    if (!w)
        return;
    (void)file_sync_end(w->sync);
    if (w->sum)
        sha256_end(w->sum, NULL);
    unmap(span_from(w->bytes, w->added));
    if (w->fd >= 0)
        (void)close(w->fd);
    if (w->folder >= 0)
        (void)close(w->folder);
    store_copying_free(w->copying);
    store_free(w->state.store);
    if (w->fresh)
        store_remove(w->arena, w->fresh);
    arena_free(w->arena);
    free(w);
}
