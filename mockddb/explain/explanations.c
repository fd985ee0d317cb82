#include "explain/explanations.h"

#include "base/process.h"

#include <stdlib.h>

struct kept {
    uint64_t number; /* 0: none */
    char *bytes;     /* the world's name, then the JSON text */
    size_t world_len, json_len;
};

struct explanations {
    uint64_t last;
    size_t bytes;                      /* of all */
    struct kept at[EXPLANATIONS_KEPT]; /* by number, going round */
};

struct explanations *explanations_new(void)
{
    struct explanations *all = calloc(1, sizeof *all);

    if (!all)
        process_out_of_memory();
    return all;
}

void explanations_free(struct explanations *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < EXPLANATIONS_KEPT; i++)
        free(all->at[i].bytes);
    free(all);
}

static struct span world_of(const struct kept *kept)
{
    return (struct span){kept->bytes, kept->world_len};
}

static void forget_kept(struct explanations *all, struct kept *kept)
{
    all->bytes -= kept->world_len + kept->json_len;
    free(kept->bytes);
    *kept = (struct kept){.number = 0};
}

void explanations_forget(struct explanations *all, struct span world)
{
    for (size_t i = 0; all && i < EXPLANATIONS_KEPT; i++)
        if (all->at[i].number && span_equal(world_of(&all->at[i]), world))
            forget_kept(all, &all->at[i]);
}

uint64_t explanations_keep(struct explanations *all, struct span world,
                           const struct explanation *one)
{
    struct kept *kept = &all->at[++all->last % EXPLANATIONS_KEPT];
    char *bytes = malloc(world.len + one->json.len);

    if (!bytes)
        process_out_of_memory();
    forget_kept(all, kept);
    kept->number = all->last;
    kept->bytes = bytes;
    kept->world_len = world.len;
    kept->json_len = one->json.len;
    memcpy(bytes, world.at, world.len);
    memcpy(bytes + world.len, one->json.at, one->json.len);
    all->bytes += world.len + one->json.len;
    /* The oldest go until the others have room. */
    for (size_t i = 1; i < EXPLANATIONS_KEPT && all->bytes > EXPLANATIONS_BYTES; i++)
        forget_kept(all, &all->at[(all->last + i) % EXPLANATIONS_KEPT]);
    return kept->number;
}

struct span explanations_find(const struct explanations *all, struct span world, uint64_t number)
{
    const struct kept *kept = &all->at[number % EXPLANATIONS_KEPT];

    if (!number || kept->number != number || !span_equal(world_of(kept), world))
        return (struct span){NULL, 0};
    return (struct span){kept->bytes + kept->world_len, kept->json_len};
}
