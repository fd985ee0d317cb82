#include "store/sqlite/sql_memory.h"

#include "base/attributes.h"
#include "base/platform.h"
#include "store/store_memory.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ADDRESSES ((size_t)128 << 30) /* a pool's share of the region; free until used */
#define EARLY     ((size_t)1 << 20)   /* comes from malloc first, so that an idle server is small */

/* Adjacent free slots whose memory was returned to the system, or will be. */
struct slot_run {
    size_t first, count;
    bool returned; /* returned to the system */
};

/* Slots of one size: a database page with SQLite's addition. */
struct pool {
    size_t page, slot;     /* for sizes above `page`, up to `slot` */
    size_t early;          /* bytes from malloc */
    size_t used;           /* slots that were taken at least once */
    void *free;            /* list of returned slots */
    struct slot_run *runs; /* free slots that are not in that list */
    size_t run_count;
};

static struct pool pools[] = {
    {.page = 8192, .slot = 8192 + 512},
};
static char *region; /* NULL: the system has none */

/* Fewer adjacent free slots are kept: returning a part of a huge page splits it. But if such slots
 * are a large part of all, their memory is returned as well. After a table that was written in
 * turns with another, free slots are scattered however SQLite moves pages, since it only renumbers
 * a page in place. */
#define RUN_BYTES    ((size_t)256 * 1024)
#define SPARSE_BYTES ((size_t)4 << 20)  /* in short runs, and … */
#define SPARSE_SHARE 8                  /* … this part of the pool */
#define STEP_SLOTS   8192               /* that a step of the return examines … */
#define STEP_BYTES   ((size_t)32 << 20) /* … or returns, … */
#define STEP_RUNS    1024               /* … in at most this many pieces */

/* Free slots that are being returned to the system, pool by pool. */
static struct {
    struct pool *pool;       /* NULL: no return is in progress */
    unsigned char *free;     /* a bit for each used slot of the pool; NULL: runs are known */
    unsigned char *returned; /* likewise, for free slots whose memory was returned */
    size_t slots;            /* number of bits */
    size_t run;              /* next to return */
} back;

/* SQLite's in-memory journal allocates dozens of blocks of this size for each write, and frees them
 * at the end. malloc is slow with that many, so they are kept here. */
#define JOURNAL_BLOCK 1024
#define JOURNAL_KEPT  512

static struct {
    void *free; /* list of blocks */
    size_t count;
} journal;

/* A list of free blocks: each begins with the next one's address. */
static void push_free(void **list, void *block)
{
    memcpy(block, list, sizeof *list);
    *list = block;
}

static void *pop_free(void **list)
{
    void *block = *list;

    if (block)
        memcpy(list, block, sizeof *list);
    return block;
}

/* The pool for allocations of that size, or NULL. */
static struct pool *pool_for(size_t size)
{
    for (size_t i = 0; region && i < COUNT(pools); i++)
        if (size > pools[i].page && size <= pools[i].slot)
            return &pools[i];
    return NULL;
}

/* The pool that contains the block, or NULL for one of malloc's. */
static struct pool *pool_of(const void *block)
{
    size_t offset = (size_t)((uintptr_t)block - (uintptr_t)region);

    return region && offset < COUNT(pools) * ADDRESSES ? &pools[offset / ADDRESSES] : NULL;
}

static char *slot_at(const struct pool *pool, size_t i)
{
    return region + (size_t)(pool - pools) * ADDRESSES + i * pool->slot;
}

static void *take_from_run(struct pool *pool)
{
    struct slot_run *run = &pool->runs[pool->run_count - 1];

    if (run->count == 1)
        pool->run_count--;
    return slot_at(pool, run->first + --run->count);
}

static bool has_bit(const unsigned char *bits, size_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

static void set_bit(unsigned char *bits, size_t i)
{
    bits[i / 8] |= (unsigned char)(1U << i % 8);
}

/* Finds the next adjacent free slots at or after `from`, of at most STEP_BYTES. */
static bool next_run(const struct pool *pool, size_t from, struct slot_run *out)
{
    while (from < back.slots && !has_bit(back.free, from))
        from++;
    *out = (struct slot_run){.first = from, .returned = true};
    while (from < back.slots && has_bit(back.free, from) && out->count * pool->slot < STEP_BYTES) {
        out->returned = out->returned && has_bit(back.returned, from);
        out->count++;
        from++;
    }
    return out->count > 0;
}

/* The array's capacity is a power of two. */
static bool has_room(struct pool *pool)
{
    size_t n = pool->run_count;
    struct slot_run *grown;

    if (n & (n - 1))
        return true;
    if (!(grown = realloc(pool->runs, (n ? 2 * n : 1) * sizeof *grown)))
        return false;
    pool->runs = grown;
    return true;
}

static void add_run(struct pool *pool, const struct slot_run *run, size_t least_bytes)
{
    if (run->count * pool->slot >= least_bytes && has_room(pool)) {
        pool->runs[pool->run_count++] = *run;
        return;
    }
    for (size_t i = run->first; i < run->first + run->count; i++)
        push_free(&pool->free, slot_at(pool, i));
}

static void find_runs(struct pool *pool)
{
    size_t least = RUN_BYTES, sparse = 0;
    struct slot_run run;

    for (size_t from = 0; next_run(pool, from, &run); from = run.first + run.count)
        if (run.count * pool->slot < RUN_BYTES)
            sparse += run.count * pool->slot;
    if (sparse >= SPARSE_BYTES && sparse >= back.slots * pool->slot / SPARSE_SHARE)
        least = 0;
    for (size_t from = 0; next_run(pool, from, &run); from = run.first + run.count)
        add_run(pool, &run, run.returned ? 0 : least);
    free(back.free);
    free(back.returned);
    back.free = back.returned = NULL;
}

/* Returns NULL if malloc must be used. */
static void *take_slot(struct pool *pool)
{
    if (!pool->free && !pool->run_count && back.pool == pool && back.free)
        find_runs(pool); /* they are needed before the list is complete */
    if (pool->early < EARLY) {
        pool->early += pool->slot;
        return NULL;
    }
    if (pool->free)
        return pop_free(&pool->free);
    if (pool->run_count)
        return take_from_run(pool);
    if ((pool->used + 1) * pool->slot > ADDRESSES)
        return NULL;
    return slot_at(pool, pool->used++);
}

static void *memory_malloc(int size)
{
    struct pool *pool = pool_for((size_t)size);
    void *block = NULL;

    if (pool)
        block = take_slot(pool);
    else if (size == JOURNAL_BLOCK && (block = pop_free(&journal.free)))
        journal.count--;
    return block ? block : malloc((size_t)size);
}

/* Whether a block of malloc's fits the journal: its size is the same, or slightly larger. */
static bool fits_journal(void *block)
{
    size_t usable = block ? platform_block_size(block) : 0;

    return usable >= JOURNAL_BLOCK && usable < JOURNAL_BLOCK + 64;
}

static void memory_free(void *block)
{
    struct pool *pool = pool_of(block);

    if (pool) {
        push_free(&pool->free, block);
    } else if (journal.count < JOURNAL_KEPT && fits_journal(block)) {
        push_free(&journal.free, block);
        journal.count++;
    } else {
        free(block);
    }
}

static int memory_size(void *block)
{
    const struct pool *pool = pool_of(block);

    return (int)(pool ? pool->slot : platform_block_size(block));
}

static void *memory_realloc(void *block, int size)
{
    const struct pool *pool = pool_of(block);
    void *moved;

    if (!pool)
        return realloc(block, (size_t)size);
    if ((size_t)size <= pool->slot)
        return block;
    if ((moved = malloc((size_t)size))) {
        memcpy(moved, block, pool->slot);
        memory_free(block);
    }
    return moved;
}

/* --- back to the system ----------------------------------------------------------------------- */

/* Begins to mark the pool's free slots, since a list does not show which are adjacent. */
static void begin_pool(struct pool *pool)
{
    back.pool = pool;
    back.slots = pool->used;
    back.run = 0;
    back.free = calloc(pool->used / 8 + 1, 1);
    back.returned = back.free ? calloc(pool->used / 8 + 1, 1) : NULL;
    if (!back.returned) {
        free(back.free);
        back.free = NULL;
        return;
    }
    for (size_t r = 0; r < pool->run_count; r++)
        for (size_t i = pool->runs[r].first; i < pool->runs[r].first + pool->runs[r].count; i++) {
            set_bit(back.free, i);
            if (pool->runs[r].returned)
                set_bit(back.returned, i);
        }
    pool->run_count = 0;
}

/* Continues through the pool's list; slots that were taken since the start stay in it. */
static bool list_some(struct pool *pool)
{
    for (size_t n = 0; pool->free && n < STEP_SLOTS; n++) {
        size_t i = (size_t)((char *)pool->free - slot_at(pool, 0)) / pool->slot;

        if (i >= back.slots)
            return false;
        (void)pop_free(&pool->free);
        set_bit(back.free, i);
    }
    return pool->free != NULL;
}

/* Returns all pages that are entirely in the run. */
static void give_back(const struct pool *pool, const struct slot_run *run, size_t page)
{
    char *at = slot_at(pool, run->first), *end = at + run->count * pool->slot;

    at += (page - (uintptr_t)at % page) % page;
    end -= (uintptr_t)end % page;
    if (end > at)
        platform_return_pages(at, (size_t)(end - at));
}

static bool give_some(struct pool *pool)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), returned = 0, pieces = 0;

    for (; back.run < pool->run_count && returned < STEP_BYTES && pieces < STEP_RUNS; back.run++) {
        struct slot_run *run = &pool->runs[back.run];

        if (run->returned)
            continue;
        give_back(pool, run, page);
        run->returned = true;
        returned += run->count * pool->slot;
        pieces++;
    }
    return back.run < pool->run_count;
}

bool store_memory_return_step(void)
{
    struct pool *pool = back.pool;

    if (!region)
        return false;
    if (!pool) {
        begin_pool(&pools[0]);
        return true;
    }
    if (back.free) {
        if (!list_some(pool))
            find_runs(pool);
        return true;
    }
    if (give_some(pool))
        return true;
    if (++pool == pools + COUNT(pools))
        back.pool = NULL;
    else
        begin_pool(pool);
    return back.pool != NULL;
}

static int memory_roundup(int size)
{
    return (size + 7) & ~7;
}

static int memory_init(void *data)
{
    (void)data;
    return SQLITE_OK;
}

static void memory_shutdown(void *data)
{
    (void)data;
}

void sql_memory_install(void)
{
    static const sqlite3_mem_methods methods = {
        .xMalloc = memory_malloc,
        .xFree = memory_free,
        .xRealloc = memory_realloc,
        .xSize = memory_size,
        .xRoundup = memory_roundup,
        .xInit = memory_init,
        .xShutdown = memory_shutdown,
    };
    size_t size = COUNT(pools) * ADDRESSES;

    region = platform_reserve(size);
    if (region)
        platform_want_huge_pages(region, size);
    sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}
