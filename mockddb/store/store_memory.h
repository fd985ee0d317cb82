/* store_memory.h: memory of stores that are gone, or have less than they had. */
#ifndef STORE_STORE_MEMORY_H
#define STORE_STORE_MEMORY_H

#include <stdbool.h>

/* Gives a part of the memory that no store needs back to the system, in a few milliseconds; false
 * when there is no more. It need not be asked until then. */
bool store_memory_return_step(void);

#endif
