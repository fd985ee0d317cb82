/* world.h: a world is a complete, separate set of tables with its own clock and jobs.
 *
 * It owns its store, clock, settings and dispatcher. Worlds share nothing but the memory that
 * requests are worked on in. */
#ifndef WORLDS_WORLD_H
#define WORLDS_WORLD_H

#include "dispatch/dispatch.h"

struct world;

struct world_options {
    struct store_options store;
    struct settings settings; /* what its spans point to must outlive the world */
    struct clock *clock;      /* becomes the world's; NULL: the system's time */
};

/* NULL, and *problem one clear sentence in the arena, where its store cannot be opened. `memory` is
 * borrowed. */
struct world *world_new(struct arena *a, const struct world_options *options,
                        struct dispatch_memory *memory, const char **problem);
void world_free(struct world *w); /* w may be NULL */

struct dispatcher *world_dispatcher(const struct world *w);
const struct settings *world_settings(const struct world *w);
/* Milliseconds since 1970, as its clock counts. */
int64_t world_now_ms(const struct world *w);

/* Makes what was acknowledged last; whether that could be done, or was not needed. */
bool world_flush(struct world *w);
/* Whether the newest world_flush failed: what was said since the one before is not true. */
bool world_lost(const struct world *w);

#endif
