/* same_bodies.h: which bodies of a space two files have in common.
 *
 * The file of a fork begins as a copy of its origin's, so a body has the same id in both. To read
 * bodies in the order of their ids takes a quarter of the time that it takes in the order of the
 * entries, which is random. What was found holds until either store is changed. */
#pragma once

#include "store/unit.h"

struct same_bodies;

/* NULL if that is not known before the items are compared: the stores are one, their engine does
 * not number bodies, or the numbers are too far apart. Both must outlive it. */
struct same_bodies *same_bodies_new(struct store *a, struct store *b, uint32_t space);
void same_bodies_free(struct same_bodies *s); /* s may be NULL */

/* Compares some more bodies; returns false if none are left. */
bool same_bodies_step(struct same_bodies *s);

/* Whether neither store was changed since the beginning. */
bool same_bodies_hold(const struct same_bodies *s);

/* Whether these rows, one of each store, are known to have the same body. */
bool same_bodies_know(const struct same_bodies *s, const struct store_row *a,
                      const struct store_row *b);
