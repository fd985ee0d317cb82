/* op_batch.h: which part of a batch is done now, and which is left for the next request.
 *
 * All is done unless a disturbance says otherwise. Source: API reference, BatchWriteItem. */
#ifndef OPS_OP_BATCH_H
#define OPS_OP_BATCH_H

#include "ops/op.h"

struct op_batch_range {
    size_t from, to; /* what is done, in the order of the request */
    bool *refused;   /* what of it is not, for lack of throughput; NULL: all is */
    size_t refused_count;
};

/* Of a batch of `count`, whose members fail one by one. */
struct op_batch_range op_batch_share(const struct call *c, size_t count);

/* The same of a batch that fails as a whole where nothing can be done:
 * ProvisionedThroughputExceededException. */
MUST_CHECK const struct error *op_batch_range(struct call *c, size_t count,
                                              struct op_batch_range *out);

/* Leaves the nth of the range, for which there is no throughput (ops/throttle/throttle.h). */
void op_batch_refuse(struct arena *a, struct op_batch_range *now, size_t n);

/* Whether the nth is left, where work ended at `done`; and how many of `count` are. */
static inline bool op_batch_is_left(const struct op_batch_range *now, size_t done, size_t n)
{
    return n < now->from || n >= done || (now->refused && now->refused[n]);
}
static inline size_t op_batch_left(const struct op_batch_range *now, size_t done, size_t count)
{
    return count - (done - now->from) + now->refused_count;
}

/* Of the part of it that has `count` after `before` of other parts. */
struct op_batch_range op_batch_range_part(const struct op_batch_range *whole, size_t before,
                                          size_t count);

#endif
