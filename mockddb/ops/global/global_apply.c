#include "ops/global/global_apply.h"

#include "base/one_more.h"
#include "ops/backup/restore.h"
#include "ops/global/global_group.h"
#include "ops/global/global_settings.h"
#include "ops/global/replication.h"
#include "ops/stream/stream.h"
#include "ops/table/table_build.h"
#include "ops/table/table_replicas.h"
#include "ops/ttl/ttl_index.h"

static void begin_replica(struct call *c, struct replica *r, enum status status)
{
    r->status = status;
    r->until_ms = op_transition_end(c);
}

/* --- settings of a replica -------------------------------------------------------------------- */

static int64_t units_of(const wire_node *settings, const char *member, const char *units,
                        int64_t otherwise)
{
    return wire_integer(wire_get(wire_get(settings, member), units), otherwise);
}

static void read_overrides(const wire_node *settings, int64_t *read, int64_t *on_demand_read)
{
    *read = units_of(settings, "ProvisionedThroughputOverride", "ReadCapacityUnits", *read);
    *on_demand_read = units_of(settings, "OnDemandThroughputOverride", "MaxReadRequestUnits",
                               *on_demand_read);
}

static struct replica_index *find_index(struct arena *a, struct replica *r, struct span name)
{
    for (size_t i = 0; i < r->index_count; i++)
        if (span_equal(r->indexes[i].name, name))
            return &r->indexes[i];
    r->indexes = one_more_exactly(a, r->indexes, r->index_count, sizeof *r->indexes);
    r->indexes[r->index_count] = (struct replica_index){.name = arena_span(a, name)};
    return &r->indexes[r->index_count++];
}

/* Settings that are absent stay unchanged. */
static void read_settings(struct table *t, struct replica *r, const wire_node *settings)
{
    const wire_node *key = wire_get(settings, "KMSMasterKeyId");
    const wire_node *table_class = wire_get(settings, "TableClassOverride");
    const wire_node *indexes = wire_get(settings, "GlobalSecondaryIndexes");

    if (key)
        r->kms_key = arena_span(t->arena, wire_text(key));
    if (table_class)
        r->table_class = arena_span(t->arena, wire_text(table_class));
    read_overrides(settings, &r->read, &r->on_demand_read);
    for (const wire_node *n = wire_first(indexes); n; n = wire_next(n)) {
        struct replica_index *ix = find_index(t->arena, r, wire_text(wire_get(n, "IndexName")));

        read_overrides(n, &ix->read, &ix->on_demand_read);
    }
}

static void override_units(int64_t *units, int64_t override)
{
    if (override)
        *units = override;
}

/* Applies the replica's settings to its table. */
static void apply_settings(struct call *c, struct table *draft, const struct replica *r)
{
    if (r->kms_key.len)
        table_build_encrypt(c, draft, &(struct sse_spec){.enabled = true, .key = r->kms_key});
    if (r->table_class.len)
        draft->table_class = arena_span(draft->arena, r->table_class);
    override_units(&draft->throughput.read, r->read);
    override_units(&draft->on_demand_limits.read, r->on_demand_read);
    for (size_t i = 0; i < r->index_count; i++) {
        const struct index *ix = schema_find_index(draft, r->indexes[i].name);

        if (!ix || schema_kind(ix) != KIND_GLOBAL)
            continue;
        override_units(&draft->indexes[ix - draft->indexes].throughput.read, r->indexes[i].read);
        override_units(&draft->indexes[ix - draft->indexes].on_demand.read,
                       r->indexes[i].on_demand_read);
    }
}

/* --- creating --------------------------------------------------------------------------------- */

static const struct stream_spec both_images = {
    .given = true, .enabled = true, .view = SPAN_LIT_INIT("NEW_AND_OLD_IMAGES")};

/* A global table has a stream with both images. With strong consistency each replica has its own
 * stream setting. */
static const struct error *ensure_stream(struct call *c, struct table *t)
{
    const struct error *e;

    if (t->global.strong)
        return NULL;
    if (t->stream_enabled && t->stream_view == VIEW_NEW_AND_OLD_IMAGES)
        return NULL;
    if (t->stream_enabled && (e = table_build_stop_stream(c, t)))
        return e;
    return table_build_start_stream(c, t, &both_images);
}

/* Makes the table of a new replica and begins to copy the items of `source`. `own` has the settings
 * that only the source's replica has. */
static const struct error *build_table(struct call *c, const struct table *source,
                                       const struct replica *own, const struct replica *r)
{
    struct table *t = table_build_like(c, source, SCHEMA_REPLICATE);
    const struct error *e;

    if (table_build_is_service_key(t->kms_key_arn)) /* each region has its own */
        table_build_encrypt(c, t, &(struct sse_spec){.enabled = true});
    if ((e = table_build_begin(c, source->name, t)) ||
        (!source->global.strong && (e = table_build_start_stream(c, t, &both_images))))
        return e;
    global_settings_inherit(c, source, own, t);
    apply_settings(c, t, r);
    if (own)
        *table_replicas_add(t, own->region) = *own; /* global_group_view takes it over */
    global_group_view(c, source, r->region, t);
    if (source->ttl_attribute.len && (e = ttl_index_enable(c, t, source->ttl_attribute)))
        return e;
    t->ttl_backfilled = false; /* its items are not copied yet */
    return restore_fill(c, t,
                        &(struct restore_source){
                            .table = source, .space = source->space, .state = {.replica = true}});
}

static const struct error *make_tables(struct call *c, const struct table *t,
                                       const struct global_spec *spec)
{
    const struct table *source = schema_copy(c->arena, t);
    const struct replica *own = global_settings_own(c, source);
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < spec->count; i++) {
        struct span here = c->region;

        c->region = op_region_key(c, spec->changes[i].region);
        e = build_table(c, source, own, table_replicas_find(source, spec->changes[i].region));
        c->region = here;
    }
    return e;
}

static const struct error *create_replicas(struct call *c, struct table *t,
                                           const struct global_spec *spec)
{
    const struct error *e;

    t->global.strong = t->global.strong || spec->strong;
    if ((e = ensure_stream(c, t)))
        return e;
    /* The log of changes, if replicas are tables. */
    if (c->settings->regional && !t->global.log_space &&
        ((e = unit_new_space(c->unit, 0, &t->global.log_space)) ||
         (e = unit_new_space(c->unit, 0, &t->global.latest_space))))
        return e;
    for (size_t i = 0; i < spec->count; i++) {
        struct replica *r = table_replicas_add(t, spec->changes[i].region);

        begin_replica(c, r, STATUS_CREATING);
        read_settings(t, r, spec->changes[i].settings);
    }
    t->global.mode = REPLICATION_OVERRIDES;
    t->global.source_ms = clock_now_ms(c->clock);
    if (spec->witness_given) {
        t->global.witness = arena_span(t->arena, spec->witness);
        t->global.witness_status = STATUS_CREATING;
        t->global.witness_until_ms = op_transition_end(c);
    }
    if (!global_group_is_real(t))
        return NULL;
    e = make_tables(c, t, spec);
    return e ? e : global_group_share(c, t);
}

/* --- updating --------------------------------------------------------------------------------- */

static const struct error *update_replica_table(struct call *c, struct table *draft, void *replica)
{
    apply_settings(c, draft, replica);
    return NULL;
}

static const struct error *update_replica(struct call *c, struct table *t,
                                          const struct global_spec *spec)
{
    struct replica *r = table_replicas_find(t, spec->changes[0].region);
    const struct error *e;

    begin_replica(c, r, STATUS_UPDATING);
    read_settings(t, r, spec->changes[0].settings);
    e = global_group_at(c, t, r->region, update_replica_table, r);
    return e ? e : global_group_share(c, t);
}

/* --- deleting --------------------------------------------------------------------------------- */

static const struct error *delete_replica_table(struct call *c, struct table *draft, void *unused)
{
    const struct error *e = stream_close(c, draft);

    (void)unused;
    draft->status = STATUS_DELETING;
    draft->transition_until_ms = op_transition_end(c);
    draft->global = (struct global){.mode = REPLICATION_UNSAID};
    return e;
}

static const struct error *delete_replicas(struct call *c, struct table *t,
                                           const struct global_spec *spec)
{
    const struct error *e;

    for (size_t i = 0; i < spec->count; i++) {
        struct replica *r = table_replicas_find(t, spec->changes[i].region);

        begin_replica(c, r, STATUS_DELETING);
        if ((e = global_group_at(c, t, r->region, delete_replica_table, NULL)))
            return e;
    }
    if (spec->witness_given) {
        t->global.witness_status = STATUS_DELETING;
        t->global.witness_until_ms = op_transition_end(c);
    }
    return global_group_share(c, t);
}

/* --- disassociating --------------------------------------------------------------------------- */

static const struct error *forget_replica(struct call *c, struct table *draft, void *region)
{
    struct replica *r = table_replicas_find(draft, *(const struct span *)region);

    (void)c;
    if (r)
        table_replicas_remove(draft, r);
    return NULL;
}

/* The table becomes regional. In a group of two the other table does, too. */
static const struct error *disassociate_table(struct call *c, struct table *t)
{
    struct span own = op_region(c);
    const struct error *e;

    if (global_group_is_real(t) &&
        ((e = replication_finish(c, t)) || (e = global_group_each(c, t, forget_replica, &own))))
        return e;
    t->global = (struct global){.mode = REPLICATION_UNSAID};
    return NULL;
}

/* --- applying a request ----------------------------------------------------------------------- */

static const struct error *apply_replicas(struct call *c, struct table *t,
                                          const struct global_spec *spec)
{
    op_transition_begin(c, t, CHANGE_REPLICA);
    switch (spec->changes[0].action) {
    case REPLICA_CREATE:
        return create_replicas(c, t, spec);
    case REPLICA_UPDATE:
        return update_replica(c, t, spec);
    case REPLICA_DELETE:
        return delete_replicas(c, t, spec);
    default:
        return disassociate_table(c, t);
    }
}

const struct error *global_apply(struct call *c, struct table *t, const struct global_spec *spec)
{
    if (spec->mode != REPLICATION_UNSAID)
        t->global.mode = spec->mode;
    if (spec->protection_given)
        t->global.unprotected = !spec->protection;
    return spec->count ? apply_replicas(c, t, spec) : NULL;
}
