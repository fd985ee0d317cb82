/* explain_batch.h: batches and transactions that are too long or have an item twice. */
#ifndef EXPLAIN_EXPLAIN_BATCH_H
#define EXPLAIN_EXPLAIN_BATCH_H

#include "explain/inquiry.h"

void explain_batch(struct inquiry *q);

#endif
