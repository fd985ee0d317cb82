/* explain_partition.h: there is no such partition: where else, and what is near. */
#ifndef EXPLAIN_EXPLAIN_PARTITION_H
#define EXPLAIN_EXPLAIN_PARTITION_H

#include "explain/explain_rows.h"

/* `hash` is the clause of the (single) partition attribute, of which there is no entry. */
void explain_partition(struct inquiry *q, const struct rows *r, const struct expr_key_clause *hash);

#endif
