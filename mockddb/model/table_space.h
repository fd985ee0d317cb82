/* table_space.h: the spaces that nothing but a table has. */
#ifndef MODEL_TABLE_SPACE_H
#define MODEL_TABLE_SPACE_H

#include "model/schema.h"

struct table_space {
    uint32_t number;
    bool links;             /* its entries refer to bodies that the table's own space has */
    const struct index *ix; /* whose space it is, or NULL */
    const char *what;       /* it holds, for messages; of an index: NULL */
};

/* All of them, the table's own first, its open stream's among them. */
const struct table_space *table_space_list(struct arena *a, const struct table *t, size_t *count);
size_t table_space_most(const struct table *t); /* no more than these */

#endif
