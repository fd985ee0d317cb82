/* store_memory.h: memory of freed or shrunk stores. */
#pragma once

#include <stdbool.h>

/* What stores in memory have in common that copy each other: freed spaces, and memory for a change
 * where the system has none. Stores of several threads must not have it in common: each thread uses
 * a pool of its own, before it opens a store; NULL, as at first, is the process's. Use returns the
 * pool before. */
struct tree_pool;
struct tree_pool *store_memory_new(void);
void store_memory_free(struct tree_pool *pool); /* after its stores; pool may be NULL */
struct tree_pool *store_memory_use(struct tree_pool *pool);

/* Frees a part of what stores in memory gave up: spaces, and what only they had when they were
 * freed. Takes less than a millisecond; returns false if nothing is left. */
bool store_memory_free_step(void);
/* Whether there is something to free. */
bool store_memory_waits(void);

/* Returns a part of the memory that no store needs to the system, for a few milliseconds. Returns
 * false when there is no more, so that it need not be called again. */
bool store_memory_return_step(void);
