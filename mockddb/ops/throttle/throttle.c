#include "ops/throttle/throttle.h"

#include "base/allowance.h"
#include "ops/table/table_arn.h"
#include "ops/throttle/throttle_error.h"

#include <math.h>
#include <stdlib.h>

/* --- pools: the units that a table or global index has left ----------------------------------- */

/* The peak of units per second, which on-demand capacity follows. */
struct throttle_peak {
    double known;    /* before the current span of time */
    double newest;   /* in the current span */
    int64_t span_ms; /* start of the current span */
    double units;    /* in the current second */
    int64_t second;  /* the current second, since 1970 */
};

/* The units of reads or of writes. */
struct throttle_flow {
    bool begun;
    struct allowance units;
    struct throttle_peak peak;
};

struct throttle_pool {
    uint32_t space;               /* of the table or index; model/schema.h */
    struct throttle_flow flow[2]; /* reading, writing */
    struct allowance *partitions; /* in the order of hashes; each has a rate of 1 per second */
    uint32_t partition_count;
    struct throttle_pool *next;
};

/* The state in which a pool begins. */
struct throttle_start {
    bool empty;
    int64_t since_ms;
};

/* A demand of units from a table or one of its global indexes. */
struct throttle_demand {
    const struct table *table;
    const struct index *index; /* NULL: the table itself */
    bool writes;
    bool may_owe; /* for pages, whose size is known late: refused only if the pool is in debt */
    double units;
    struct capacity_place place;
};

#define CAUSES_AT_ONCE 2

/* The units of a partition are its share of reads and writes together: one per second, without a
 * burst. */
static const struct allowance_rate partition_rate = {.per_second = 1, .most = 1};

static struct throttle_pool *throttle_pool_new(uint32_t space)
{
    struct throttle_pool *p = process_zeroed(sizeof *p);

    p->space = space;
    return p;
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

/* Updates the pool to the current time and the table's settings. */
static void throttle_pool_refresh(struct throttle_pool *p, const struct throttle_demand *d,
                                  const struct throttle_start *start, int64_t now_ms)
{
    struct throttle_flow *flow = &p->flow[d->writes];
    enum throttle_cause cause;
    struct allowance_rate rate;
    uint32_t count;

    if (now_ms - flow->peak.span_ms >= LIMIT_PEAK_MS) {
        if (flow->peak.known < flow->peak.newest)
            flow->peak.known = flow->peak.newest;
        flow->peak.newest = 0;
        flow->peak.span_ms = now_ms;
    }
    rate = rate_of(d, &flow->peak, &cause);
    if (!flow->begun)
        flow->units = allowance_begin(&rate, !start->empty, start->since_ms);
    flow->begun = true;
    allowance_refill(&flow->units, &rate, now_ms);
    count = partitions_needed(p, d);
    if (count != p->partition_count) {
        p->partitions = process_realloc(p->partitions, count * sizeof *p->partitions);
        for (uint32_t i = 0; i < count; i++) /* all full */
            p->partitions[i] = allowance_begin(&partition_rate, true, now_ms);
        p->partition_count = count;
    }
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

/* Lists why the demand cannot be met, at most CAUSES_AT_ONCE causes, and returns their number. A
 * demand that is spread over the table ignores busy partitions. */
static size_t throttle_pool_check(const struct throttle_pool *p, const struct throttle_demand *d,
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

/* Takes units, or returns them if negative. */
static void throttle_pool_take(struct throttle_pool *p, const struct throttle_demand *d,
                               double units, int64_t now_ms)
{
    double share = share_of_partition(d, units);

    p->flow[d->writes].units.level -= units;
    note_peak(&p->flow[d->writes].peak, units, now_ms);
    if (!d->place.spread)
        partition_of(p, &d->place)->level -= share;
    for (uint32_t i = 0; d->place.spread && i < p->partition_count; i++)
        p->partitions[i].level -= share / p->partition_count;
}

#define CHAINS 256 /* a power of two */

/* Units that a call took from a pool. */
struct throttle_taken {
    struct throttle_pool *pool;
    struct throttle_demand demand;
};

struct throttle {
    struct throttle_rules rules;
    struct arena *arena; /* of the rules */
    int64_t since_ms;
    struct throttle_pool *chains[CHAINS]; /* by space */
    size_t pool_count;
    struct throttle_taken *taken; /* by the current call */
    size_t taken_count, taken_room;
    bool refused; /* the current call or a member of it */
};

/* --- all pools -------------------------------------------------------------------------------- */

static void drop_pools(struct throttle *t)
{
    for (size_t i = 0; i < CHAINS; i++)
        while (t->chains[i]) {
            struct throttle_pool *p = t->chains[i];

            t->chains[i] = p->next;
            free(p->partitions);
            free(p);
        }
    t->pool_count = 0;
}

static struct throttle_pool *pool_of(struct throttle *t, const struct throttle_demand *d)
{
    uint32_t space = d->index ? d->index->space : d->table->space;
    struct throttle_pool **chain = &t->chains[space & (CHAINS - 1)], *p = *chain;

    while (p && p->space != space)
        p = p->next;
    if (p)
        return p;
    p = throttle_pool_new(space);
    p->next = *chain;
    *chain = p;
    t->pool_count++;
    return p;
}

/* --- rules ------------------------------------------------------------------------------------ */

struct throttle *throttle_new(void)
{
    struct throttle *t = process_zeroed(sizeof *t);

    t->arena = arena_new();
    return t;
}

void throttle_free(struct throttle *t)
{
    if (!t)
        return;
    drop_pools(t);
    free(t->taken);
    arena_free(t->arena);
    free(t);
}

void throttle_set(struct throttle *t, const struct throttle_rules *rules, int64_t now_ms)
{
    struct arena *arena = arena_new();
    struct span *tables = NULL;

    if (rules->table_count)
        tables = arena_array(arena, rules->table_count, sizeof *tables);
    for (size_t i = 0; i < rules->table_count; i++)
        tables[i] = arena_span(arena, rules->tables[i]);
    arena_free(t->arena);
    t->arena = arena;
    t->rules = *rules;
    t->rules.tables = tables;
    t->since_ms = now_ms;
    drop_pools(t);
}

void throttle_go_back(struct throttle *t, int64_t now_ms)
{
    if (t->since_ms > now_ms)
        t->since_ms = now_ms;
}

const struct throttle_rules *throttle_rules(const struct throttle *t)
{
    return &t->rules;
}

static bool is_throttled(const struct throttle *t, const struct table *table)
{
    return t->rules.table_count ? span_is_among(table->name, t->rules.tables, t->rules.table_count)
                                : t->rules.on;
}

/* --- accounts --------------------------------------------------------------------------------- */

static void copy_account(struct capacity *to, const struct capacity *from)
{
    struct capacity_index *indexes = to->indexes;
    struct capacity *paid = to->paid, *next = to->next;

    if (from->table->index_count)
        memcpy(indexes, from->indexes, from->table->index_count * sizeof *indexes);
    *to = *from;
    to->indexes = indexes;
    to->paid = paid;
    to->next = next;
}

/* --- demands of an account -------------------------------------------------------------------- */

struct demand_list {
    struct throttle_taken at[1 + LIMIT_GLOBALS];
    size_t len;
};

static void add_demand(struct throttle *t, struct demand_list *all, const struct throttle_demand *d)
{
    if (d->units > 0)
        all->at[all->len++] = (struct throttle_taken){pool_of(t, d), *d};
}

/* Adds the demands of local indexes, which share the table's units and partitions. */
static void add_local(const struct capacity *used, struct throttle_demand *own)
{
    for (size_t i = 0; i < used->table->index_count; i++) {
        double units = used->indexes[i].units - used->paid->indexes[i].units;

        if (schema_kind(&used->table->indexes[i]) != KIND_LOCAL || units <= 0)
            continue;
        own->units += units;
        own->place = used->indexes[i].place;
    }
}

/* --- refusals --------------------------------------------------------------------------------- */

struct refusal {
    struct throttle_reason reasons[(1 + LIMIT_GLOBALS) * CAUSES_AT_ONCE];
    size_t count;
    enum error_kind kind; /* of the first reason */
};

static struct span resource_of(const struct call *c, const struct throttle_demand *d)
{
    struct span none = {"", 0};

    return d->index ? table_arn(c, d->table->name, "/index/", d->index->name)
                    : table_arn(c, d->table->name, "", none);
}

static void look_for_reasons(struct call *c, struct capacity *used,
                             const struct throttle_taken *demand, struct refusal *r)
{
    const struct throttle_demand *d = &demand->demand;
    struct throttle_start start = {.empty = c->throttle->rules.empty,
                                   .since_ms = c->throttle->since_ms > d->table->created_ms
                                                   ? c->throttle->since_ms
                                                   : d->table->created_ms};
    enum throttle_cause causes[CAUSES_AT_ONCE];
    size_t count;

    throttle_pool_refresh(demand->pool, d, &start, clock_now_ms(c->clock));
    count = throttle_pool_check(demand->pool, d, causes);
    for (size_t i = 0; i < count; i++) {
        if (!r->count)
            r->kind = throttle_error_kind(causes[i], d->table->on_demand);
        r->reasons[r->count++] = (struct throttle_reason){
            throttle_error_reason(c->arena, d->index != NULL, d->writes, causes[i]),
            resource_of(c, d)};
    }
    if (count && d->index)
        used->paid->indexes[d->index - d->table->indexes].throttled++;
}

/* --- charging --------------------------------------------------------------------------------- */

static void take_units(struct call *c, const struct throttle_taken *demand)
{
    struct throttle *t = c->throttle;

    if (t->taken_count == t->taken_room) {
        t->taken_room = t->taken_room ? 2 * t->taken_room : 64;
        t->taken = process_realloc(t->taken, t->taken_room * sizeof *t->taken);
    }
    t->taken[t->taken_count++] = *demand;
    throttle_pool_take(demand->pool, &demand->demand, demand->demand.units, clock_now_ms(c->clock));
}

static const struct error *charge_account(struct call *c, struct capacity *used)
{
    struct demand_list all = {.len = 0};
    struct refusal r = {.count = 0};
    const struct table *table = used->table;
    struct throttle_demand d;

    if (!is_throttled(c->throttle, table))
        return NULL;
    d = (struct throttle_demand){.table = used->table,
                                 .writes = used->writes,
                                 .may_owe = used->pages > used->paid->pages,
                                 .units = used->table_units - used->paid->table_units,
                                 .place = used->place};
    add_local(used, &d);
    add_demand(c->throttle, &all, &d);
    for (size_t i = 0; i < table->index_count; i++) {
        d.index = &table->indexes[i];
        d.units = used->indexes[i].units - used->paid->indexes[i].units;
        d.place = used->indexes[i].place;
        if (schema_kind(d.index) == KIND_GLOBAL)
            add_demand(c->throttle, &all, &d);
    }
    for (size_t i = 0; i < all.len; i++)
        look_for_reasons(c, used, &all.at[i], &r);
    if (r.count) { /* back to the last charge, except for whether it writes */
        bool writes = used->writes;

        used->paid->throttled++;
        copy_account(used, used->paid);
        used->writes = writes;
        c->throttle->refused = true;
        return throttle_error(c->arena, r.kind, r.reasons, r.count);
    }
    for (size_t i = 0; i < all.len; i++)
        take_units(c, &all.at[i]);
    copy_account(used->paid, used);
    return NULL;
}

const struct error *throttle_charge(struct call *c)
{
    const struct error *e = NULL;

    if (!c->throttle)
        return NULL;
    for (struct capacity *used = c->accounts; used && !e; used = used->next)
        e = charge_account(c, used);
    return e;
}

/* --- calls ------------------------------------------------------------------------------------ */

/* Drops all pools if there are too many, after many tables came and went. */
void throttle_begin(struct throttle *t)
{
    if (t->pool_count >= LIMIT_POOLS)
        drop_pools(t);
    t->taken_count = 0;
    t->refused = false;
}

void throttle_give_back(struct throttle *t, int64_t now_ms)
{
    while (t && t->taken_count) {
        const struct throttle_taken *last = &t->taken[--t->taken_count];

        throttle_pool_take(last->pool, &last->demand, -last->demand.units, now_ms);
    }
}

const struct error *throttle_settle(struct call *c, const struct error *e)
{
    const struct error *refusal = NULL;

    if (!e || e->kind != ERROR_INTERNAL)
        refusal = throttle_charge(c);
    if (refusal)
        e = refusal;
    if (e && c->throttle->refused)
        throttle_give_back(c->throttle, clock_now_ms(c->clock));
    return e;
}
