/* heap.h: how much free memory malloc keeps, and how the rest goes back to the system.
 *
 * The system takes a tenth of a millisecond for each MB that is given back, and glibc's malloc_trim
 * gives everything back in one call. Here it is done in steps: a step takes free memory
 * out of malloc in blocks and returns their pages to the system; at the end the blocks, now almost
 * without pages, go back to malloc. There is one malloc for the process, so at most one such return
 * is in progress. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define HEAP_STEP ((size_t)16 << 20) /* the most bytes that a step gives back */

/* Called at the start of the process: sets what malloc keeps. */
void heap_start(void);

/* A return of memory in progress; all zero before it begins. */
struct heap_return {
    bool going;
    void *blocks;    /* each block begins with the next one's address */
    const char *end; /* of malloc's memory when the return began */
    size_t page;     /* the system's page size */
    size_t kind;     /* index into the block sizes, from the largest on */
};

/* Starts a return. Until it ends, malloc gives nothing back by itself. */
void heap_return_begin(struct heap_return *r);

/* Gives back up to HEAP_STEP bytes; false if there was nothing more and the return has ended. */
bool heap_return_step(struct heap_return *r);

/* Ends a return early, because memory is needed. Does nothing if none is in progress. */
void heap_return_end(struct heap_return *r);
