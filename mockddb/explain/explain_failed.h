/* explain_failed.h: a condition that failed: what the item is like that it was asked of. */
#ifndef EXPLAIN_EXPLAIN_FAILED_H
#define EXPLAIN_EXPLAIN_FAILED_H

#include "explain/inquiry.h"

/* Of the inquiry's entry. */
void explain_failed(struct inquiry *q);

#endif
