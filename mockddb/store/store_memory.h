/* store_memory.h: memory of freed or shrunk stores. */
#pragma once

#include <stdbool.h>

/* Returns a part of the memory that no store needs to the system, for a few milliseconds. Returns
 * false when there is no more, so that it need not be called again. */
bool store_memory_return_step(void);
