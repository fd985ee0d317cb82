/* op_batch.h: which members of a batch are done, and which are unprocessed.
 *
 * All are done unless a disturbance leaves some. Source: API reference, BatchWriteItem. */
#pragma once

#include "ops/op.h"

struct op_batch_range {
    size_t from, to; /* the members to do, in the order of the request */
    bool *refused;   /* which of them were throttled; NULL: none */
    size_t refused_count;
};

/* The range for a batch of `count` whose members fail separately. */
struct op_batch_range op_batch_share(const struct call *c, size_t count);

/* Like op_batch_share, but fails with ProvisionedThroughputExceededException if the range is empty
 * and the batch is not. */
MUST_CHECK const struct error *op_batch_range(struct call *c, size_t count,
                                              struct op_batch_range *out);

/* Marks the nth member, which was throttled, as unprocessed (ops/throttle/throttle.h). */
void op_batch_refuse(struct arena *a, struct op_batch_range *now, size_t n);

/* Whether the nth member is unprocessed if the work ended at `done`, and how many of `count` are.
 */
static inline bool op_batch_is_unprocessed(const struct op_batch_range *now, size_t done, size_t n)
{
    return n < now->from || n >= done || (now->refused && now->refused[n]);
}
static inline size_t op_batch_unprocessed(const struct op_batch_range *now, size_t done,
                                          size_t count)
{
    return count - (done - now->from) + now->refused_count;
}

/* The range within a part of `count` members, after `before` members of other parts. */
struct op_batch_range op_batch_range_part(const struct op_batch_range *whole, size_t before,
                                          size_t count);
