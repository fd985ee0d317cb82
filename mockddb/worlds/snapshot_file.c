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

/* --- the end of the file ---------------------------------------------------------------------- */

/* All numbers are little-endian. */
enum {
    AT_STORE_LEN = 0,
    AT_TAKEN = 8,
    AT_NOW = 16,
    AT_RATE = 24, /* bits of a double */
    AT_FLAGS = 32,
    AT_VERSION = 36,
    AT_MARK = SNAPSHOT_SUM_AT + SHA256_LEN
};

#define VERSION    1
#define FLAG_MOVED 1u /* the clock is not the system's */

static const char mark[16] = "mockddb-snapshot";

const char snapshot_file_missing[] = "this is not a snapshot of mockddb, or its end is missing";
const char snapshot_file_damaged[] = "this snapshot is damaged";

static void put_number(unsigned char *at, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)(number >> (8 * i));
}

static uint64_t get_number(const unsigned char *at, size_t bytes)
{
    uint64_t number = 0;

    for (size_t i = 0; i < bytes; i++)
        number |= (uint64_t)at[i] << (8 * i);
    return number;
}

static bool is_sound(const struct snapshot_tail *t)
{
    return t->time.now_ms >= 0 && t->time.now_ms <= CLOCK_LAST_MS && t->taken_ms >= 0 &&
           t->taken_ms <= CLOCK_LAST_MS && t->time.rate >= 0 && t->time.rate <= 100000;
}

const char *snapshot_file_read(const unsigned char bytes[SNAPSHOT_TAIL_LEN], size_t store_len,
                               struct snapshot_tail *out)
{
    uint64_t rate = get_number(bytes + AT_RATE, 8);

    if (memcmp(bytes + AT_MARK, mark, sizeof mark) != 0)
        return snapshot_file_missing;
    if (get_number(bytes + AT_VERSION, 4) != VERSION)
        return "this snapshot was written by a newer mockddb";
    *out = (struct snapshot_tail){.store_len = store_len,
                                  .taken_ms = (int64_t)get_number(bytes + AT_TAKEN, 8)};
    memcpy(&out->time.rate, &rate, sizeof rate);
    out->time.now_ms = (int64_t)get_number(bytes + AT_NOW, 8);
    out->time.moved = get_number(bytes + AT_FLAGS, 4) & FLAG_MOVED;
    return get_number(bytes + AT_STORE_LEN, 8) == store_len && is_sound(out)
               ? NULL
               : snapshot_file_damaged;
}

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
    ADD_CHECKSUM, /* the store's part is synced beside this, … */
    SYNC_STORE,
    SYNC_FILE, /* … so that only the tail is left here */
    CONTENT_WRITTEN,
    SYNC_FOLDER,
    NAME_SYNCED
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
    struct digest *sum;
    struct file_sync *sync;
    const char *problem;
};

struct snapshot_writing *snapshot_file_new(const char *path, struct span name,
                                           const struct world_state *state, int64_t taken_ms)
{
    struct snapshot_writing *w = process_zeroed(sizeof *w);
    struct store_options options = {
        .sync = STORE_SYNC_OFF}; /* the file is synced once, when it is whole */

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
    w->sum = digest_begin(DIGEST_SHA256);
    w->sync = file_sync_begin(w->fd);
    w->stage = ADD_CHECKSUM;
}

/* The checksum covers the store's bytes and the tail before it. */
static bool write_tail(struct snapshot_writing *w)
{
    unsigned char tail[SNAPSHOT_TAIL_LEN];
    const struct snapshot_tail values = {w->bytes.len, w->state.time, w->taken_ms};
    uint64_t rate;

    /* Writes everything but the checksum, which the caller adds. */
    memcpy(&rate, &values.time.rate, sizeof rate);
    put_number(tail + AT_STORE_LEN, values.store_len, 8);
    put_number(tail + AT_TAKEN, (uint64_t)values.taken_ms, 8);
    put_number(tail + AT_NOW, (uint64_t)values.time.now_ms, 8);
    put_number(tail + AT_RATE, rate, 8);
    put_number(tail + AT_FLAGS, values.time.moved ? FLAG_MOVED : 0, 4);
    put_number(tail + AT_VERSION, VERSION, 4);
    memcpy(tail + AT_MARK, mark, sizeof mark);
    digest_add(w->sum, (struct span){(char *)tail, SNAPSHOT_SUM_AT});
    digest_end(w->sum, tail + SNAPSHOT_SUM_AT);
    w->sum = NULL;
    return file_write(w->fd, (struct span){(char *)tail, SNAPSHOT_TAIL_LEN});
}

bool snapshot_file_waits(const struct snapshot_writing *w)
{
    return w->stage > ADD_CHECKSUM && w->sync && !file_sync_is_over(w->sync);
}

bool snapshot_file_step(struct snapshot_writing *w)
{
    if (w->problem)
        return true;
    if (snapshot_file_waits(w))
        return false;
    if (w->stage == ADD_CHECKSUM) {
        struct span piece = span_from(w->bytes, w->added);

        if (piece.len > PIECE)
            piece.len = PIECE;
        digest_add(w->sum, piece);
        unmap(piece);
        w->added += piece.len;
        if (w->added == w->bytes.len)
            w->stage = SYNC_STORE;
    } else if (w->sync) {
        bool done = file_sync_end(w->sync);

        w->sync = NULL;
        if (!done || (w->stage == SYNC_STORE && !write_tail(w)))
            w->problem = file_error(w->arena, w->name);
        else if (w->stage == SYNC_STORE)
            w->sync = file_sync_begin(w->fd);
        w->stage++;
    } else if (w->stage == WRITE_STORE && store_copying_step(w->copying, false))
        begin_tail(w);
    return w->problem || w->stage == CONTENT_WRITTEN || w->stage == NAME_SYNCED;
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
        digest_end(w->sum, NULL);
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
