/* attr_set.h: sorts the members of sets, finds duplicates, and looks members up.
 *
 * Sorting is fast for any input: members are dealt into buckets by one byte after the other, so the
 * time grows with the bytes that tell members apart, not with the number of comparisons. It needs
 * no memory besides the list; steps are charged as they are done. */
#pragma once

#include "model/attr.h"

/* Sorts a set's members in place; returns false if two are equal. Charges steps to the arena. */
bool attr_set_normalize(struct arena *a, struct attr *set);

/* Whether the normalized set holds a member equal to `element`. */
bool attr_set_contains(const struct attr *set, const struct attr *element);
