#include "model/schema_members.h"

#include "model/names.h"
#include "model/schema.h"

#include <stddef.h>

#define AT(st, member) .name = #member, .offset = offsetof(struct st, member)
/* An array of structs, and the member that has its length. */
#define ARRAY(st, member, of, count) \
    .kind = SCHEMA_ARRAY, AT(st, member), .shape = &(of), .count_offset = offsetof(struct st, count)
#define FIXED(st, member, of, count) \
    .kind = SCHEMA_FIXED, AT(st, member), .shape = &(of), .count_offset = offsetof(struct st, count)

/* The shape of a struct with these members. */
#define SHAPE(st, ...)                                    \
    {                                                     \
        sizeof(struct st), (const struct schema_member[]) \
        {                                                 \
            __VA_ARGS__,                                  \
            {                                             \
                .name = NULL                              \
            }                                             \
        }                                                 \
    }

static const struct schema_shape part_shape = SHAPE(
    key_part, {.kind = SCHEMA_TEXT, AT(key_part, name)}, {.kind = SCHEMA_TYPE, AT(key_part, type)});

static const struct schema_shape keys_shape = SHAPE(
    key_schema, {FIXED(key_schema, hash, part_shape, hash_count)},
    {FIXED(key_schema, range, part_shape, range_count)});

static const struct schema_shape throughput_shape = SHAPE(
    throughput, {.kind = SCHEMA_INT, AT(throughput, read)},
    {.kind = SCHEMA_INT, AT(throughput, write)},
    {.kind = SCHEMA_INT, AT(throughput, last_increase_ms)},
    {.kind = SCHEMA_INT, AT(throughput, last_decrease_ms)},
    {.kind = SCHEMA_INT, AT(throughput, decreases_today)},
    {.kind = SCHEMA_INT, AT(throughput, decreases_day)});

static const struct schema_shape units_shape = SHAPE(unit_pair,
                                                     {.kind = SCHEMA_INT, AT(unit_pair, read)},
                                                     {.kind = SCHEMA_INT, AT(unit_pair, write)});

static const struct schema_shape name_shape = SHAPE(span, {.kind = SCHEMA_TEXT, .name = "name"});

static const struct schema_shape search_shape = SHAPE(
    search_part, {.kind = SCHEMA_TEXT, AT(search_part, name)},
    {.kind = SCHEMA_TYPE, AT(search_part, type)}, {.kind = SCHEMA_FLAG, AT(search_part, hash)});

static const struct schema_shape vector_shape = SHAPE(
    vector_schema, {.kind = SCHEMA_TEXT, AT(vector_schema, attribute)},
    {.kind = SCHEMA_INT, AT(vector_schema, dimensions)},
    {.kind = SCHEMA_ENUM, AT(vector_schema, distance), .words = names_distances},
    {ARRAY(vector_schema, parts, search_shape, part_count)});

static const struct schema_shape insights_shape = SHAPE(
    insights, {.kind = SCHEMA_FLAG, AT(insights, enabled)},
    {.kind = SCHEMA_ENUM, AT(insights, mode), .words = names_insights_modes},
    {.kind = SCHEMA_INT, AT(insights, since_ms)}, {.kind = SCHEMA_INT, AT(insights, changed_ms)},
    {.kind = SCHEMA_INT, AT(insights, until_ms)});

static const struct schema_shape index_shape = SHAPE(
    index, {.kind = SCHEMA_TEXT, AT(index, name)}, {.kind = SCHEMA_WORD, AT(index, space)},
    {.kind = SCHEMA_FLAG, AT(index, global)},
    {.kind = SCHEMA_STRUCT, AT(index, keys), .shape = &keys_shape},
    {.kind = SCHEMA_STRUCT, AT(index, vector), .shape = &vector_shape},
    {.kind = SCHEMA_ENUM, AT(index, projection), .words = names_projections},
    {ARRAY(index, include, name_shape, include_count)},
    {.kind = SCHEMA_ENUM, AT(index, status), .words = names_statuses},
    {.kind = SCHEMA_FLAG, AT(index, backfilling)},
    {.kind = SCHEMA_BYTES, AT(index, backfill_position)},
    {.kind = SCHEMA_FLAG, AT(index, backfilled)},
    {.kind = SCHEMA_STRUCT, AT(index, throughput), .shape = &throughput_shape},
    {.kind = SCHEMA_STRUCT, AT(index, on_demand), .shape = &units_shape},
    {.kind = SCHEMA_STRUCT, AT(index, warm), .shape = &units_shape},
    {.kind = SCHEMA_INT, AT(index, transition_until_ms)},
    {.kind = SCHEMA_STRUCT, AT(index, next_throughput), .shape = &throughput_shape},
    {.kind = SCHEMA_STRUCT, AT(index, next_warm), .shape = &units_shape},
    {.kind = SCHEMA_STRUCT, AT(index, insights), .shape = &insights_shape});

static const struct schema_shape definition_shape = SHAPE(
    definition, {.kind = SCHEMA_TEXT, AT(definition, name)},
    {.kind = SCHEMA_TYPE, AT(definition, type)});

static const struct schema_shape tag_shape = SHAPE(tag, {.kind = SCHEMA_TEXT, AT(tag, key)},
                                                   {.kind = SCHEMA_TEXT, AT(tag, value)});

static const struct schema_shape policy_shape = SHAPE(
    policy, {.kind = SCHEMA_TEXT, AT(policy, document)},
    {.kind = SCHEMA_INT, AT(policy, revision_ms)});

static const struct schema_shape destination_shape = SHAPE(
    destination, {.kind = SCHEMA_TEXT, AT(destination, stream_arn)},
    {.kind = SCHEMA_ENUM, AT(destination, status), .words = names_destination_statuses},
    {.kind = SCHEMA_FLAG, AT(destination, unknown)},
    {.kind = SCHEMA_ENUM, AT(destination, precision), .words = names_precisions},
    {.kind = SCHEMA_ENUM, AT(destination, next_precision), .words = names_precisions},
    {.kind = SCHEMA_INT, AT(destination, until_ms)});

static const struct schema_shape recovery_shape = SHAPE(
    recovery, {.kind = SCHEMA_WORD, AT(recovery, space)},
    {.kind = SCHEMA_INT, AT(recovery, since_ms)}, {.kind = SCHEMA_INT, AT(recovery, from_ms)},
    {.kind = SCHEMA_INT, AT(recovery, days)});

static const struct schema_shape restore_shape = SHAPE(
    restore, {.kind = SCHEMA_TEXT, AT(restore, source_arn)},
    {.kind = SCHEMA_TEXT, AT(restore, backup_arn)}, {.kind = SCHEMA_INT, AT(restore, moment_ms)},
    {.kind = SCHEMA_FLAG, AT(restore, filling)}, {.kind = SCHEMA_FLAG, AT(restore, replica)},
    {.kind = SCHEMA_WORD, AT(restore, log_space)},
    {.kind = SCHEMA_BYTES, AT(restore, log_position)});

static const struct schema_shape replica_index_shape = SHAPE(
    replica_index, {.kind = SCHEMA_TEXT, AT(replica_index, name)},
    {.kind = SCHEMA_INT, AT(replica_index, read)},
    {.kind = SCHEMA_INT, AT(replica_index, on_demand_read)});

static const struct schema_shape replica_shape = SHAPE(
    replica, {.kind = SCHEMA_TEXT, AT(replica, region)},
    {.kind = SCHEMA_ENUM, AT(replica, status), .words = names_statuses},
    {.kind = SCHEMA_INT, AT(replica, until_ms)}, {.kind = SCHEMA_TEXT, AT(replica, kms_key)},
    {.kind = SCHEMA_TEXT, AT(replica, table_class)}, {.kind = SCHEMA_INT, AT(replica, read)},
    {.kind = SCHEMA_INT, AT(replica, on_demand_read)},
    {ARRAY(replica, indexes, replica_index_shape, index_count)});

static const struct schema_shape scaling_shape = SHAPE(
    scaling, {.kind = SCHEMA_TEXT, AT(scaling, region)}, {.kind = SCHEMA_TEXT, AT(scaling, index)},
    {.kind = SCHEMA_INT, AT(scaling, min)}, {.kind = SCHEMA_INT, AT(scaling, max)},
    {.kind = SCHEMA_FLAG, AT(scaling, disabled)}, {.kind = SCHEMA_TEXT, AT(scaling, role)},
    {.kind = SCHEMA_TEXT, AT(scaling, policy)}, {.kind = SCHEMA_TEXT, AT(scaling, target)},
    {.kind = SCHEMA_FLAG, AT(scaling, keeps_in)}, {.kind = SCHEMA_INT, AT(scaling, in_cooldown)},
    {.kind = SCHEMA_INT, AT(scaling, out_cooldown)});

static const struct schema_shape global_shape = SHAPE(
    global, {ARRAY(global, replicas, replica_shape, replica_count)},
    {.kind = SCHEMA_TEXT, AT(global, witness)},
    {.kind = SCHEMA_ENUM, AT(global, witness_status), .words = names_statuses},
    {.kind = SCHEMA_INT, AT(global, witness_until_ms)}, {.kind = SCHEMA_FLAG, AT(global, strong)},
    {.kind = SCHEMA_FLAG, AT(global, unprotected)},
    {.kind = SCHEMA_ENUM, AT(global, mode), .words = names_replication_modes},
    {.kind = SCHEMA_INT, AT(global, source_ms)},
    {ARRAY(global, scalings, scaling_shape, scaling_count)},
    {.kind = SCHEMA_WORD, AT(global, log_space)}, {.kind = SCHEMA_WORD, AT(global, latest_space)});

static const struct schema_member table_members[] = {
    {.kind = SCHEMA_TEXT, AT(table, region)},
    {.kind = SCHEMA_TEXT, AT(table, name)},
    {.kind = SCHEMA_TEXT, AT(table, uuid)},
    {.kind = SCHEMA_WORD, AT(table, space)},
    {.kind = SCHEMA_STRUCT, AT(table, keys), .shape = &keys_shape},
    {ARRAY(table, definitions, definition_shape, definition_count)},
    {ARRAY(table, indexes, index_shape, index_count)},
    {.kind = SCHEMA_ENUM, AT(table, status), .words = names_statuses},
    {.kind = SCHEMA_INT, AT(table, created_ms)},
    {.kind = SCHEMA_INT, AT(table, due_ms)},
    {.kind = SCHEMA_ENUM, AT(table, change), .words = names_changes},
    {.kind = SCHEMA_INT, AT(table, transition_until_ms)},
    {.kind = SCHEMA_FLAG, AT(table, on_demand)},
    {.kind = SCHEMA_FLAG, AT(table, was_on_demand)},
    {.kind = SCHEMA_INT, AT(table, on_demand_since_ms)},
    {.kind = SCHEMA_STRUCT, AT(table, throughput), .shape = &throughput_shape},
    {.kind = SCHEMA_STRUCT, AT(table, next_throughput), .shape = &throughput_shape},
    {.kind = SCHEMA_STRUCT, AT(table, on_demand_limits), .shape = &units_shape},
    {.kind = SCHEMA_STRUCT, AT(table, warm), .shape = &units_shape},
    {.kind = SCHEMA_STRUCT, AT(table, next_warm), .shape = &units_shape},
    {.kind = SCHEMA_INT, AT(table, warm_until_ms)},
    {.kind = SCHEMA_TEXT,
     AT(table, table_class),
     .wire = "TableClass",
     .uses = SCHEMA_CREATE | SCHEMA_UPDATE | SCHEMA_REPLICATE,
     .summary = "TableClassSummary"},
    {.kind = SCHEMA_FLAG,
     AT(table, deletion_protection),
     .wire = "DeletionProtectionEnabled",
     .uses = SCHEMA_CREATE | SCHEMA_UPDATE},
    {.kind = SCHEMA_TEXT, AT(table, next_table_class)},
    {.kind = SCHEMA_INT, AT(table, table_class_ms)},
    {.kind = SCHEMA_INT, AT(table, table_class_before_ms)},
    {.kind = SCHEMA_FLAG, AT(table, sse)},
    {.kind = SCHEMA_INT, AT(table, sse_until_ms)},
    {.kind = SCHEMA_TEXT, AT(table, kms_key_arn)},
    {.kind = SCHEMA_TEXT, AT(table, next_kms_key_arn)},
    {.kind = SCHEMA_INT, AT(table, sse_window_ms)},
    {.kind = SCHEMA_INT, AT(table, sse_changes)},
    {.kind = SCHEMA_INT, AT(table, sse_changed_ms)},
    {.kind = SCHEMA_STRUCT, AT(table, policy), .shape = &policy_shape},
    {ARRAY(table, tags, tag_shape, tag_count)},
    {.kind = SCHEMA_TEXT, AT(table, ttl_attribute)},
    {.kind = SCHEMA_WORD, AT(table, ttl_space)},
    {.kind = SCHEMA_BYTES, AT(table, ttl_position)},
    {.kind = SCHEMA_FLAG, AT(table, ttl_backfilled)},
    {.kind = SCHEMA_FLAG, AT(table, stream_enabled)},
    {.kind = SCHEMA_ENUM, AT(table, stream_view), .words = names_views},
    {.kind = SCHEMA_TEXT, AT(table, stream_label)},
    {.kind = SCHEMA_STRUCT, AT(table, stream_policy), .shape = &policy_shape},
    {.kind = SCHEMA_WORD, AT(table, stream_space)},
    {.kind = SCHEMA_WORD, AT(table, stream_shards)},
    {.kind = SCHEMA_STRUCT, AT(table, recovery), .shape = &recovery_shape},
    {.kind = SCHEMA_STRUCT, AT(table, restore), .shape = &restore_shape},
    {.kind = SCHEMA_STRUCT, AT(table, insights), .shape = &insights_shape},
    {ARRAY(table, destinations, destination_shape, destination_count)},
    {.kind = SCHEMA_STRUCT, AT(table, global), .shape = &global_shape},
    {.name = NULL},
};
struct schema_shape schema_members_table = {sizeof(struct table), table_members};

const struct schema_member *schema_members_next(const struct schema_member *m, unsigned uses)
{
    for (m = m ? m + 1 : schema_members_table.members; m->name; m++)
        if (m->wire && (m->uses & uses))
            return m;
    return NULL;
}

const char *schema_members_wire(struct arena *a, const struct schema_member *m, enum schema_use use)
{
    return use == SCHEMA_RESTORE ? arena_printf(a, "%sOverride", m->wire) : m->wire;
}

const char *schema_members_elements(const struct schema_member *m, const char *from, size_t *count)
{
    const char *at = from + m->offset;

    memcpy(count, from + m->count_offset, sizeof *count);
    if (m->kind == SCHEMA_ARRAY)
        memcpy(&at, from + m->offset, sizeof at);
    return at;
}
