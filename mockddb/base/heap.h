/* heap.h: how much memory malloc keeps for what comes next, and how it goes back to the system.
 *
 * The system takes a tenth of a millisecond for each MB that it gets back, and malloc's own
 * malloc_trim gives all of it in one call. Here it goes in steps: a step takes free memory out of
 * malloc in blocks and has the system take the pages in them; the blocks themselves go back to
 * malloc at the end, with next to nothing left in them. malloc is one for the process, so at most
 * one such work is under way. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#define HEAP_STEP ((size_t)16 << 20) /* bytes that a step gives back at most */

/* At the start of the process: what malloc keeps. */
void heap_start(void);

/* Memory on its way back; zeroed where none is. */
struct heap_return {
    bool going;
    void *blocks;    /* each begins with the next one's address */
    const char *end; /* of malloc's memory at the beginning */
    size_t page;     /* the system's */
    size_t kind;     /* of blocks, from the largest on */
};

/* From here on malloc gives nothing back by itself, so what is freed waits for its step. */
void heap_return_begin(struct heap_return *r);

/* Gives back up to HEAP_STEP bytes; false when there was nothing more, and the work is over. */
bool heap_return_step(struct heap_return *r);

/* Ends it before all is given back: somebody needs memory. It need not be under way. */
void heap_return_end(struct heap_return *r);

#endif
