/* world.h: a world is a complete, separate set of tables with its own clock and jobs.
 *
 * It owns its store, clock, settings, dispatcher and snapshots. Worlds share only the memory in
 * which requests are processed. */
#pragma once

#include "dispatch/dispatch.h"
#include "faults/faults.h"
#include "journal/journal.h"
#include "ops/metrics/metrics.h"
#include "ops/throttle/throttle.h"
#include "worlds/snapshots.h"

struct world;

/* The world of requests that name none. */
#define WORLD_FIRST "default"
/* The default region and account of worlds. */
#define WORLD_REGION  "us-east-1"
#define WORLD_ACCOUNT "123456789012"

/* Whether the text is a valid name of a world or snapshot: up to LIMIT_WORLD_NAME of A-Z a-z 0-9 _
 * . -, not beginning with a dot. */
bool world_is_name(struct span text);
/* The rest of a sentence about an invalid name: "is not a world's name: …". */
const char *world_name_problem(struct arena *a);
MUST_CHECK const struct problem *world_check_name(struct arena *a, struct span text);

struct world_options {
    struct span name; /* copied */
    struct store_options store;
    struct settings settings; /* its spans must outlive the world */
    struct clock *clock;      /* the world takes it over; NULL: it makes its own */
    struct journal_options journal;
    struct throttle_rules throttle; /* the initial rules; its spans must outlive the world */
};

/* Makes a world with this state, and takes over its store, if it has one. Fails if the store cannot
 * be opened; *out is NULL then. `memory` is borrowed. */
MUST_CHECK const struct problem *world_new(struct arena *a, const struct world_options *options,
                                           const struct world_state *from,
                                           struct dispatch_memory *memory, struct world **out);
void world_free(struct world *w); /* w may be NULL */

struct span world_name(const struct world *w);
/* The name of the world that it is a fork of, until it is reset; empty: none, or it was opened from
 * a file. */
struct span world_origin(const struct world *w);
struct dispatcher *world_dispatcher(const struct world *w);
struct clock *world_clock(const struct world *w);
const struct settings *world_settings(const struct world *w);
struct store *world_store(const struct world *w);

/* The state is borrowed until the world handles its next request or job. */
struct world_state world_state(const struct world *w);

/* Milliseconds of real time until the next step between requests, at most a minute because the
 * system's clock can be set. WORLD_RESTS: nothing is due, the clock is frozen or being advanced, or
 * the world is copied. */
int world_rest_ms(const struct world *w);
#define WORLD_RESTS (-1)

/* Bytes of memory that it uses, with its snapshots. */
size_t world_memory(const struct world *w);

/* While work in the world takes several turns, it is neither dropped nor replaced. */
void world_hold(struct world *w);
void world_release(struct world *w);

/* --- all of it at once ---------------------------------------------------------------------- */

/* Replaces the world's tables and clock with a complete copy, which was made with the options of
 * the world's store; observers and faults stay. In file mode the old or the new state exists,
 * whenever the process ends. */
MUST_CHECK const struct problem *world_become(struct arena *a, struct world *w,
                                              struct store_copying *copy,
                                              const struct clock_time *time);

/* Whether the world is being copied, or a copy will replace it (worlds_copy.h): its requests and
 * jobs wait. */
bool world_is_copied(const struct world *w);

/* --- faults --------------------------------------------------------------------------------- */

/* The world's fault rules: faults/faults.h. Adding adds all of them or, on an error, none. Removing
 * returns whether the rule existed. */
const struct faults *world_faults(const struct world *w);
MUST_CHECK const struct problem *world_add_faults(struct world *w, struct arena *a,
                                                  struct span rules, const char *table_prefix);
bool world_remove_fault(struct world *w, uint64_t id);
void world_clear_faults(struct world *w);

/* --- throttling ------------------------------------------------------------------------------- */

/* The rules for throttling its tables: ops/throttle/throttle.h. */
const struct throttle_rules *world_throttle(const struct world *w);
void world_set_throttle(struct world *w, const struct throttle_rules *rules);

/* Tells everything that uses the world's clock that it was set. */
void world_clock_moved(struct world *w);

/* --- what is written down ------------------------------------------------------------------- */

/* The requests to the world since it began. */
struct journal *world_journal(const struct world *w);
/* The access patterns for its requests; NULL: none. */
const struct catalogue *world_catalogue(const struct world *w);

/* CloudWatch's metrics of the world since it began; if its store is in a database, of all its
 * processes. */
MUST_CHECK const struct error *world_metrics(struct world *w, struct arena *a,
                                             const struct metrics **out);

/* Called when the world has its initial content: removes faults, empties the journal and metrics,
 * which record from now on, and sets the initial throttling. */
void world_begin(struct world *w);

/* --- travel in time ------------------------------------------------------------------------- */

/* Begins to advance the world's clock by `ms`. world_advance_step does what falls due on the way at
 * its time, and says when the clock has arrived. Meanwhile requests to the world must wait. The
 * clock must not be advancing already. */
void world_advance_begin(struct world *w, int64_t ms);
bool world_advance_step(struct world *w);
void world_advance_end(struct world *w); /* arrived or not */
bool world_is_advancing(const struct world *w);

/* --- what lasts ----------------------------------------------------------------------------- */

/* Makes acknowledged writes durable. Returns whether that succeeded, or was not needed. */
bool world_flush(struct world *w);
/* Whether a world_flush of this turn failed, so that the turn's replies are not true. */
bool world_lost(const struct world *w);
