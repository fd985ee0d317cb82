/* attr_set.h: the members of sets: in order, each once, and looked up.
 *
 * Whoever chose them, putting them in order is quick: they are dealt out by one byte after the
 * other, so that it takes time for each byte that tells members apart, not for each comparison.
 * Nothing but the list is needed, and the work is charged as it is done. */
#ifndef MODEL_ATTR_SET_H
#define MODEL_ATTR_SET_H

#include "model/attr.h"

/* Sorts the members of a set value in place; returns false when two are equal. The arena pays. */
bool attr_set_normalize(struct arena *a, struct attr *set);

/* Whether the set, which is normalized, holds a member equal to `element`. */
bool attr_set_contains(const struct attr *set, const struct attr *element);

#endif
