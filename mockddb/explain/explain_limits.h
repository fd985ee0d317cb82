/* explain_limits.h: requests that a write does not take: items that are too large, and values that
 * it cannot return. */
#ifndef EXPLAIN_EXPLAIN_LIMITS_H
#define EXPLAIN_EXPLAIN_LIMITS_H

#include "explain/inquiry.h"

/* Finds the reason in the size of the entry's item, or of the item that its update would make. */
void explain_limits_size(struct inquiry *q);

/* Finds the reason in the ReturnValues of a write. */
void explain_limits_returns(struct inquiry *q);

#endif
