/* table_size.h: how large a table is.
 *
 * A vector that is indexed counts its floats in place of the list of numbers that items are read
 * and limited as. Source: docs/behaviour/vectors.md, "Figures". */
#ifndef OPS_TABLE_SIZE_H
#define OPS_TABLE_SIZE_H

#include "store/store.h"

/* Items, and their bytes. Of several indexes on one vector the fullest says which items have it. */
struct space_stats table_size(const struct store *s, const struct table *t);

#endif
