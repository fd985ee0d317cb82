#include "ops/throttle/throttle.h"

#include "ops/table/table_arn.h"
#include "ops/throttle/throttle_pool.h"

#include <stdlib.h>

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

/* --- pools ------------------------------------------------------------------------------------ */

static void drop_pools(struct throttle *t)
{
    for (size_t i = 0; i < CHAINS; i++)
        while (t->chains[i]) {
            struct throttle_pool *p = t->chains[i];

            t->chains[i] = p->next;
            throttle_pool_free(p);
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

static struct throttle_start start_of(const struct throttle *t, const struct table *table)
{
    return (struct throttle_start){.empty = t->rules.empty,
                                   .since_ms = t->since_ms > table->created_ms ? t->since_ms
                                                                               : table->created_ms};
}

/* --- rules ------------------------------------------------------------------------------------ */

struct throttle *throttle_new(void)
{
    struct throttle *t = calloc(1, sizeof *t);

    if (!t)
        process_out_of_memory();
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
    for (size_t i = 0; i < t->rules.table_count; i++)
        if (span_equal(t->rules.tables[i], table->name))
            return true;
    return t->rules.on && !t->rules.table_count;
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

/* Resets the account to its last charge, but keeps whether it writes. */
static void take_back(struct capacity *used)
{
    bool writes = used->writes;

    copy_account(used, used->paid);
    used->writes = writes;
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

static struct throttle_demand demand_of(const struct capacity *used)
{
    return (struct throttle_demand){.table = used->table,
                                    .writes = used->writes,
                                    .may_owe = used->pages > used->paid->pages,
                                    .units = used->table_units - used->paid->table_units,
                                    .place = used->place};
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

static void list_demands(struct throttle *t, const struct capacity *used, struct demand_list *all)
{
    const struct table *table = used->table;
    struct throttle_demand d = demand_of(used);

    add_local(used, &d);
    add_demand(t, all, &d);
    for (size_t i = 0; i < table->index_count; i++) {
        d.index = &table->indexes[i];
        d.units = used->indexes[i].units - used->paid->indexes[i].units;
        d.place = used->indexes[i].place;
        if (schema_kind(d.index) == KIND_GLOBAL)
            add_demand(t, all, &d);
    }
}

/* --- refusals --------------------------------------------------------------------------------- */

struct refusal {
    struct throttle_reason reasons[(1 + LIMIT_GLOBALS) * THROTTLE_CAUSES_AT_ONCE];
    size_t count;
    enum error_kind kind; /* of the first reason */
};

static struct span resource_of(const struct call *c, const struct throttle_demand *d)
{
    struct span none = {"", 0};

    return d->index ? table_arn(c, d->table->name, "/index/", d->index->name)
                    : table_arn(c, d->table->name, "", none);
}

static void add_reason(struct call *c, struct refusal *r, const struct throttle_demand *d,
                       enum throttle_cause cause)
{
    if (!r->count)
        r->kind = throttle_error_kind(cause, d->table->on_demand);
    r->reasons[r->count++] = (struct throttle_reason){
        throttle_error_reason(c->arena, d->index != NULL, d->writes, cause), resource_of(c, d)};
}

static void look_for_reasons(struct call *c, struct capacity *used,
                             const struct throttle_taken *demand, struct refusal *r)
{
    const struct throttle_demand *d = &demand->demand;
    struct throttle_start start = start_of(c->throttle, d->table);
    enum throttle_cause causes[THROTTLE_CAUSES_AT_ONCE];
    size_t count;

    throttle_pool_refresh(demand->pool, d, &start, clock_now_ms(c->clock));
    count = throttle_pool_check(demand->pool, d, causes);
    for (size_t i = 0; i < count; i++)
        add_reason(c, r, d, causes[i]);
    if (count && d->index)
        used->paid->indexes[d->index - d->table->indexes].throttled++;
}

/* --- charging --------------------------------------------------------------------------------- */

static void take_units(struct call *c, const struct throttle_taken *demand)
{
    struct throttle *t = c->throttle;

    if (t->taken_count == t->taken_room) {
        t->taken_room = t->taken_room ? 2 * t->taken_room : 64;
        if (!(t->taken = realloc(t->taken, t->taken_room * sizeof *t->taken)))
            process_out_of_memory();
    }
    t->taken[t->taken_count++] = *demand;
    throttle_pool_take(demand->pool, &demand->demand, demand->demand.units, clock_now_ms(c->clock));
}

static const struct error *refuse_account(struct call *c, struct capacity *used,
                                          const struct refusal *r)
{
    used->paid->throttled++;
    take_back(used);
    c->throttle->refused = true;
    return throttle_error(c->arena, r->kind, r->reasons, r->count);
}

static const struct error *charge_account(struct call *c, struct capacity *used)
{
    struct demand_list all = {.len = 0};
    struct refusal r = {.count = 0};

    if (!is_throttled(c->throttle, used->table))
        return NULL;
    list_demands(c->throttle, used, &all);
    for (size_t i = 0; i < all.len; i++)
        look_for_reasons(c, used, &all.at[i], &r);
    if (r.count)
        return refuse_account(c, used, &r);
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

static void give_back(struct call *c)
{
    struct throttle *t = c->throttle;

    while (t->taken_count) {
        const struct throttle_taken *last = &t->taken[--t->taken_count];

        throttle_pool_take(last->pool, &last->demand, -last->demand.units, clock_now_ms(c->clock));
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
        give_back(c);
    return e;
}
