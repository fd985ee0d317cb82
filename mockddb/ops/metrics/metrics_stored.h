/* metrics_stored.h: metrics in a store that several processes use: each puts what it has counted
 * into rows, and readers get the sum of all rows.
 *
 *   key = KEY_SPACE_METRICS | minute (8 bytes, big-endian) | process (bytes that it drew)
 *
 * The row of minute 0 has the totals of rows that were deleted. */
#pragma once

#include "ops/metrics/metrics.h"
#include "ops/op.h"

/* For readers: fills metrics_sum(own) with the values in the store and those in `own`, if several
 * processes use the store. */
MUST_CHECK const struct error *metrics_stored_read(struct unit *u, struct store *s, struct arena *a,
                                                   struct metrics *own);

/* Adds what this process has counted to its rows, in a unit of its own; then c->metrics is empty.
 * `process` is different for each. */
MUST_CHECK const struct error *metrics_stored_put(struct call *c, struct span process);

/* Deletes a slice of the oldest rows if all take more room than they may. *more: call again. */
MUST_CHECK const struct error *metrics_stored_trim(struct call *c, bool *more);
