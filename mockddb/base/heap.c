#include "base/heap.h"

#include "base/attributes.h"
#include "base/platform.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MB ((size_t)1024 * 1024)

/* Memory kept because the next request would have to fetch it again. What a rare request needs
 * beyond that goes back. */
#define KEPT_AT_END (64 * MB)

static void keep(size_t kept)
{
    if (platform_heap.keep)
        platform_heap.keep(kept);
}

void heap_start(void)
{
    if (platform_heap.start)
        platform_heap.start();
    keep(KEPT_AT_END);
}

/* Large blocks first: each keeps one page. The small ones are for gaps between single blocks of
 * arenas; platform_heap.trim handles smaller gaps. A few bytes less, for malloc's header. */
static const size_t sizes[] = {MB - 64, (size_t)60 * 1024};

void heap_return_begin(struct heap_return *r)
{
    heap_return_end(r);
    keep(SIZE_MAX);
    *r = (struct heap_return){.going = true,
                              .end = platform_heap.end ? platform_heap.end() : NULL,
                              .page = (size_t)sysconf(_SC_PAGESIZE)};
}

/* Takes a free block; NULL if malloc would need more memory from the system. */
static char *take_block(const struct heap_return *r, size_t size)
{
    char *block = malloc(size);

    if (!block || block + size <= r->end)
        return block;
    free(block);
    return NULL;
}

bool heap_return_step(struct heap_return *r)
{
    size_t given = 0;

    while (given < HEAP_STEP && r->kind < COUNT(sizes)) {
        size_t size = sizes[r->kind];
        char *block = take_block(r, size);
        size_t before, behind;

        if (!block) {
            r->kind++;
            continue;
        }
        /* Gives back all pages except the first, which holds the next block's address. */
        before = r->page - (uintptr_t)block % r->page;
        behind = ((uintptr_t)block + size) % r->page;
        if (before < sizeof(void *))
            before += r->page;
        if (size > before + behind)
            platform_return_pages(block + before, size - before - behind);
        memcpy(block, &r->blocks, sizeof r->blocks);
        r->blocks = block;
        given += size;
    }
    if (r->kind < COUNT(sizes))
        return true;
    heap_return_end(r);
    if (platform_heap.trim)
        platform_heap.trim();
    return false;
}

void heap_return_end(struct heap_return *r)
{
    while (r->blocks) {
        void *next;

        memcpy(&next, r->blocks, sizeof next);
        free(r->blocks);
        r->blocks = next;
    }
    if (r->going)
        keep(KEPT_AT_END);
    r->going = false;
}
