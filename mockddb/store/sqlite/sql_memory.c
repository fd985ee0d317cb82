#define _GNU_SOURCE /* MAP_ANONYMOUS, MADV_HUGEPAGE */
#include "store/sqlite/sql_memory.h"

#include "base/attributes.h"

#include <malloc.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ADDRESSES ((size_t)128 << 30) /* a pool's share of the region; costs nothing until used */
#define EARLY     ((size_t)1 << 20)   /* what malloc gives first, so that an idle server is small */

/* Slots of one size: a database page and what SQLite adds to each. */
struct pool {
    size_t page, slot; /* serves sizes above `page`, up to `slot` */
    size_t early;      /* bytes that malloc gave */
    size_t used;       /* slots that were taken at least once */
    void *free;        /* slots given back; each begins with the next one's address */
};

static struct pool pools[] = {
    {.page = 8192, .slot = 8192 + 512},
    {.page = 16384, .slot = 16384 + 512},
};
static char *region; /* NULL: the system gave none */

/* SQLite's journal in memory takes dozens of blocks of this size at each write, and gives them
 * back at the end. malloc is slow with so many at once, so they are kept here. */
#define JOURNAL_BLOCK 1024
#define JOURNAL_KEPT  512

static struct {
    void *free; /* each begins with the next one's address */
    size_t count;
} journal;

static void *take_journal_block(void)
{
    void *block = journal.free;

    if (block) {
        memcpy(&journal.free, block, sizeof journal.free);
        journal.count--;
    }
    return block;
}

static void keep_journal_block(void *block)
{
    memcpy(block, &journal.free, sizeof journal.free);
    journal.free = block;
    journal.count++;
}

/* The pool that serves allocations of that size, or NULL. */
static struct pool *pool_for(size_t size)
{
    for (size_t i = 0; region && i < COUNT(pools); i++)
        if (size > pools[i].page && size <= pools[i].slot)
            return &pools[i];
    return NULL;
}

/* The pool that the block lies in, or NULL for one of malloc's. */
static struct pool *pool_of(const void *block)
{
    size_t offset = (size_t)((uintptr_t)block - (uintptr_t)region);

    return region && offset < COUNT(pools) * ADDRESSES ? &pools[offset / ADDRESSES] : NULL;
}

/* NULL where malloc has to help. */
static void *take_slot(struct pool *pool)
{
    void *slot = pool->free;

    if (pool->early < EARLY) {
        pool->early += pool->slot;
        return NULL;
    }
    if (slot) {
        memcpy(&pool->free, slot, sizeof pool->free);
        return slot;
    }
    if ((pool->used + 1) * pool->slot > ADDRESSES)
        return NULL;
    return region + (size_t)(pool - pools) * ADDRESSES + pool->used++ * pool->slot;
}

static void *memory_malloc(int size)
{
    struct pool *pool = pool_for((size_t)size);
    void *block = NULL;

    if (pool)
        block = take_slot(pool);
    else if (size == JOURNAL_BLOCK)
        block = take_journal_block();
    return block ? block : malloc((size_t)size);
}

/* Whether a block of malloc's can be one of the journal's: as large, or by a trifle larger. */
static bool fits_journal(void *block)
{
    size_t usable = block ? malloc_usable_size(block) : 0;

    return usable >= JOURNAL_BLOCK && usable < JOURNAL_BLOCK + 64;
}

static void memory_free(void *block)
{
    struct pool *pool = pool_of(block);

    if (pool) {
        memcpy(block, &pool->free, sizeof pool->free);
        pool->free = block;
    } else if (journal.count < JOURNAL_KEPT && fits_journal(block)) {
        keep_journal_block(block);
    } else {
        free(block);
    }
}

static int memory_size(void *block)
{
    const struct pool *pool = pool_of(block);

    return (int)(pool ? pool->slot : malloc_usable_size(block));
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
    char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1, 0);

    if (at != MAP_FAILED) {
        madvise(at, size, MADV_HUGEPAGE);
        region = at;
    }
    sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}
