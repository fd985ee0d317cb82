#include "base/allowance.h"

#define ROUNDING 1e-6 /* of sums of parts of a unit */

struct allowance allowance_begin(const struct allowance_rate *rate, bool full, int64_t since_ms)
{
    return (struct allowance){.level = full ? rate->most : 0, .at_ms = since_ms};
}

void allowance_refill(struct allowance *a, const struct allowance_rate *rate, int64_t now_ms)
{
    if (now_ms > a->at_ms)
        a->level += rate->per_second * (double)(now_ms - a->at_ms) / 1000;
    if (a->level > rate->most)
        a->level = rate->most;
    a->at_ms = now_ms;
}

bool allowance_has(const struct allowance *a, const struct allowance_rate *rate, double amount)
{
    double needed = amount < rate->most ? amount : rate->most;

    return a->level + ROUNDING >= needed;
}

bool allowance_is_open(const struct allowance *a)
{
    return a->level > ROUNDING;
}
