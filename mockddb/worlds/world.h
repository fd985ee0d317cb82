/* world.h: a world is a complete, separate set of tables with its own clock and jobs.
 *
 * It owns its store, clock, settings and dispatcher. Worlds share nothing but the memory that
 * requests are worked on in. */
#ifndef WORLDS_WORLD_H
#define WORLDS_WORLD_H

#include "dispatch/dispatch.h"

struct world;

struct world_options {
    struct span name; /* copied */
    struct store_options store;
    struct settings settings; /* what its spans point to must outlive the world */
    struct clock *clock;      /* becomes the world's; NULL: the system's time */
};

/* NULL, and *problem one clear sentence in the arena, where its store cannot be opened. `memory` is
 * borrowed. */
struct world *world_new(struct arena *a, const struct world_options *options,
                        struct dispatch_memory *memory, const char **problem);
void world_free(struct world *w); /* w may be NULL */

struct span world_name(const struct world *w);
struct dispatcher *world_dispatcher(const struct world *w);
struct clock *world_clock(const struct world *w);
const struct settings *world_settings(const struct world *w);

/* In how many milliseconds of real time the next step between requests is due, a minute at most:
 * the system's clock can be set. WORLD_RESTS: nothing waits, or the clock stands, or is on its way.
 */
int world_rest_ms(const struct world *w);
#define WORLD_RESTS (-1)

/* --- travel in time ------------------------------------------------------------------------- */

/* Begins to move the world's clock forwards by `ms`. What falls due on the way is done when it
 * falls due, step by step in world_advance_step, which says when the clock has arrived. Requests to
 * the world have to wait meanwhile. False where that is under way already. */
bool world_advance_begin(struct world *w, int64_t ms);
bool world_advance_step(struct world *w);
void world_advance_end(struct world *w); /* there or not */
bool world_is_advancing(const struct world *w);

/* --- what lasts ----------------------------------------------------------------------------- */

/* Makes what was acknowledged last; whether that could be done, or was not needed. */
bool world_flush(struct world *w);
/* Whether the newest world_flush failed: what was said since the one before is not true. */
bool world_lost(const struct world *w);

#endif
