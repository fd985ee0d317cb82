/* explain_batch.h: batches and transactions that are too long or have an item twice. */
#ifndef EXPLAIN_EXPLAIN_BATCH_H
#define EXPLAIN_EXPLAIN_BATCH_H

#include "explain/inquiry.h"

/* Finds the reason why a batch or a transaction was refused as a whole. */
void explain_batch(struct inquiry *q);

#endif
