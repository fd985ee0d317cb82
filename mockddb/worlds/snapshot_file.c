#include "worlds/snapshot_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
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

/* The sum goes over the store's bytes and what the tail says before it. */
static bool add_tail(int fd, const struct clock_time *time, int64_t taken_ms)
{
    struct stat found;
    unsigned char tail[TAIL_LEN];
    struct span all;

    if (fstat(fd, &found) || lseek(fd, 0, SEEK_END) < 0)
        return false;
    write_tail(tail, (size_t)found.st_size, time, taken_ms);
    if (!file_write(fd, (struct span){(char *)tail, AT_SUM}) || !(all = map(fd)).at)
        return false;
    sha256_of(all, tail + AT_SUM);
    unmap(all);
    return file_write(fd, (struct span){(char *)tail + AT_SUM, TAIL_LEN - AT_SUM}) && !fsync(fd);
}

/* Once it has its name only the folder's own fault can follow, so that is opened before. */
static const char *finish(struct arena *a, const char *fresh, const char *path,
                          const struct clock_time *time, int64_t taken_ms)
{
    const char *in = dirname(arena_text(a, span_of(path))), *problem = NULL;
    int folder = open(in, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = open(fresh, O_RDWR | O_CLOEXEC);

    if (folder < 0 || fd < 0 || !add_tail(fd, time, taken_ms) || rename(fresh, path))
        problem = why(a, path);
    else if (fsync(folder))
        problem = why(a, in);
    if (fd >= 0)
        (void)close(fd);
    if (folder >= 0)
        (void)close(folder);
    return problem;
}

const char *snapshot_file_write(struct arena *a, const char *path, const struct world_state *state,
                                int64_t taken_ms)
{
    const char *fresh = arena_printf(a, "%s.new", path);
    const struct store_options options = {.path = fresh, .sync = STORE_SYNC_OFF};
    const char *problem = store_save(a, state->store, &options); /* what is synced is the whole */

    if (!problem)
        problem = finish(a, fresh, path, &state->time, taken_ms);
    if (problem)
        store_remove(a, fresh);
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
