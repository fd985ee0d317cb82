/* world_order.h: worlds in which something falls due, by when that is. Adding, moving and taking
 * out one costs the logarithm of their number, so that a thousand idle worlds cost nothing. */
#ifndef WORLDS_WORLD_ORDER_H
#define WORLDS_WORLD_ORDER_H

#include "worlds/world_core.h"

struct world_order {
    struct world **at; /* a heap, from 1 on */
    size_t count, capacity;
};

void world_order_free(struct world_order *o);

/* The world is in the order with that moment from here on, or, with INT64_MAX, not at all. */
void world_order_set(struct world_order *o, struct world *w, int64_t due_ms);

/* The world that is due first, or NULL. */
struct world *world_order_first(const struct world_order *o);

#endif
