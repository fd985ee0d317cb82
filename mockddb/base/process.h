/* process.h: what a process has once: how it gets and keeps memory, its standard descriptors, what
 * its libraries share, and its end when memory is out.
 *
 * The program's main starts it all. Where mockddb is a guest in another program, that leaves out
 * process_start, starts the parts that it wants, and says what happens without memory. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/attributes.h"

#include <stddef.h>

/* What a room sets up for the whole process, before it is used for the first time. */
typedef void process_part(void);

/* Memory, descriptors, and the parts, which end with NULL. To be called once, first of all. */
void process_start(process_part *const parts[]);

/* What process_out_of_memory does instead of ending the process with a line in the log. It must not
 * return. */
void process_on_no_memory(void (*handler)(void));

/* For every allocation that failed and cannot be done without. */
NO_RETURN void process_out_of_memory(void);

/* malloc and realloc that do so, for libraries that do not look at every failure. */
void *process_malloc(size_t size);
void *process_realloc(void *block, size_t size);

#endif
