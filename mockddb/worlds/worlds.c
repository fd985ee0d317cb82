#include "worlds/worlds.h"

#include <stdlib.h>

struct worlds {
    struct dispatch_memory *memory;
    struct world *first;
};

struct worlds *worlds_new(struct arena *a, const struct world_options *first, const char **problem)
{
    struct worlds *all = calloc(1, sizeof *all);
    struct world_options named = *first;

    if (!all)
        process_out_of_memory();
    all->memory = dispatch_memory_new();
    named.name = SPAN_LIT("default");
    if (!(all->first = world_new(a, &named, all->memory, problem))) {
        worlds_free(all);
        return NULL;
    }
    return all;
}

void worlds_free(struct worlds *all)
{
    if (!all)
        return;
    world_free(all->first);
    dispatch_memory_free(all->memory);
    free(all);
}

struct dispatch_memory *worlds_memory(const struct worlds *all)
{
    return all->memory;
}

struct world *worlds_find(const struct worlds *all, struct span name)
{
    return span_equal(world_name(all->first), name) ? all->first : NULL;
}

struct world *worlds_first(const struct worlds *all)
{
    return all->first;
}

void worlds_flush(struct worlds *all)
{
    (void)world_flush(all->first);
}

void worlds_trim(struct worlds *all)
{
    dispatch_memory_trim(all->memory);
}

bool worlds_idle(struct worlds *all)
{
    return dispatch_idle(world_dispatcher(all->first));
}

int worlds_rest_ms(const struct worlds *all)
{
    return world_rest_ms(all->first);
}
