/* world_order.h: the worlds with due work, ordered by time. Adding, moving and removing one takes
 * logarithmic time, so that a thousand idle worlds cost nothing. */
#ifndef WORLDS_WORLD_ORDER_H
#define WORLDS_WORLD_ORDER_H

#include "worlds/world_core.h"

struct world_order {
    struct world **at; /* a heap; the first index is 1 */
    size_t count, capacity;
};

void world_order_free(struct world_order *o);

/* Sets the world's time in the order; INT64_MAX removes it. */
void world_order_set(struct world_order *o, struct world *w, int64_t due_ms);

/* Returns the world that is due first, or NULL. */
struct world *world_order_first(const struct world_order *o);

#endif
