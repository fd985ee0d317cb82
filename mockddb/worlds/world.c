#include "worlds/world.h"

#include <stdlib.h>

struct world {
    struct settings settings;
    struct clock *clock;
    struct store *store;
    struct dispatcher *dispatcher;
    bool lost;
};

struct world *world_new(struct arena *a, const struct world_options *options,
                        struct dispatch_memory *memory, const char **problem)
{
    struct world *w = calloc(1, sizeof *w);

    if (!w)
        out_of_memory();
    w->settings = options->settings;
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
    free(w);
}

struct dispatcher *world_dispatcher(const struct world *w)
{
    return w->dispatcher;
}

const struct settings *world_settings(const struct world *w)
{
    return &w->settings;
}

int64_t world_now_ms(const struct world *w)
{
    return clock_now_ms(w->clock);
}

bool world_flush(struct world *w)
{
    w->lost = dispatch_needs_flush(w->dispatcher) && !dispatch_flush(w->dispatcher);
    return !w->lost;
}

bool world_lost(const struct world *w)
{
    return w->lost;
}
