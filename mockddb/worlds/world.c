#include "worlds/world.h"

#include <stdlib.h>

#define MAX_REST_MS 60000

struct world {
    char *name;
    struct settings settings;
    struct clock *clock;
    struct store *store;
    struct dispatcher *dispatcher;
    bool lost;
    bool advancing;
    int64_t arrival_ms; /* of a clock that is being advanced */
};

struct world *world_new(struct arena *a, const struct world_options *options,
                        struct dispatch_memory *memory, const char **problem)
{
    struct world *w = calloc(1, sizeof *w);

    if (!w)
        process_out_of_memory();
    w->settings = options->settings;
    if (!(w->name = strndup(options->name.at, options->name.len)))
        process_out_of_memory();
    w->clock = options->clock ? options->clock : clock_new_system();
    if (!(w->store = store_open(a, &options->store, problem))) {
        world_free(w);
        return NULL;
    }
    w->dispatcher = dispatch_new(&(struct dispatch_parts){
        .store = w->store, .clock = w->clock, .settings = &w->settings, .memory = memory});
    return w;
}

void world_free(struct world *w)
{
    if (!w)
        return;
    dispatch_free(w->dispatcher);
    store_free(w->store);
    clock_free(w->clock);
    free(w->name);
    free(w);
}

struct span world_name(const struct world *w)
{
    return span_of(w->name);
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

int world_rest_ms(const struct world *w)
{
    int64_t due_ms = dispatch_due_ms(w->dispatcher), now_ms = clock_now_ms(w->clock);
    double rate = clock_rate(w->clock), rest_ms;

    if (due_ms == INT64_MAX || w->advancing)
        return WORLD_RESTS;
    if (due_ms <= now_ms)
        return 0;
    if (rate == 0)
        return WORLD_RESTS;
    rest_ms = (double)(due_ms - now_ms) / rate;
    return rest_ms < MAX_REST_MS ? (int)rest_ms + 1 : MAX_REST_MS;
}

/* --- travel in time ------------------------------------------------------------------------- */

bool world_advance_begin(struct world *w, int64_t ms)
{
    if (w->advancing)
        return false;
    w->arrival_ms = clock_now_ms(w->clock) + ms;
    w->advancing = true;
    return true;
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
    w->lost = dispatch_needs_flush(w->dispatcher) && !dispatch_flush(w->dispatcher);
    return !w->lost;
}

bool world_lost(const struct world *w)
{
    return w->lost;
}
