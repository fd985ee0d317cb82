#include "store/spaces.h"

#include <stdlib.h>

void spaces_free(struct spaces *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->at[i]);
    free(all->at);
    *all = (struct spaces){0};
}

/* Index of the first space whose number is not below `number`. */
static size_t position_of(const struct spaces *all, uint32_t number)
{
    size_t low = 0, high = all->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (all->at[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct space *spaces_find(const struct spaces *all, uint32_t number)
{
    size_t at = position_of(all, number);

    return at < all->count && all->at[at]->number == number ? all->at[at] : NULL;
}

struct space *spaces_get(struct arena *a, struct spaces *all, uint32_t number)
{
    size_t at = position_of(all, number);
    struct space *space;

    if (at < all->count && all->at[at]->number == number)
        return all->at[at];
    all->at = arena_kept_room(a, all->at, all->count + 1, &all->capacity, sizeof(struct space *));
    if (!(space = calloc(1, sizeof *space)))
        arena_out_of_memory(a);
    space->number = number;
    memmove(all->at + at + 1, all->at + at, (all->count - at) * sizeof(struct space *));
    all->at[at] = space;
    all->count++;
    return space;
}

void spaces_change(struct spaces *all, struct space *space, struct space_stats by)
{
    if (!space->in_unit) {
        space->in_unit = true;
        space->unit_next = all->unit;
        all->unit = space;
    }
    space->now.entries += by.entries;
    space->now.bytes += by.bytes;
    space->now.spared += by.spared;
}

void spaces_drop(struct spaces *all, struct space *space)
{
    struct space_stats all_of_it = space->now;

    spaces_change(all, space,
                  (struct space_stats){-all_of_it.entries, -all_of_it.bytes, -all_of_it.spared});
    space->dropped = true;
}

/* Restores the earlier counts. A drop since then is undone. */
static void restore_counts(struct space *space, struct space_stats then)
{
    space->now = then;
    space->dropped = false;
}

static void end_unit(struct spaces *all)
{
    struct space *space = all->unit;

    while (space) {
        space->in_unit = false;
        space = space->unit_next;
    }
    all->unit = NULL;
}

void spaces_keep_unit(struct spaces *all)
{
    for (struct space *space = all->unit; space; space = space->unit_next) {
        space->kept = space->now;
        if (!space->in_group) {
            space->in_group = true;
            space->group_next = all->group;
            all->group = space;
        }
    }
    end_unit(all);
}

void spaces_undo_unit(struct spaces *all)
{
    for (struct space *space = all->unit; space; space = space->unit_next)
        restore_counts(space, space->kept);
    end_unit(all);
}

void spaces_flushed(struct spaces *all)
{
    struct space *space = all->group;

    all->group = NULL;
    while (space) {
        struct space *next = space->group_next;

        space->flushed = space->kept;
        space->in_group = false;
        if (space->dropped) {
            size_t at = position_of(all, space->number);

            all->count--;
            memmove(all->at + at, all->at + at + 1, (all->count - at) * sizeof(struct space *));
            free(space);
        }
        space = next;
    }
}

void spaces_undo_group(struct spaces *all)
{
    for (struct space *space = all->group; space; space = space->group_next) {
        space->kept = space->flushed;
        restore_counts(space, space->flushed);
        space->in_group = false;
    }
    all->group = NULL;
}
