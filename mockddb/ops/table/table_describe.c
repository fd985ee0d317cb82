#include "ops/table/table_describe.h"

#include "ops/table/table_arn.h"
#include "ops/table/table_member.h"
#include "ops/table/table_replicas.h"
#include "ops/table/table_size.h"
#include "ops/table/table_state.h"

#include <stdlib.h>

/* --- keys and projections -------------------------------------------------------------------- */

static int compare_definitions(const void *a, const void *b)
{
    const struct definition *left = a, *right = b;

    return span_compare(left->name, right->name);
}

static int compare_names(const void *a, const void *b)
{
    return span_compare(*(const struct span *)a, *(const struct span *)b);
}

/* A sorted copy of the array, in the call's arena. */
static void *sorted(struct call *c, const void *at, size_t count, size_t size,
                    int (*compare)(const void *, const void *))
{
    void *copy = arena_array(c->arena, count, size);

    if (!count)
        return copy;
    memcpy(copy, at, count * size);
    qsort(copy, count, size, compare);
    return copy;
}

static void put_projection(struct call *c, const struct index *ix)
{
    struct wire_writer *w = &c->reply;
    const struct span *names = sorted(c, ix->include, ix->include_count, sizeof *names,
                                      compare_names);

    wire_open_member(w, "Projection", '{');
    wire_put_member_word(w, "ProjectionType", names_projections[ix->projection]);
    if (ix->include_count) {
        wire_open_member(w, "NonKeyAttributes", '[');
        for (size_t i = 0; i < ix->include_count; i++)
            wire_put_text(w, names[i]);
        wire_close(w, ']');
    }
    wire_close(w, '}');
}

/* --- throughput ------------------------------------------------------------------------------ */

void table_describe_throughput(struct call *c, const struct throughput *p, enum table_answer answer)
{
    struct wire_writer *w = &c->reply;
    bool today = p->decreases_day == clock_now_ms(c->clock) / LIMIT_DAY_MS;

    wire_open_member(w, "ProvisionedThroughput", '{');
    if (answer != TABLE_BACKED_UP) {
        wire_put_set_time(w, "LastIncreaseDateTime", p->last_increase_ms);
        wire_put_set_time(w, "LastDecreaseDateTime", p->last_decrease_ms);
        wire_put_member_integer(w, "NumberOfDecreasesToday", today ? p->decreases_today : 0);
    }
    wire_put_member_integer(w, "ReadCapacityUnits", p->read);
    wire_put_member_integer(w, "WriteCapacityUnits", p->write);
    wire_close(w, '}');
}

/* `changing`: a change to other units is in progress. */
static void put_warm(struct wire_writer *w, struct unit_pair warm, bool changing)
{
    wire_open_member(w, "WarmThroughput", '{');
    wire_put_member_integer(w, "ReadUnitsPerSecond", warm.read);
    wire_put_member_integer(w, "WriteUnitsPerSecond", warm.write);
    wire_put_member_word(w, "Status", names_statuses[changing ? STATUS_UPDATING : STATUS_ACTIVE]);
    wire_close(w, '}');
}

void table_describe_on_demand(struct wire_writer *w, struct unit_pair limits)
{
    if (!limits.read && !limits.write)
        return;
    wire_open_member(w, "OnDemandThroughput", '{');
    wire_put_set_integer(w, "MaxReadRequestUnits", limits.read);
    wire_put_set_integer(w, "MaxWriteRequestUnits", limits.write);
    wire_close(w, '}');
}

static void put_mode(struct wire_writer *w, const struct table *t, enum table_answer answer,
                     const char *summary, const char *mode)
{
    wire_open_member(w, summary, '{');
    wire_put_member_word(w, mode, names_billing_modes[t->on_demand]);
    if (answer != TABLE_CREATED)
        wire_put_set_time(w, "LastUpdateToPayPerRequestDateTime", t->on_demand_since_ms);
    wire_close(w, '}');
}

/* --- indexes --------------------------------------------------------------------------------- */

/* A table that is being restored shows no sizes yet. */
static const struct error *put_stats(struct call *c, const struct table *t, uint32_t space,
                                     const char *bytes)
{
    struct space_stats stats = {.entries = 0};
    const struct error *e = NULL;

    if (!t->restore.source_arn.len)
        e = space == t->space ? table_size(c->unit, t, &stats) : unit_stats(c->unit, space, &stats);
    if (e)
        return e;
    wire_put_member_integer(&c->reply, bytes, stats.bytes);
    wire_put_member_integer(&c->reply, "ItemCount", stats.entries);
    return NULL;
}

static void put_vector(struct wire_writer *w, const struct vector_schema *v)
{
    if (v->part_count) {
        wire_open_member(w, "SearchSchema", '[');
        for (size_t i = 0; i < v->part_count; i++) {
            wire_open(w, '{');
            wire_put_member_text(w, "AttributeName", v->parts[i].name);
            wire_put_member_word(w, "SearchSchemaElementType",
                                 names_search_kinds[!v->parts[i].hash]);
            wire_close(w, '}');
        }
        wire_close(w, ']');
    }
    wire_open_member(w, "VectorAttribute", '{');
    wire_put_member_text(w, "AttributeName", v->attribute);
    wire_close(w, '}');
    wire_put_member_integer(w, "Dimensions", v->dimensions);
    wire_put_member_word(w, "DistanceFunction", names_distances[v->distance]);
}

static const struct error *put_index(struct call *c, const struct table *t, const struct index *ix,
                                     enum table_answer answer)
{
    enum index_kind kind = schema_kind(ix);
    struct wire_writer *w = &c->reply;
    const struct error *e;

    wire_open(w, '{');
    wire_put_member_text(w, "IndexName", ix->name);
    if (kind == KIND_VECTOR)
        put_vector(w, &ix->vector);
    else
        wire_put_key_schema(w, &ix->keys);
    put_projection(c, ix);
    if (kind != KIND_LOCAL && answer != TABLE_BACKED_UP) {
        wire_put_member_word(w, "IndexStatus", names_statuses[ix->status]);
        if (t->status != STATUS_CREATING && ix->status == STATUS_CREATING &&
            (ix->backfilling || !ix->backfilled))
            wire_put_member_bool(w, "Backfilling", ix->backfilling);
    }
    if (kind == KIND_GLOBAL) {
        table_describe_throughput(c, &ix->throughput, answer);
        table_describe_on_demand(w, ix->on_demand);
        if (answer != TABLE_CREATED && answer != TABLE_BACKED_UP)
            put_warm(w, ix->warm, ix->next_warm.read != 0);
    }
    if (answer != TABLE_BACKED_UP) {
        if ((e = put_stats(c, t, ix->space, "IndexSizeBytes")))
            return e;
        wire_put_member_text(w, "IndexArn", table_arn(c, t->name, "/index/", ix->name));
    }
    wire_close(w, '}');
    return NULL;
}

const struct error *table_describe_indexes(struct call *c, const struct table *t,
                                           enum table_answer answer)
{
    const struct error *e;

    for (size_t kind = 0; kind < KIND_COUNT; kind++) {
        if (!schema_count_kind(t, (enum index_kind)kind))
            continue;
        wire_open_member(&c->reply, names_index_lists[kind], '[');
        for (size_t i = 0; i < t->index_count; i++)
            if (schema_kind(&t->indexes[i]) == kind &&
                (e = put_index(c, t, &t->indexes[i], answer)))
                return e;
        wire_close(&c->reply, ']');
    }
    return NULL;
}

/* --- the global table ------------------------------------------------------------------------- */

static void put_units_override(struct wire_writer *w, const char *key, const char *member,
                               int64_t read)
{
    if (!read)
        return;
    wire_open_member(w, key, '{');
    wire_put_member_integer(w, member, read);
    wire_close(w, '}');
}

static void put_overrides(struct wire_writer *w, int64_t read, int64_t on_demand_read)
{
    put_units_override(w, "ProvisionedThroughputOverride", "ReadCapacityUnits", read);
    put_units_override(w, "OnDemandThroughputOverride", "MaxReadRequestUnits", on_demand_read);
}

/* The replica with the current values of its own settings, read from its table. */
static struct replica replica_now(struct call *c, const struct table *t, const struct replica *r)
{
    const struct table *there = table_state_replica(c, t, r);
    struct replica now = *r;

    if (!there)
        return now;
    now.read = r->read ? there->throughput.read : 0;
    now.on_demand_read = r->on_demand_read ? there->on_demand_limits.read : 0;
    if (r->table_class.len && there->table_class.len)
        now.table_class = there->table_class;
    now.indexes = arena_array(c->arena, r->index_count + 1, sizeof *now.indexes);
    for (size_t i = 0; i < r->index_count; i++) {
        const struct replica_index *own = &r->indexes[i];
        const struct index *ix = schema_find_index(there, own->name);

        now.indexes[i] = *own;
        if (!ix)
            continue;
        now.indexes[i].read = own->read ? ix->throughput.read : 0;
        now.indexes[i].on_demand_read = own->on_demand_read ? ix->on_demand.read : 0;
    }
    return now;
}

static void put_replication_mode(struct wire_writer *w, const struct table *t)
{
    if (t->global.mode != REPLICATION_UNSAID)
        wire_put_member_word(w, "GlobalTableSettingsReplicationMode",
                             names_replication_modes[t->global.mode]);
}

static void put_replica(struct call *c, const struct table *t, const struct replica *r)
{
    enum status status = table_state_of_replica(c, t, r);
    struct replica now = replica_now(c, t, r);
    struct wire_writer *w = &c->reply;

    wire_open(w, '{');
    wire_put_member_text(w, "RegionName", r->region);
    wire_put_member_word(w, "ReplicaStatus", names_statuses[status]);
    wire_put_set_text(w, "KMSMasterKeyId", r->kms_key);
    put_overrides(w, now.read, now.on_demand_read);
    if (status != STATUS_CREATING)
        put_warm(w, t->warm, false);
    if (now.index_count) {
        wire_open_member(w, "GlobalSecondaryIndexes", '[');
        for (size_t i = 0; i < now.index_count; i++) {
            wire_open(w, '{');
            wire_put_member_text(w, "IndexName", now.indexes[i].name);
            put_overrides(w, now.indexes[i].read, now.indexes[i].on_demand_read);
            wire_close(w, '}');
        }
        wire_close(w, ']');
    }
    if (now.table_class.len) {
        wire_open_member(w, "ReplicaTableClassSummary", '{');
        wire_put_member_text(w, "TableClass", now.table_class);
        wire_close(w, '}');
    }
    put_replication_mode(w, t);
    wire_close(w, '}');
}

static void put_global(struct call *c, const struct table *t)
{
    struct wire_writer *w = &c->reply;

    put_replication_mode(w, t);
    if (!table_replicas_any(t))
        return;
    wire_put_member_word(w, "GlobalTableVersion", "2019.11.21");
    if (t->global.replica_count) {
        wire_open_member(w, "Replicas", '[');
        for (size_t i = 0; i < t->global.replica_count; i++)
            put_replica(c, t, &t->global.replicas[i]);
        wire_close(w, ']');
    }
    if (t->global.witness.len) {
        wire_open_member(w, "GlobalTableWitnesses", '[');
        wire_open(w, '{');
        wire_put_member_text(w, "RegionName", t->global.witness);
        wire_put_member_word(w, "WitnessStatus", names_statuses[t->global.witness_status]);
        wire_close(w, '}');
        wire_close(w, ']');
    }
    if (t->global.strong)
        wire_put_member_word(w, "MultiRegionConsistency", names_consistencies[CONSISTENCY_STRONG]);
    else
        wire_put_member_bool(w, "DisassociationProtectionEnabled", !t->global.unprotected);
}

/* --- the rest -------------------------------------------------------------------------------- */

void table_describe_stream_view(struct wire_writer *w, const char *key, const struct table *t)
{
    if (!t->stream_enabled)
        return;
    wire_open_member(w, key, '{');
    wire_put_member_bool(w, "StreamEnabled", true);
    wire_put_member_word(w, "StreamViewType", names_views[t->stream_view]);
    wire_close(w, '}');
}

void table_describe_encryption(struct wire_writer *w, const struct table *t)
{
    if (!t->sse && !t->sse_until_ms)
        return;
    wire_open_member(w, "SSEDescription", '{');
    wire_put_member_word(w, "Status", t->sse_until_ms ? "UPDATING" : "ENABLED");
    if (t->sse) {
        wire_put_member_word(w, "SSEType", names_sse_types[SSE_KMS]);
        wire_put_member_text(w, "KMSMasterKeyArn", t->kms_key_arn);
    }
    wire_close(w, '}');
}

/* The members that the answer to a deletion leaves out. */
static const struct error *put_contents(struct call *c, const struct table *t,
                                        enum table_answer answer)
{
    struct wire_writer *w = &c->reply;
    const struct definition *defs = sorted(c, t->definitions, t->definition_count, sizeof *defs,
                                           compare_definitions);
    const struct error *e;

    wire_open_member(w, "AttributeDefinitions", '[');
    for (size_t i = 0; i < t->definition_count; i++) {
        wire_open(w, '{');
        wire_put_member_text(w, "AttributeName", defs[i].name);
        wire_put_member_word(w, "AttributeType", attr_type_code(defs[i].type));
        wire_close(w, '}');
    }
    wire_close(w, ']');
    wire_put_key_schema(&c->reply, &t->keys);
    wire_put_set_time(&c->reply, "CreationDateTime", t->created_ms);
    if ((e = table_describe_indexes(c, t, answer)))
        return e;
    if (answer != TABLE_CREATED || t->warm_until_ms)
        put_warm(&c->reply, t->warm, t->warm_until_ms != 0);
    return NULL;
}

const struct error *table_describe(struct call *c, const struct table *t, enum table_answer answer)
{
    struct wire_writer *w = &c->reply;
    const struct error *e;

    wire_open(w, '{');
    wire_put_member_text(w, "TableName", t->name);
    wire_put_member_word(w, "TableStatus", names_statuses[t->status]);
    table_describe_throughput(c, &t->throughput, answer);
    if ((e = put_stats(c, t, t->space, "TableSizeBytes")))
        return e;
    wire_put_member_text(w, "TableArn", table_arn(c, t->name, "", (struct span){NULL, 0}));
    wire_put_member_text(w, "TableId", t->uuid);
    /* The mode has two names; the service shows the newer one only for on-demand
     * tables. Provisioned tables with a replica show neither. */
    if (t->on_demand || (t->was_on_demand && !table_replicas_any(t)))
        put_mode(w, t, answer, "BillingModeSummary", "BillingMode");
    if (t->on_demand)
        put_mode(w, t, answer, "TableThroughputModeSummary", "TableThroughputMode");
    if (answer != TABLE_DELETED && (e = put_contents(c, t, answer)))
        return e;
    table_describe_stream_view(w, "StreamSpecification", t);
    if (t->stream_label.len) {
        wire_put_member_text(w, "LatestStreamLabel", t->stream_label);
        wire_put_member_text(w, "LatestStreamArn",
                             table_arn(c, t->name, "/stream/", t->stream_label));
    }
    table_describe_encryption(w, t);
    if (t->restore.source_arn.len) {
        wire_open_member(w, "RestoreSummary", '{');
        wire_put_set_text(w, "SourceBackupArn", t->restore.backup_arn);
        wire_put_member_text(w, "SourceTableArn", t->restore.source_arn);
        wire_put_set_time(w, "RestoreDateTime", t->restore.moment_ms);
        wire_put_member_bool(w, "RestoreInProgress", true);
        wire_close(w, '}');
    }
    table_member_describe(w, t);
    table_describe_on_demand(w, t->on_demand_limits);
    put_global(c, t);
    wire_close(w, '}');
    return NULL;
}
