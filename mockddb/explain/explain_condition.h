/* explain_condition.h: a read whose conditions do not fit the key of what it asks. */
#ifndef EXPLAIN_EXPLAIN_CONDITION_H
#define EXPLAIN_EXPLAIN_CONDITION_H

#include "explain/inquiry.h"

/* Finds the reason why a Query or Scan was refused. */
void explain_condition(struct inquiry *q);

#endif
