/* explain_sparse.h: the item that is in the table, and not in the index that was asked. */
#ifndef EXPLAIN_EXPLAIN_SPARSE_H
#define EXPLAIN_EXPLAIN_SPARSE_H

#include "explain/explain_rows.h"

/* Looks for an item outside of the index that has the text among its attributes or as a part of
 * its key; in one partition of the table, or, where `hash` is NULL, anywhere. True: the reason was
 * found. */
bool explain_sparse(struct inquiry *q, const struct rows *r, const struct attr *text,
                    const struct attr *hash);

/* Says why an index is empty, while its table is not. */
void explain_sparse_empty(struct inquiry *q, const struct rows *r);

#endif
