#include "ops/throttle/throttle_pool.h"

#include <math.h>
#include <stdlib.h>

/* The units of a partition are its share of reads and writes together: one per second, without a
 * burst. */
static const struct allowance_rate partition_rate = {.per_second = 1, .most = 1};

struct throttle_pool *throttle_pool_new(uint32_t space)
{
    struct throttle_pool *p = calloc(1, sizeof *p);

    if (!p)
        process_out_of_memory();
    p->space = space;
    return p;
}

void throttle_pool_free(struct throttle_pool *p)
{
    if (!p)
        return;
    free(p->partitions);
    free(p);
}

/* --- rates from the settings ------------------------------------------------------------------ */

static double part_of(const struct unit_pair *pair, bool writes)
{
    return (double)(writes ? pair->write : pair->read);
}

/* The rate of an on-demand table: the initial one, its warm throughput, or twice the peak. */
static double follow_peak(const struct throttle_demand *d, const struct throttle_peak *peak)
{
    const struct unit_pair *warm = d->index ? &d->index->warm : &d->table->warm;
    double units = d->writes ? LIMIT_ON_DEMAND_WRITES : LIMIT_ON_DEMAND_READS;

    if (units < part_of(warm, d->writes))
        units = part_of(warm, d->writes);
    return units < 2 * peak->known ? 2 * peak->known : units;
}

static struct allowance_rate rate_of(const struct throttle_demand *d,
                                     const struct throttle_peak *peak, enum throttle_cause *cause)
{
    const struct throughput *fixed = d->index ? &d->index->throughput : &d->table->throughput;
    const struct unit_pair *limits = d->index ? &d->index->on_demand : &d->table->on_demand_limits;
    double units;

    if (!d->table->on_demand) {
        units = (double)(d->writes ? fixed->write : fixed->read);
        *cause = THROTTLE_PROVISIONED;
        return (struct allowance_rate){units, units * LIMIT_BURST_SECONDS};
    }
    units = follow_peak(d, peak);
    *cause = THROTTLE_KEY_RANGE;
    if (units >= LIMIT_TABLE_UNITS) {
        units = LIMIT_TABLE_UNITS;
        *cause = THROTTLE_ACCOUNT;
    }
    if (part_of(limits, d->writes) > 0 && part_of(limits, d->writes) <= units) {
        units = part_of(limits, d->writes);
        *cause = THROTTLE_MAX_ON_DEMAND;
    }
    return (struct allowance_rate){units, units};
}

#define MOST_PARTITIONS 10000 /* even if a file gives a table more units */

/* The number of partitions that both rates need. */
static uint32_t partitions_needed(const struct throttle_pool *p, const struct throttle_demand *d)
{
    struct throttle_demand reads = *d, writes = *d;
    enum throttle_cause cause;
    double needed;

    reads.writes = false;
    writes.writes = true;
    needed = rate_of(&reads, &p->flow[false].peak, &cause).per_second / LIMIT_PARTITION_READS +
             rate_of(&writes, &p->flow[true].peak, &cause).per_second / LIMIT_PARTITION_WRITES;
    if (!(needed > 1))
        return 1;
    return needed < MOST_PARTITIONS ? (uint32_t)ceil(needed) : MOST_PARTITIONS;
}

/* --- refreshing ------------------------------------------------------------------------------- */

static void move_on(struct throttle_peak *peak, int64_t now_ms)
{
    if (now_ms - peak->span_ms < LIMIT_PEAK_MS)
        return;
    if (peak->known < peak->newest)
        peak->known = peak->newest;
    peak->newest = 0;
    peak->span_ms = now_ms;
}

/* Makes new partitions, all full. */
static void split_partitions(struct throttle_pool *p, uint32_t count, int64_t now_ms)
{
    struct allowance *parts = realloc(p->partitions, count * sizeof *parts);

    if (!parts)
        process_out_of_memory();
    for (uint32_t i = 0; i < count; i++)
        parts[i] = allowance_begin(&partition_rate, true, now_ms);
    p->partitions = parts;
    p->partition_count = count;
}

void throttle_pool_refresh(struct throttle_pool *p, const struct throttle_demand *d,
                           const struct throttle_start *start, int64_t now_ms)
{
    struct throttle_flow *flow = &p->flow[d->writes];
    enum throttle_cause cause;
    struct allowance_rate rate;
    uint32_t count;

    move_on(&flow->peak, now_ms);
    rate = rate_of(d, &flow->peak, &cause);
    if (!flow->begun)
        flow->units = allowance_begin(&rate, !start->empty, start->since_ms);
    flow->begun = true;
    allowance_refill(&flow->units, &rate, now_ms);
    count = partitions_needed(p, d);
    if (count != p->partition_count)
        split_partitions(p, count, now_ms);
    for (uint32_t i = 0; i < count; i++)
        allowance_refill(&p->partitions[i], &partition_rate, now_ms);
}

/* --- demands ---------------------------------------------------------------------------------- */

static double share_of_partition(const struct throttle_demand *d, double units)
{
    return units / (d->writes ? LIMIT_PARTITION_WRITES : LIMIT_PARTITION_READS);
}

static struct allowance *partition_of(const struct throttle_pool *p,
                                      const struct capacity_place *place)
{
    return &p->partitions[(uint64_t)place->hash * p->partition_count >> 32];
}

static bool allows_demand(const struct allowance *a, const struct allowance_rate *rate,
                          const struct throttle_demand *d, double amount)
{
    return d->may_owe ? allowance_is_open(a) : allowance_has(a, rate, amount);
}

/* A demand that is spread over the table ignores busy partitions. */
size_t throttle_pool_check(const struct throttle_pool *p, const struct throttle_demand *d,
                           enum throttle_cause *causes)
{
    const struct throttle_flow *flow = &p->flow[d->writes];
    size_t count = 0;
    enum throttle_cause cause;
    struct allowance_rate rate = rate_of(d, &flow->peak, &cause);

    if (!allows_demand(&flow->units, &rate, d, d->units))
        causes[count++] = cause;
    if (!d->place.spread &&
        !allows_demand(partition_of(p, &d->place), &partition_rate, d,
                       share_of_partition(d, d->units)) &&
        !(count && cause == THROTTLE_KEY_RANGE))
        causes[count++] = THROTTLE_KEY_RANGE;
    return count;
}

static void note_peak(struct throttle_peak *peak, double units, int64_t now_ms)
{
    int64_t second = now_ms / LIMIT_SECOND_MS;

    if (second != peak->second)
        peak->units = 0;
    peak->second = second;
    peak->units += units;
    if (peak->newest < peak->units)
        peak->newest = peak->units;
}

void throttle_pool_take(struct throttle_pool *p, const struct throttle_demand *d, double units,
                        int64_t now_ms)
{
    double share = share_of_partition(d, units);

    p->flow[d->writes].units.level -= units;
    note_peak(&p->flow[d->writes].peak, units, now_ms);
    if (!d->place.spread)
        partition_of(p, &d->place)->level -= share;
    for (uint32_t i = 0; d->place.spread && i < p->partition_count; i++)
        p->partitions[i].level -= share / p->partition_count;
}
