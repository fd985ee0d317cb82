/* explain_parts.h: why a partition of several attributes gave nothing: an index can have up to four
 * of them in its partition key, and all have to be right. */
#ifndef EXPLAIN_EXPLAIN_PARTS_H
#define EXPLAIN_EXPLAIN_PARTS_H

#include "explain/explain_rows.h"

/* `key` has a clause for each of the partition attributes. */
void explain_parts(struct inquiry *q, const struct rows *r, const struct expr_key *key);

#endif
