/* worlds.h: the worlds of a server: which one a request means, the turn's flush, work between
 * requests. */
#ifndef WORLDS_WORLDS_H
#define WORLDS_WORLDS_H

#include "worlds/world.h"

struct worlds;

/* A server's worlds; the first one is there from the beginning. NULL, and *problem one clear
 * sentence in the arena, where its store cannot be opened. */
struct worlds *worlds_new(struct arena *a, const struct world_options *first, const char **problem);
void worlds_free(struct worlds *all); /* all may be NULL */

/* The memory that all worlds work in, for dispatch_hold_reply. */
struct dispatch_memory *worlds_memory(const struct worlds *all);

/* The world of requests that name none; its name is "default". */
struct world *worlds_first(const struct worlds *all);

/* The world of that name, or NULL. */
struct world *worlds_find(const struct worlds *all, struct span name);

/* At the end of each turn: makes all that was acknowledged in it last. Worlds in which that could
 * not be done say so by world_lost until the next turn's flush. */
void worlds_flush(struct worlds *all);

/* Gives back the memory that is kept for the next request. */
void worlds_trim(struct worlds *all);

/* A step of the work between requests; true when another one is due at once. */
bool worlds_idle(struct worlds *all);
/* In how many milliseconds of real time the next step is due, or WORLD_RESTS. It can come earlier
 * with each request. */
int worlds_rest_ms(const struct worlds *all);

#endif
