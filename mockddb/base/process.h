/* process.h: what a process has once: how it gets and keeps memory, its standard descriptors, what
 * its libraries share, and its end when memory is out. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/attributes.h"

#include <stddef.h>

/* What a room sets up for the whole process, before it is used for the first time. */
typedef void process_part(void);

/* Memory, descriptors, and the parts, which end with NULL. To be called once, first of all. */
void process_start(process_part *const parts[]);

/* For every allocation that failed and cannot be done without: one line in the log, and the end. */
NO_RETURN void process_out_of_memory(void);

/* malloc and realloc that do so, for libraries that do not look at every failure. */
void *process_malloc(size_t size);
void *process_realloc(void *block, size_t size);

#endif
