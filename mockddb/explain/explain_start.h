/* explain_start.h: an ExclusiveStartKey that does not fit this Query or Scan. */
#ifndef EXPLAIN_EXPLAIN_START_H
#define EXPLAIN_EXPLAIN_START_H

#include "explain/inquiry.h"

/* Whether the request has one: then it may be at fault just as well as the rest. */
bool explain_start(struct inquiry *q);

#endif
