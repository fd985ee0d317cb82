#include "ops/table/table_replicas.h"

#include "base/one_more.h"

bool table_replicas_any(const struct table *t)
{
    return t->global.replica_count || t->global.witness.len;
}

struct replica *table_replicas_find(const struct table *t, struct span region)
{
    for (size_t i = 0; i < t->global.replica_count; i++)
        if (span_equal(t->global.replicas[i].region, region))
            return &t->global.replicas[i];
    return NULL;
}

struct replica *table_replicas_add(struct table *draft, struct span region)
{
    struct global *g = &draft->global;
    struct replica *r;

    g->replicas = one_more_exactly(draft->arena, g->replicas, g->replica_count, sizeof *r);
    r = &g->replicas[g->replica_count++];
    *r = (struct replica){.region = arena_span(draft->arena, region)};
    return r;
}

void table_replicas_remove(struct table *draft, const struct replica *r)
{
    struct global *g = &draft->global;
    size_t i = (size_t)(r - g->replicas);

    g->replica_count--;
    memmove(g->replicas + i, g->replicas + i + 1, (g->replica_count - i) * sizeof *r);
}

/* --- time ------------------------------------------------------------------------------------- */

static bool is_due(int64_t until_ms, int64_t now_ms)
{
    return until_ms && until_ms <= now_ms;
}

void table_replicas_settle(struct table *draft, int64_t now_ms)
{
    struct global *g = &draft->global;

    if (is_due(g->witness_until_ms, now_ms)) {
        g->witness_until_ms = 0;
        if (g->witness_status == STATUS_DELETING)
            g->witness = (struct span){NULL, 0};
        g->witness_status = STATUS_ACTIVE;
    }
    for (size_t i = g->replica_count; i-- > 0;) {
        struct replica *r = &g->replicas[i];

        if (!is_due(r->until_ms, now_ms))
            continue;
        if (r->status == STATUS_DELETING) {
            table_replicas_remove(draft, r);
            continue;
        }
        r->status = STATUS_ACTIVE;
        r->until_ms = 0;
    }
    if (!table_replicas_any(draft) && g->mode == REPLICATION_OVERRIDES)
        *g = (struct global){.log_space = g->log_space, .latest_space = g->latest_space};
}

int64_t table_replicas_due_ms(const struct table *t)
{
    int64_t due_ms = t->global.witness_until_ms;

    for (size_t i = 0; i < t->global.replica_count; i++) {
        int64_t until_ms = t->global.replicas[i].until_ms;

        if (until_ms && (!due_ms || until_ms < due_ms))
            due_ms = until_ms;
    }
    return due_ms;
}
