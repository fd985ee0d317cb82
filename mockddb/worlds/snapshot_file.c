#define _GNU_SOURCE /* sync_file_range */
#include "worlds/snapshot_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_sync.h"
#include "base/sha256.h"
#include "worlds/snapshot_check.h"

/* All numbers are little-endian. */
enum {
    AT_STORE_LEN = 0,
    AT_TAKEN = 8,
    AT_NOW = 16,
    AT_RATE = 24, /* a double's bits */
    AT_FLAGS = 32,
    AT_VERSION = 36,
    AT_SUM = 40, /* SHA-256 of all that comes before it */
    AT_MARK = AT_SUM + SHA256_LEN,
    TAIL_LEN = AT_MARK + 16
};

#define VERSION    1
#define FLAG_MOVED 1u /* the clock is not the system's */

static const char mark[16] = "mockddb-snapshot";

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

/* --- writing ---------------------------------------------------------------------------------- */

static const char *why(struct arena *a, const char *path)
{
    return arena_printf(a, "%s: %s", path, strerror(errno));
}

/* The file's bytes, to be unmapped; at NULL where that cannot be. */
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
    if (bytes.at)
        (void)munmap((void *)(uintptr_t)bytes.at, bytes.len);
}

static void write_tail(unsigned char *tail, size_t store_len, const struct clock_time *time,
                       int64_t taken_ms)
{
    uint64_t rate;

    memcpy(&rate, &time->rate, sizeof rate);
    put_number(tail + AT_STORE_LEN, store_len, 8);
    put_number(tail + AT_TAKEN, (uint64_t)taken_ms, 8);
    put_number(tail + AT_NOW, (uint64_t)time->now_ms, 8);
    put_number(tail + AT_RATE, rate, 8);
    put_number(tail + AT_FLAGS, time->moved ? FLAG_MOVED : 0, 4);
    put_number(tail + AT_VERSION, VERSION, 4);
    memcpy(tail + AT_MARK, mark, sizeof mark);
}

#define PIECE ((size_t)1 << 20) /* that is added to the sum at a time */

enum stage { WRITE_STORE, ADD_UP, SYNC_FILE, IS_WHOLE, SYNC_FOLDER, IS_LASTING };

struct snapshot_writing {
    struct arena *arena;
    enum stage stage;
    const char *path;
    const char *fresh; /* NULL: it has its name */
    struct world_state state;
    int64_t taken_ms;
    struct store_copying *copying;
    int fd, folder;
    struct span bytes; /* of the store's file, mapped */
    size_t added;      /* of them, to the sum */
    struct sha256 *sum;
    struct file_sync *sync;
    const char *problem;
};

struct snapshot_writing *snapshot_file_new(const char *path, const struct world_state *state,
                                           int64_t taken_ms)
{
    struct snapshot_writing *w = calloc(1, sizeof *w);
    struct store_options options = {.sync = STORE_SYNC_OFF}; /* what is synced is the whole */

    if (!w)
        process_out_of_memory();
    w->arena = arena_new();
    w->path = arena_text(w->arena, span_of(path));
    options.path = w->fresh = arena_printf(w->arena, "%s.part", path);
    w->state = *state;
    w->taken_ms = taken_ms;
    w->folder = w->fd = -1;
    store_remove(w->arena, w->fresh);
    (void)store_share(state->store);
    w->copying = store_copying_new(state->store, &options);
    return w;
}

/* The store's file is whole; what comes behind it is opened here, so that once the file has its
 * name only the folder's own fault can follow. */
static void begin_tail(struct snapshot_writing *w)
{
    const char *in = dirname(arena_text(w->arena, span_of(w->path)));

    if ((w->problem = store_copying_place(w->arena, w->copying, NULL)))
        return;
    w->folder = open(in, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    w->fd = open(w->fresh, O_RDWR | O_CLOEXEC | O_APPEND);
    if (w->folder < 0 || w->fd < 0 || !(w->bytes = map(w->fd)).at)
        w->problem = why(w->arena, w->path);
    w->sum = sha256_begin();
    w->stage = ADD_UP;
}

/* The sum goes over the store's bytes and what the tail says before it. */
static bool write_end(struct snapshot_writing *w)
{
    unsigned char tail[TAIL_LEN];

    write_tail(tail, w->bytes.len, &w->state.time, w->taken_ms);
    sha256_add(w->sum, (struct span){(char *)tail, AT_SUM});
    sha256_end(w->sum, tail + AT_SUM);
    w->sum = NULL;
    return file_write(w->fd, (struct span){(char *)tail, TAIL_LEN});
}

static void add_up(struct snapshot_writing *w)
{
    struct span piece = span_from(w->bytes, w->added);

    if (piece.len > PIECE)
        piece.len = PIECE;
    sha256_add(w->sum, piece);
    w->added += piece.len;
    (void)sync_file_range(w->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
    if (w->added < w->bytes.len)
        return;
    if (!write_end(w))
        w->problem = why(w->arena, w->path);
    w->sync = file_sync_begin(w->fd);
    w->stage = SYNC_FILE;
}

static void end_sync(struct snapshot_writing *w)
{
    if (!file_sync_end(w->sync))
        w->problem = why(w->arena, w->path);
    w->sync = NULL;
    w->stage++;
}

bool snapshot_file_step(struct snapshot_writing *w, bool wait)
{
    if (w->problem)
        return true;
    if (w->sync && !wait && !file_sync_is_over(w->sync))
        return false;
    if (w->sync)
        end_sync(w);
    else if (w->stage == ADD_UP)
        add_up(w);
    else if (w->stage == WRITE_STORE && store_copying_step(w->copying, wait))
        begin_tail(w);
    return w->problem || w->stage == IS_WHOLE || w->stage == IS_LASTING;
}

const char *snapshot_file_place(struct arena *a, struct snapshot_writing *w)
{
    if (!w->problem && rename(w->fresh, w->path))
        w->problem = why(w->arena, w->path);
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
    unmap(w->bytes);
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

const char *snapshot_file_write(struct arena *a, const char *path, const struct world_state *state,
                                int64_t taken_ms)
{
    struct snapshot_writing *w = snapshot_file_new(path, state, taken_ms);
    const char *problem;

    while (!snapshot_file_step(w, true))
        continue;
    if (!(problem = snapshot_file_place(a, w))) {
        while (!snapshot_file_step(w, true))
            continue;
        if (w->problem)
            problem = arena_text(a, span_of(w->problem));
    }
    snapshot_file_free(w);
    return problem;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* What a file has. */
struct parts {
    struct span store; /* bytes of the store's own file */
    struct clock_time time;
    int64_t taken_ms; /* real time */
};

static bool is_sound(const struct parts *f)
{
    return f->time.now_ms >= 0 && f->time.now_ms <= CLOCK_LAST_MS && f->taken_ms >= 0 &&
           f->taken_ms <= CLOCK_LAST_MS && f->time.rate >= 0 && f->time.rate <= 100000;
}

/* Looks at the bytes of a file; what it finds points into them. NULL, or one sentence: no snapshot,
 * of a newer form, or damaged. */
static const char *parse(struct span bytes, struct parts *out)
{
    const unsigned char *tail;
    unsigned char sum[SHA256_LEN];
    uint64_t rate;

    if (bytes.len < TAIL_LEN)
        return "this is no snapshot of mockddb, or its end is missing";
    tail = (const unsigned char *)bytes.at + bytes.len - TAIL_LEN;
    if (memcmp(tail + AT_MARK, mark, sizeof mark) != 0)
        return "this is no snapshot of mockddb, or its end is missing";
    if (get_number(tail + AT_VERSION, 4) != VERSION)
        return "this snapshot was written by a newer mockddb";
    sha256_of((struct span){bytes.at, bytes.len - TAIL_LEN + AT_SUM}, sum);
    if (memcmp(sum, tail + AT_SUM, sizeof sum) != 0 ||
        get_number(tail + AT_STORE_LEN, 8) != bytes.len - TAIL_LEN)
        return "this snapshot is damaged";
    rate = get_number(tail + AT_RATE, 8);
    memcpy(&out->time.rate, &rate, sizeof rate);
    out->time.now_ms = (int64_t)get_number(tail + AT_NOW, 8);
    out->time.moved = get_number(tail + AT_FLAGS, 4) & FLAG_MOVED;
    out->taken_ms = (int64_t)get_number(tail + AT_TAKEN, 8);
    out->store = (struct span){bytes.at, bytes.len - TAIL_LEN};
    return is_sound(out) ? NULL : "this snapshot is damaged";
}

static const char *load_store(struct arena *a, const char *path, struct store **out)
{
    const struct store_options in_file = {.path = path, .sync = STORE_SYNC_OFF, .check = true};
    const struct store_options in_memory = {.path = NULL};
    const char *problem = NULL;
    struct store *file = store_open(a, &in_file, &problem);

    if (file && !(problem = snapshot_check(a, file)))
        *out = store_copy(a, file, &in_memory, &problem);
    store_free(file);
    return problem;
}

static const char *load_bytes(struct arena *a, const char *path, struct span bytes,
                              struct world_state *out)
{
    const char *problem = NULL;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0 || !file_write(fd, bytes))
        problem = why(a, path);
    if (fd >= 0)
        (void)close(fd);
    return problem ? problem : load_store(a, path, &out->store);
}

const char *snapshot_file_load(struct arena *a, const char *path, struct world_state *out,
                               int64_t *taken_ms)
{
    const char *plain = arena_printf(a, "%s.store", path), *problem;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct parts file;
    struct span bytes;

    if (fd < 0)
        return why(a, path);
    bytes = map(fd);
    (void)close(fd);
    store_remove(a, plain);
    if (!(problem = parse(bytes, &file)) && !(problem = load_bytes(a, plain, file.store, out))) {
        out->time = file.time;
        *taken_ms = file.taken_ms;
    }
    unmap(bytes);
    store_remove(a, plain);
    return problem;
}
