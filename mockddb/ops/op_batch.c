#include "ops/op_batch.h"

#include "ops/disturbance.h"
#include "ops/op_fault.h"

struct op_batch_range op_batch_share(const struct call *c, size_t count)
{
    const struct disturbance *d = c->disturbance;
    size_t left = d ? d->unprocessed : 0;

    if (left > count)
        left = count;
    if (left && d->unprocessed_first)
        return (struct op_batch_range){.from = left, .to = count};
    return (struct op_batch_range){.from = 0, .to = count - left};
}

const struct error *op_batch_range(struct call *c, size_t count, struct op_batch_range *out)
{
    *out = op_batch_share(c, count);
    return count && out->from == out->to ? op_fault_throughput(c->arena) : NULL;
}

static size_t within_part(size_t at, size_t before, size_t count)
{
    if (at <= before)
        return 0;
    return at - before < count ? at - before : count;
}

struct op_batch_range op_batch_range_part(const struct op_batch_range *whole, size_t before,
                                          size_t count)
{
    return (struct op_batch_range){.from = within_part(whole->from, before, count),
                                   .to = within_part(whole->to, before, count)};
}

void op_batch_refuse(struct arena *a, struct op_batch_range *now, size_t n)
{
    if (!now->refused)
        now->refused = arena_array(a, now->to, sizeof *now->refused);
    now->refused[n] = true;
    now->refused_count++;
}
