/* table_size.h: the size of a table, and of all tables.
 *
 * An indexed vector counts as its floats. Reads and the limit of an item's size count it as a list
 * of numbers. Source: docs/behaviour/vectors.md, "Figures". */
#pragma once

#include "store/unit.h"

/* The number of items and their bytes. If several indexes have the same vector, the fullest one
 * says how many items have it. */
MUST_CHECK const struct error *table_size(struct unit *u, const struct table *t,
                                          struct space_stats *out);

/* Of several tables, in a store of this process alone, where reading sizes cannot fail. */
struct table_totals {
    int64_t tables, items, bytes;
};
void table_size_add(struct table_totals *totals, struct unit *u, const struct table *t);
struct table_totals table_size_all(struct arena *a, struct store *s);
