/* The turns of worlds: their flush, the order in which they are due, and the work between requests.
 */
#include "worlds/worlds_core.h"

#include <stdlib.h>

#include "store/store_memory.h"

/* --- the order ---------------------------------------------------------------------------------
 */

void worlds_order_free(struct worlds_order *o)
{
    free(o->at);
    *o = (struct worlds_order){0};
}

static bool is_earlier(const struct world *a, const struct world *b)
{
    return a->place.due_ms < b->place.due_ms;
}

static void put_world(struct worlds_order *o, size_t i, struct world *w)
{
    o->at[i] = w;
    w->place.due_at = i;
}

/* Puts the world into a free place of the heap, and moves it up or down to its right place. */
static void settle_world(struct worlds_order *o, size_t i, struct world *w)
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
static size_t add_place(struct worlds_order *o)
{
    o->at = process_one_more(o->at, o->count + 1, &o->capacity, sizeof(*o->at));
    return ++o->count;
}

void worlds_order_set(struct worlds_order *o, struct world *w, int64_t due_ms)
{
    w->place.due_ms = due_ms;
    if (due_ms != INT64_MAX)
        settle_world(o, w->place.due_at ? w->place.due_at : add_place(o), w);
    else if (w->place.due_at) {
        struct world *last = o->at[o->count];
        size_t i = w->place.due_at;

        w->place.due_at = 0;
        o->count--;
        if (last != w)
            settle_world(o, i, last);
    }
}

struct world *worlds_order_first(const struct worlds_order *o)
{
    return o->count ? o->at[1] : NULL;
}

/* --- turns -------------------------------------------------------------------------------------
 */

int64_t worlds_steady_ms(const struct worlds *all)
{
    return clock_ticks_us(all->clock) / 1000;
}

void worlds_note_due(struct worlds *all, struct world *w)
{
    int rest_ms = world_rest_ms(w);

    worlds_order_set(&all->order, w,
                     rest_ms == WORLD_RESTS ? INT64_MAX : worlds_steady_ms(all) + rest_ms);
}

void worlds_weigh(struct worlds *all, struct world *w)
{
    size_t memory = world_memory(w);

    all->held += memory - w->place.memory;
    w->place.memory = memory;
}

/* The world is flushed at the end of the turn. */
static void join_turn(struct worlds *all, struct world *w)
{
    if (w->place.in_turn)
        return;
    w->lost = false;
    w->place.in_turn = true;
    TAILQ_INSERT_TAIL(&all->turn, w, place.turn_link);
}

void worlds_touch(struct worlds *all, struct world *w)
{
    w->place.used_ms = worlds_steady_ms(all);
    if (w != all->first) {
        TAILQ_REMOVE(&all->used, w, place.used_link);
        TAILQ_INSERT_TAIL(&all->used, w, place.used_link);
    }
    join_turn(all, w);
}

void worlds_leave_turn(struct worlds *all, struct world *w)
{
    if (w->place.in_turn)
        TAILQ_REMOVE(&all->turn, w, place.turn_link);
    w->place.in_turn = false;
}

void worlds_free_list(struct world_list *list)
{
    struct world *w;

    while ((w = TAILQ_FIRST(list))) {
        TAILQ_REMOVE(list, w, place.turn_link);
        world_free(w);
    }
}

uint64_t worlds_copies_ended(const struct worlds *all)
{
    return all->copies_ended;
}

void worlds_flush(struct worlds *all)
{
    struct world *w;

    while ((w = TAILQ_FIRST(&all->turn))) {
        worlds_leave_turn(all, w);
        (void)world_flush(w);
        worlds_weigh(all, w);
        worlds_note_due(all, w);
    }
    worlds_free_list(&all->leaving);
    while ((w = TAILQ_FIRST(&all->gone))) {
        TAILQ_REMOVE(&all->gone, w, place.turn_link);
        TAILQ_INSERT_TAIL(&all->leaving, w, place.turn_link);
    }
}

void worlds_trim(struct worlds *all)
{
    dispatch_memory_trim(all->memory);
}

/* When the least recently used world is dropped. */
static int64_t next_drop_ms(const struct worlds *all)
{
    const struct world *w = TAILQ_FIRST(&all->used);

    return w && all->options.idle_ms ? w->place.used_ms + all->options.idle_ms : INT64_MAX;
}

bool worlds_idle(struct worlds *all)
{
    struct world *w = worlds_order_first(&all->order), *idle;

    worlds_copies_idle(all);
    idle = TAILQ_FIRST(&all->used);
    if (next_drop_ms(all) <= worlds_steady_ms(all)) {
        (idle->holders || idle->copies ? worlds_touch : worlds_close)(all, idle);
    } else if (w && w->place.due_ms <= worlds_steady_ms(all)) {
        (void)dispatch_idle(w->dispatcher);
        join_turn(all, w);
        worlds_note_due(all, w);
    }
    (void)store_memory_free_step();
    return worlds_rest_ms(all) == 0;
}

int worlds_rest_ms(const struct worlds *all)
{
    const struct world *w = worlds_order_first(&all->order);
    int64_t due_ms = w ? w->place.due_ms : INT64_MAX, drop_ms = next_drop_ms(all), rest_ms;

    if (!worlds_copies_are_idle(all) || store_memory_waits())
        return 0;
    if (drop_ms < due_ms)
        due_ms = drop_ms;
    if (due_ms == INT64_MAX)
        return WORLD_RESTS;
    rest_ms = due_ms - worlds_steady_ms(all);
    return rest_ms < 0 ? 0 : rest_ms < INT32_MAX ? (int)rest_ms : INT32_MAX;
}
