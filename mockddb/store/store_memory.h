/* store_memory.h: memory of freed or shrunk stores. */
#pragma once

#include <stdbool.h>

/* Frees a part of what stores in memory gave up: spaces, and what only they had when they were
 * freed. Takes less than a millisecond; returns false if nothing is left. */
bool store_memory_free_step(void);
/* Whether there is something to free. */
bool store_memory_waits(void);

/* Returns a part of the memory that no store needs to the system, for a few milliseconds. Returns
 * false when there is no more, so that it need not be called again. */
bool store_memory_return_step(void);
