#include "http/http_memory.h"

#include <event2/event.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SMALLEST    ((size_t)32)
#define CLASS_COUNT 10                    /* 32 bytes to 16 KB; larger blocks are malloc's */
#define KEPT_BYTES  ((size_t)1024 * 1024) /* of each class, after a trim */

struct block {
    size_t capacity;                         /* bytes after this header */
    alignas(max_align_t) struct block *next; /* while it is on a list; what is used begins here */
};

#define HEADER offsetof(struct block, next)

/* libevent's allocator has no argument for a state, so it is the process's. */
static struct block *lists[CLASS_COUNT];

/* The class whose blocks have room for that much, or CLASS_COUNT. */
static size_t class_of(size_t size)
{
    size_t class = 0;

    while (class < CLASS_COUNT && SMALLEST << class < size)
        class ++;
    return class;
}

void *http_memory_take(size_t size)
{
    size_t class = class_of(size);
    struct block *block;

    if (class < CLASS_COUNT && (block = lists[class])) {
        lists[class] = block->next;
        return &block->next;
    }
    if (size > SIZE_MAX - HEADER)
        return NULL;
    size = class < CLASS_COUNT ? SMALLEST << class : size;
    if (!(block = malloc(HEADER + size)))
        return NULL;
    block->capacity = size;
    return &block->next;
}

static struct block *block_at(void *at)
{
    return (struct block *)(void *)((char *)at - HEADER);
}

void http_memory_return(void *at)
{
    struct block *block;
    size_t class;

    if (!at)
        return;
    block = block_at(at);
    class = class_of(block->capacity);
    if (class == CLASS_COUNT) {
        free(block);
    } else {
        block->next = lists[class];
        lists[class] = block;
    }
}

void *http_memory_resize(void *at, size_t size)
{
    size_t capacity = at ? block_at(at)->capacity : 0;
    void *larger;

    if (at && size <= capacity)
        return at;
    if (!(larger = http_memory_take(size)))
        return NULL;
    if (at)
        memcpy(larger, at, capacity);
    http_memory_return(at);
    return larger;
}

static void trim(size_t class)
{
    struct block **end = &lists[class], *rest;
    size_t count = KEPT_BYTES / (SMALLEST << class);

    while (*end && count--)
        end = &(*end)->next;
    rest = *end;
    *end = NULL;
    while (rest) {
        struct block *next = rest->next;

        free(rest);
        rest = next;
    }
}

void http_memory_trim(void)
{
    for (size_t class = 0; class < CLASS_COUNT; class ++)
        trim(class);
}

void http_memory_install(void)
{
#ifndef ARENA_DEBUG
    event_set_mem_functions(http_memory_take, http_memory_resize, http_memory_return);
#endif
}
