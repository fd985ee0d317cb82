#include "ops/table/table_replicas.h"

#include "model/names.h"
#include "ops/table/table_describe.h"

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
    size_t size = g->replica_count * sizeof *g->replicas;
    struct replica *r;

    g->replicas = arena_grow(draft->arena, g->replicas, size, size + sizeof *g->replicas);
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

static void settle_witness(struct global *g, int64_t now_ms)
{
    if (!is_due(g->witness_until_ms, now_ms))
        return;
    g->witness_until_ms = 0;
    if (g->witness_status == STATUS_DELETING)
        g->witness = (struct span){NULL, 0};
    g->witness_status = STATUS_ACTIVE;
}

void table_replicas_settle(struct table *draft, int64_t now_ms)
{
    struct global *g = &draft->global;

    settle_witness(g, now_ms);
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

/* --- description ------------------------------------------------------------------------------ */

static void put_units_override(struct wire_writer *w, const char *key, const char *member,
                               int64_t read)
{
    if (!read)
        return;
    wire_key(w, key);
    wire_open(w, '{');
    wire_put_member_integer(w, member, read);
    wire_close(w, '}');
}

static void put_overrides(struct wire_writer *w, int64_t read, int64_t on_demand_read)
{
    put_units_override(w, "ProvisionedThroughputOverride", "ReadCapacityUnits", read);
    put_units_override(w, "OnDemandThroughputOverride", "MaxReadRequestUnits", on_demand_read);
}

static void put_indexes(struct wire_writer *w, const struct replica *r)
{
    if (!r->index_count)
        return;
    wire_key(w, "GlobalSecondaryIndexes");
    wire_open(w, '[');
    for (size_t i = 0; i < r->index_count; i++) {
        wire_open(w, '{');
        wire_put_member_text(w, "IndexName", r->indexes[i].name);
        put_overrides(w, r->indexes[i].read, r->indexes[i].on_demand_read);
        wire_close(w, '}');
    }
    wire_close(w, ']');
}

static void put_mode(struct wire_writer *w, const struct table *t)
{
    if (t->global.mode != REPLICATION_UNSAID)
        wire_put_member_word(w, "GlobalTableSettingsReplicationMode",
                             names_replication_modes[t->global.mode]);
}

static void put_replica(struct wire_writer *w, const struct table *t, const struct replica *r)
{
    wire_open(w, '{');
    wire_put_member_text(w, "RegionName", r->region);
    wire_put_member_word(w, "ReplicaStatus", names_statuses[r->status]);
    if (r->kms_key.len)
        wire_put_member_text(w, "KMSMasterKeyId", r->kms_key);
    put_overrides(w, r->read, r->on_demand_read);
    if (r->status != STATUS_CREATING)
        table_describe_warm(w, t->warm, false);
    put_indexes(w, r);
    if (r->table_class.len) {
        wire_key(w, "ReplicaTableClassSummary");
        wire_open(w, '{');
        wire_put_member_text(w, "TableClass", r->table_class);
        wire_close(w, '}');
    }
    put_mode(w, t);
    wire_close(w, '}');
}

static void put_witness(struct wire_writer *w, const struct global *g)
{
    if (!g->witness.len)
        return;
    wire_key(w, "GlobalTableWitnesses");
    wire_open(w, '[');
    wire_open(w, '{');
    wire_put_member_text(w, "RegionName", g->witness);
    wire_put_member_word(w, "WitnessStatus", names_statuses[g->witness_status]);
    wire_close(w, '}');
    wire_close(w, ']');
}

void table_replicas_describe(struct call *c, const struct table *t)
{
    struct wire_writer *w = &c->reply;

    put_mode(w, t);
    if (!table_replicas_any(t))
        return;
    wire_put_member_word(w, "GlobalTableVersion", "2019.11.21");
    if (t->global.replica_count) {
        wire_key(w, "Replicas");
        wire_open(w, '[');
        for (size_t i = 0; i < t->global.replica_count; i++)
            put_replica(w, t, &t->global.replicas[i]);
        wire_close(w, ']');
    }
    put_witness(w, &t->global);
    if (t->global.strong)
        wire_put_member_word(w, "MultiRegionConsistency", names_consistencies[CONSISTENCY_STRONG]);
    else
        wire_put_member_bool(w, "DisassociationProtectionEnabled", !t->global.unprotected);
}
