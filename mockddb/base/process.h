/* process.h: what a process sets up once: how it gets and keeps memory, its standard descriptors,
 * what its libraries share, and its end when memory is out. */
#pragma once

#include "base/attributes.h"
#include "base/span.h"

#include <setjmp.h>
#include <stddef.h>

/* Sets up something for the whole process, before its first use. */
typedef void process_part(void);

/* Sets up memory and descriptors, then the parts, which end with NULL. Must be the first call. */
void process_start(process_part *const parts[]);

/* Called when an allocation fails that the program needs: logs one line and ends the process, or
 * goes to this thread's landing. */
NO_RETURN void process_out_of_memory(void);

/* Sets where control goes (longjmp, with 1) when this thread is out of memory: in a library, which
 * must not end the process. What was being done is left as it is, so it can neither be used nor
 * freed. Returns the landing before; NULL: the process ends. */
jmp_buf *process_land(jmp_buf *landing);

/* malloc and realloc that end the process on failure, and malloc of zeroed memory. */
void *process_malloc(size_t size);
void *process_zeroed(size_t size);
void *process_realloc(void *block, size_t size);

/* Returns the block that a library made; NULL means that it had no memory, and ends the process. */
void *process_have(void *block);
/* Ends the process unless `done`, the success of something that only needs memory. */
void process_need(bool done);

/* Makes room for one more element behind `count` elements of this size; *room is how many fit. */
void *process_one_more(void *array, size_t count, size_t *room, size_t size);

/* A copy of the bytes with a NUL at its end; the caller frees it. */
char *process_text(struct span text);
