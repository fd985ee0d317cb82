/* table_space.h: the spaces that belong to a table. */
#pragma once

#include "model/schema.h"

struct table_space {
    uint32_t number;
    bool links;             /* its entries refer to bodies in the table's own space */
    const struct index *ix; /* the index that owns it, or NULL */
    const char *what;       /* its contents, for messages; NULL for an index */
};

/* All spaces of a table, its own first, including its open stream's. */
const struct table_space *table_space_list(struct arena *a, const struct table *t, size_t *count);
