#include "worlds/snapshots.h"

#include <stdlib.h>

struct snapshots *snapshots_new(void)
{
    return process_zeroed(sizeof(struct snapshots));
}

static void release_snapshot(struct snapshot *s)
{
    store_free(s->state.store);
    free(s->name);
}

void snapshots_free(struct snapshots *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->count; i++)
        release_snapshot(&all->at[i]);
    free(all->at);
    free(all);
}

/* Index of the first whose name is not less than `name`. */
static size_t position_of(const struct snapshots *all, struct span name)
{
    size_t i = 0;

    while (i < all->count && span_compare(span_of(all->at[i].name), name) < 0)
        i++;
    return i;
}

static bool is_at(const struct snapshots *all, size_t i, struct span name)
{
    return i < all->count && span_equal(span_of(all->at[i].name), name);
}

const struct snapshot *snapshots_find(const struct snapshots *all, struct span name)
{
    size_t i = position_of(all, name);

    return is_at(all, i, name) ? &all->at[i] : NULL;
}

static struct snapshot *insert_snapshot(struct snapshots *all, size_t i, struct span name)
{
    struct snapshot *at = process_one_more(all->at, all->count, &all->room, sizeof *at);

    all->at = at;
    memmove(at + i + 1, at + i, (all->count - i) * sizeof *at);
    all->count++;
    at[i] = (struct snapshot){.name = process_text(name)};
    return &at[i];
}

const struct problem *snapshots_check_room(struct arena *a, const struct snapshots *all,
                                           struct span name)
{
    if (all->count < SNAPSHOTS_MAX || snapshots_find(all, name))
        return NULL;
    return problem_new(a, PROBLEM_LIMIT, "a world has %d snapshots at most", SNAPSHOTS_MAX);
}

void snapshots_adopt(struct snapshots *all, struct span name, const struct snapshot *taken)
{
    size_t i = position_of(all, name);
    bool there = is_at(all, i, name);
    struct snapshot *s = there ? &all->at[i] : insert_snapshot(all, i, name);

    if (there) {
        all->memory -= s->memory;
        store_free(s->state.store);
    }
    s->state = taken->state;
    s->taken_ms = taken->taken_ms;
    s->content = taken->content;
    s->memory = store_memory(taken->state.store);
    all->memory += s->memory;
}

bool snapshots_remove(struct snapshots *all, struct span name)
{
    size_t i = position_of(all, name);

    if (!is_at(all, i, name))
        return false;
    all->memory -= all->at[i].memory;
    release_snapshot(&all->at[i]);
    all->count--;
    memmove(all->at + i, all->at + i + 1, (all->count - i) * sizeof *all->at);
    return true;
}
