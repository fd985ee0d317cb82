#include "worlds/world_order.h"

#include <stdlib.h>

void world_order_free(struct world_order *o)
{
    free(o->at);
    *o = (struct world_order){0};
}

static bool is_earlier(const struct world *a, const struct world *b)
{
    return a->place.due_ms < b->place.due_ms;
}

static void put_world(struct world_order *o, size_t i, struct world *w)
{
    o->at[i] = w;
    w->place.due_at = i;
}

/* Puts the world into a free place of the heap, and moves it up or down to its right place. */
static void settle_world(struct world_order *o, size_t i, struct world *w)
{
    while (i > 1 && is_earlier(w, o->at[i / 2])) {
        put_world(o, i, o->at[i / 2]);
        i /= 2;
    }
    for (size_t child; (child = 2 * i) <= o->count; i = child) {
        if (child < o->count && is_earlier(o->at[child + 1], o->at[child]))
            child++;
        if (!is_earlier(o->at[child], w))
            break;
        put_world(o, i, o->at[child]);
    }
    put_world(o, i, w);
}

/* The first place of the heap is not used. */
static size_t add_place(struct world_order *o)
{
    o->at = process_one_more(o->at, o->count + 1, &o->capacity, sizeof(*o->at));
    return ++o->count;
}

static void take_out(struct world_order *o, struct world *w)
{
    struct world *last = o->at[o->count];
    size_t i = w->place.due_at;

    w->place.due_at = 0;
    o->count--;
    if (last != w)
        settle_world(o, i, last);
}

void world_order_set(struct world_order *o, struct world *w, int64_t due_ms)
{
    w->place.due_ms = due_ms;
    if (due_ms != INT64_MAX)
        settle_world(o, w->place.due_at ? w->place.due_at : add_place(o), w);
    else if (w->place.due_at)
        take_out(o, w);
}

struct world *world_order_first(const struct world_order *o)
{
    return o->count ? o->at[1] : NULL;
}
