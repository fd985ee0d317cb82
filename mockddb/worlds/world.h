/* world.h: a world is a complete, separate set of tables with its own clock and jobs.
 *
 * It owns its store, clock, settings, dispatcher and snapshots. Worlds share nothing but the memory
 * that requests are worked on in. */
#ifndef WORLDS_WORLD_H
#define WORLDS_WORLD_H

#include "dispatch/dispatch.h"
#include "faults/faults.h"
#include "journal/journal.h"
#include "ops/metrics/metrics.h"
#include "ops/throttle/throttle.h"
#include "worlds/world_fault.h"
#include "worlds/world_state.h"

struct world;

/* The name of the world of requests that name none. */
#define WORLD_FIRST "default"
/* In which region and of which account worlds are, unless something else is said. */
#define WORLD_REGION  "us-east-1"
#define WORLD_ACCOUNT "123456789012"

/* A name of a world or snapshot: up to LIMIT_WORLD_NAME of A-Z a-z 0-9 _ . -, not beginning with a
 * dot. */
bool world_is_name(struct span text);
/* What is wrong with another text, in a sentence that begins with it: "is no name of a world: …".
 */
const char *world_name_problem(struct arena *a);
MUST_CHECK const struct world_fault *world_check_name(struct arena *a, struct span text);

struct world_options {
    struct span name; /* copied */
    struct store_options store;
    struct settings settings; /* what its spans point to must outlive the world */
    struct clock *clock;      /* becomes the world's; NULL: one of its own */
    struct journal_options journal;
    struct throttle_rules throttle; /* with which it begins; its spans must outlive the world */
};

/* A world that begins with that state, whose store, if it has one, is the world's from here on.
 * NULL, and *problem one clear sentence in the arena, where its store cannot be opened. `memory` is
 * borrowed. */
struct world *world_new(struct arena *a, const struct world_options *options,
                        const struct world_state *from, struct dispatch_memory *memory,
                        const char **problem);
void world_free(struct world *w); /* w may be NULL */

struct span world_name(const struct world *w);
struct dispatcher *world_dispatcher(const struct world *w);
struct clock *world_clock(const struct world *w);
const struct settings *world_settings(const struct world *w);
const struct store *world_store(const struct world *w);

/* Borrowed until the world goes on. */
struct world_state world_state(const struct world *w);

/* In how many milliseconds of real time the next step between requests is due, a minute at most:
 * the system's clock can be set. WORLD_RESTS: nothing waits, the clock is frozen or on its way,
 * or the world is copied. */
int world_rest_ms(const struct world *w);
#define WORLD_RESTS (-1)

/* Bytes of memory that it takes with its snapshots. */
size_t world_memory(const struct world *w);

/* While somebody is at work in it over several turns, it is neither dropped nor replaced. */
void world_hold(struct world *w);
void world_release(struct world *w);

/* --- all of it at once ---------------------------------------------------------------------- */

/* The world's tables and clock become those of a copy that is whole, made with the options of the
 * world's store; what it knows about observers and faults stays. In file mode the state before or
 * the one after is there, whenever the process ends. */
MUST_CHECK const struct world_fault *world_become(struct arena *a, struct world *w,
                                                  struct store_copying *copy,
                                                  const struct clock_time *time);

/* Whether a copy of it is on its way, or one that will replace it (worlds_copy.h): requests to it
 * and its jobs wait. */
bool world_is_copied(const struct world *w);

/* --- faults --------------------------------------------------------------------------------- */

/* The rules of what goes wrong in the world: faults/faults.h. Adding returns NULL, or what is wrong
 * with the rules; all of them are taken, or none. Removing returns whether there was such a rule.
 */
const struct faults *world_faults(const struct world *w);
const char *world_add_faults(struct world *w, struct arena *a, struct span rules,
                             const char *table_prefix);
bool world_remove_fault(struct world *w, uint64_t id);
void world_clear_faults(struct world *w);

/* --- throttling ------------------------------------------------------------------------------- */

/* By which rules its tables give units: ops/throttle/throttle.h. */
const struct throttle_rules *world_throttle(const struct world *w);
void world_set_throttle(struct world *w, const struct throttle_rules *rules);

/* What goes by the world's clock learns that it was set. */
void world_clock_moved(struct world *w);

/* --- what is written down ------------------------------------------------------------------- */

/* What was asked of the world since it began. */
struct journal *world_journal(const struct world *w);
/* The access patterns that its requests may be; NULL: there are none. */
const struct catalogue *world_catalogue(const struct world *w);

/* What is asked from here on is not written down, until it is again. */
void world_mute(struct world *w, bool muted);

/* What CloudWatch knows of the world since it began. */
const struct metrics *world_metrics(const struct world *w);

/* What it holds is there: no faults, an empty journal and no metrics, which are written from here
 * on, and the throttling with which it begins. */
void world_begin(struct world *w);

/* --- travel in time ------------------------------------------------------------------------- */

/* Begins to move the world's clock forwards by `ms`. What falls due on the way is done when it
 * falls due, step by step in world_advance_step, which says when the clock has arrived. Requests to
 * the world have to wait meanwhile; that must not be under way already. */
void world_advance_begin(struct world *w, int64_t ms);
bool world_advance_step(struct world *w);
void world_advance_end(struct world *w); /* there or not */
bool world_is_advancing(const struct world *w);

/* --- what lasts ----------------------------------------------------------------------------- */

/* Makes what was acknowledged last; whether that could be done, or was not needed. */
bool world_flush(struct world *w);
/* Whether a world_flush of this turn failed: what was said in it is not true. */
bool world_lost(const struct world *w);

#endif
