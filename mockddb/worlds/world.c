#include "worlds/world_core.h"

#include "base/log.h"
#include "base/utf8.h"
#include "dispatch/metering.h"
#include "model/limits.h"
#include "model/names.h"
#include "ops/kinesis/kinesis_files.h"
#include "ops/metrics/metrics_stored.h"

#include <assert.h>
#include <stdlib.h>

#define MAX_REST_MS 60000

bool world_is_name(struct span text)
{
    return text.len <= LIMIT_WORLD_NAME && names_match_pattern(text) && text.at[0] != '.';
}

const char *world_name_problem(struct arena *a)
{
    return arena_printf(a,
                        "is not a world's name: 1 to %d of A-Z a-z 0-9 _ . -, not beginning with "
                        "a dot",
                        LIMIT_WORLD_NAME);
}

const struct problem *world_check_name(struct arena *a, struct span text)
{
    struct span shown = text.len ? utf8_of_field(a, text) : SPAN_LIT("an empty text");

    return world_is_name(text)
               ? NULL
               : problem_invalid(a, "%.*s %s", SPAN_ARG(shown), world_name_problem(a));
}

const struct problem *world_new(struct arena *a, const struct world_options *options,
                                const struct world_state *from, struct dispatch_memory *memory,
                                struct world **out)
{
    struct journal_options journal = options->journal;
    struct world *w = process_zeroed(sizeof *w);
    const char *problem = NULL;

    w->settings = options->settings;
    w->name = process_text(options->name);
    if (!span_is(options->name, WORLD_FIRST))
        w->settings.world = span_of(w->name);
    if (w->settings.kinesis_out)
        w->settings.kinesis_files = kinesis_files_new(w->settings.kinesis_out, w->settings.world);
    if (from->store) /* it is made now: files of its name are an earlier world's */
        kinesis_files_begin_anew(w->settings.kinesis_files);
    w->options = options->store;
    if (options->store.path)
        w->options.path = w->path = process_text(span_of(options->store.path));
    w->clock = options->clock ? options->clock : clock_new_system();
    if (!options->clock)
        clock_set_time(w->clock, &from->time);
    w->snapshots = snapshots_new();
    w->store = from->store ? from->store : store_open(a, &w->options, &problem);
    if (!w->store) {
        world_free(w);
        *out = NULL;
        return problem_of(a, PROBLEM_FAILED, problem);
    }
    w->options.name = NULL;     /* it belongs to the caller */
    w->options.compact = false; /* only done once */
    w->metrics = metrics_new(METRICS_POINTS);
    w->metering = metering_new(w->metrics);
    w->dispatcher = dispatch_new(&(struct dispatch_parts){.store = w->store,
                                                          .clock = w->clock,
                                                          .settings = &w->settings,
                                                          .memory = memory,
                                                          .metrics = w->metrics});
    w->faults = faults_new();
    w->throttle = throttle_new();
    w->first_throttle = options->throttle;
    journal.world = span_of(w->name);
    w->journal = journal_new(&journal);
    *out = w;
    return NULL;
}

void world_close(struct world *w)
{
    dispatch_free(w->dispatcher);
    faults_free(w->faults);
    throttle_free(w->throttle);
    journal_free(w->journal);
    metering_free(w->metering);
    metrics_free(w->metrics);
    snapshots_free(w->snapshots);
    store_free(w->store);
    clock_free(w->clock);
    kinesis_files_free(w->settings.kinesis_files);
    w->dispatcher = NULL;
    w->faults = NULL;
    w->throttle = NULL;
    w->journal = NULL;
    w->metering = NULL;
    w->metrics = NULL;
    w->snapshots = NULL;
    w->store = NULL;
    w->clock = NULL;
    w->settings.kinesis_files = NULL;
}

void world_free(struct world *w)
{
    if (!w)
        return;
    world_close(w);
    free(w->name);
    free(w->path);
    free(w->origin);
    free(w);
}

void world_adopt_snapshots(struct world *w, struct snapshots *snapshots)
{
    snapshots_free(w->snapshots);
    w->snapshots = snapshots;
}

struct span world_name(const struct world *w)
{
    return span_of(w->name);
}

struct span world_origin(const struct world *w)
{
    return w->origin ? span_of(w->origin) : (struct span){"", 0};
}

void world_set_origin(struct world *w, const struct world *of)
{
    free(w->origin);
    w->origin = of ? process_text(world_name(of)) : NULL;
}

struct clock *world_clock(const struct world *w)
{
    return w->clock;
}

struct dispatcher *world_dispatcher(const struct world *w)
{
    return w->dispatcher;
}

const struct settings *world_settings(const struct world *w)
{
    return &w->settings;
}

struct store *world_store(const struct world *w)
{
    return w->store;
}

struct world_state world_state(const struct world *w)
{
    return (struct world_state){.store = w->store, .time = clock_time_of(w->clock)};
}

size_t world_memory(const struct world *w)
{
    return store_memory(w->store) + w->snapshots->memory;
}

int world_rest_ms(const struct world *w)
{
    int64_t due_ms = dispatch_due_ms(w->dispatcher), now_ms = clock_now_ms(w->clock);
    double rate = clock_rate(w->clock), rest_ms;

    if (due_ms == INT64_MAX || w->advancing || w->copies)
        return WORLD_RESTS;
    if (due_ms <= now_ms)
        return 0;
    if (rate == 0)
        return WORLD_RESTS;
    rest_ms = (double)(due_ms - now_ms) / rate;
    return rest_ms < MAX_REST_MS ? (int)rest_ms + 1 : MAX_REST_MS;
}

void world_hold(struct world *w)
{
    w->holders++;
}

void world_release(struct world *w)
{
    w->holders--;
}

bool world_is_copied(const struct world *w)
{
    return w->copies > 0;
}

/* --- all of it at once ------------------------------------------------------------------------ */

const struct problem *world_busy(struct arena *a, const struct world *w)
{
    return problem_new(a, PROBLEM_CONFLICT, "a verb is running in world %s", w->name);
}

/* The world continues with an empty store, so that its requests can be answered, with errors. */
static void stand_in(struct arena *a, struct world *w)
{
    const struct store_options in_memory = {.path = NULL};
    const char *problem = NULL;

    w->store = process_have(store_open(a, &in_memory, &problem));
    w->broken = true;
}

const struct problem *world_become(struct arena *a, struct world *w, struct store_copying *copy,
                                   const struct clock_time *time)
{
    uint64_t last = store_last_number(w->store);
    const char *problem = store_copying_place(a, copy, &w->store);

    if (!w->store)
        stand_in(a, w);
    store_skip_numbers(w->store, last); /* readers of streams may have seen these numbers */
    dispatch_set_store(w->dispatcher, w->store);
    metering_forget_tables(w->metering);
    if (problem) {
        log_error("%s", problem);
        return problem_new(a, PROBLEM_FAILED, "%s", problem);
    }
    w->broken = false;
    kinesis_files_begin_anew(w->settings.kinesis_files);
    clock_set_time(w->clock, time);
    world_set_throttle(w, world_throttle(w));
    return NULL;
}

/* --- faults --------------------------------------------------------------------------------- */

const struct faults *world_faults(const struct world *w)
{
    return w->faults;
}

const struct problem *world_add_faults(struct world *w, struct arena *a, struct span rules,
                                       const char *table_prefix)
{
    const struct problem *p = faults_add(w->faults, a, rules, table_prefix);

    dispatch_set_faults(w->dispatcher, faults_point(w->faults));
    return p;
}

bool world_remove_fault(struct world *w, uint64_t id)
{
    bool found = faults_remove(w->faults, id);

    dispatch_set_faults(w->dispatcher, faults_point(w->faults));
    return found;
}

void world_clear_faults(struct world *w)
{
    faults_clear(w->faults);
    dispatch_set_faults(w->dispatcher, NULL);
}

/* --- throttling ----------------------------------------------------------------------------- */

const struct throttle_rules *world_throttle(const struct world *w)
{
    return throttle_rules(w->throttle);
}

void world_set_throttle(struct world *w, const struct throttle_rules *rules)
{
    throttle_set(w->throttle, rules, clock_now_ms(w->clock));
    dispatch_set_throttle(w->dispatcher, world_throttle(w)->on ? w->throttle : NULL);
}

void world_clock_moved(struct world *w)
{
    throttle_go_back(w->throttle, clock_now_ms(w->clock));
}

/* --- what is written down ------------------------------------------------------------------- */

struct journal *world_journal(const struct world *w)
{
    return w->journal;
}

const struct catalogue *world_catalogue(const struct world *w)
{
    return journal_options_of(w->journal)->catalogue;
}

const struct error *world_metrics(struct world *w, struct arena *a, const struct metrics **out)
{
    const struct error *e;
    struct unit *u;

    if ((e = unit_begin(w->store, a, UNIT_READS, &u)))
        return e;
    e = metrics_stored_read(u, w->store, a, w->metrics);
    unit_undo(u);
    *out = metrics_sum(w->metrics);
    return e;
}

void world_begin(struct world *w)
{
    struct observer *writer = journal_observer(w->journal);

    world_clear_faults(w);
    world_set_throttle(w, &w->first_throttle);
    journal_clear(w->journal);
    metrics_clear(w->metrics);
    if (w->is_observed)
        return;
    w->is_observed = true;
    if (writer)
        dispatch_observe(w->dispatcher, writer);
    dispatch_observe(w->dispatcher, metering_observer(w->metering));
}

/* --- travel in time ------------------------------------------------------------------------- */

void world_advance_begin(struct world *w, int64_t ms)
{
    assert(!w->advancing);
    w->arrival_ms = clock_now_ms(w->clock) + ms;
    w->advancing = true;
}

bool world_advance_step(struct world *w)
{
    int64_t due_ms = dispatch_due_ms(w->dispatcher);

    if (due_ms > w->arrival_ms) {
        clock_set(w->clock, w->arrival_ms);
        return true;
    }
    if (due_ms > clock_now_ms(w->clock))
        clock_set(w->clock, due_ms);
    (void)dispatch_idle(w->dispatcher);
    return false;
}

void world_advance_end(struct world *w)
{
    w->advancing = false;
}

bool world_is_advancing(const struct world *w)
{
    return w->advancing;
}

/* --- what lasts ----------------------------------------------------------------------------- */

bool world_flush(struct world *w)
{
    bool done = !w->broken &&
                (!dispatch_needs_flush(w->dispatcher) || dispatch_flush(w->dispatcher));

    w->lost = w->lost || !done;
    return done;
}

bool world_lost(const struct world *w)
{
    return w->lost;
}
