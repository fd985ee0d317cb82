/* explain_sort.h: the partition is there, and nothing in it is where the sort key asks for it. */
#ifndef EXPLAIN_EXPLAIN_SORT_H
#define EXPLAIN_EXPLAIN_SORT_H

#include "explain/explain_rows.h"

/* Finds the reason; `hash` is the clause of the (single) partition attribute, `sort` the other one.
 */
void explain_sort(struct inquiry *q, const struct rows *r, const struct expr_key_clause *hash,
                  const struct expr_key_clause *sort);

#endif
