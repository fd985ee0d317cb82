/* Every operation, sorted by its name in byte order within its service. A new one is a line here.
 */
#include "base/cut.h"
#include "model/schema_members.h"
#include "ops/op.h"

#include <stdlib.h>

#define DYNAMODB_OPS(ROW)                       \
    ROW(batch_execute_statement)                \
    ROW(batch_get_item)                         \
    ROW(batch_write_item)                       \
    ROW(cancel_bulk_operation)                  \
    ROW(create_backup)                          \
    ROW(create_global_table)                    \
    ROW(create_table)                           \
    ROW(delete_backup)                          \
    ROW(delete_item)                            \
    ROW(delete_resource_policy)                 \
    ROW(delete_table)                           \
    ROW(describe_backup)                        \
    ROW(describe_bulk_operation)                \
    ROW(describe_continuous_backups)            \
    ROW(describe_contributor_insights)          \
    ROW(describe_endpoints)                     \
    ROW(describe_export)                        \
    ROW(describe_global_table)                  \
    ROW(describe_global_table_settings)         \
    ROW(describe_import)                        \
    ROW(describe_kinesis_streaming_destination) \
    ROW(describe_limits)                        \
    ROW(describe_table)                         \
    ROW(describe_table_replica_auto_scaling)    \
    ROW(describe_time_to_live)                  \
    ROW(disable_kinesis_streaming_destination)  \
    ROW(enable_kinesis_streaming_destination)   \
    ROW(execute_statement)                      \
    ROW(execute_transaction)                    \
    ROW(export_table_to_point_in_time)          \
    ROW(get_item)                               \
    ROW(get_resource_policy)                    \
    ROW(import_table)                           \
    ROW(list_backups)                           \
    ROW(list_bulk_operations)                   \
    ROW(list_contributor_insights)              \
    ROW(list_exports)                           \
    ROW(list_global_tables)                     \
    ROW(list_imports)                           \
    ROW(list_tables)                            \
    ROW(list_tags_of_resource)                  \
    ROW(put_item)                               \
    ROW(put_resource_policy)                    \
    ROW(query)                                  \
    ROW(restore_table_from_backup)              \
    ROW(restore_table_to_point_in_time)         \
    ROW(scan)                                   \
    ROW(search_vectors)                         \
    ROW(start_bulk_put_items)                   \
    ROW(tag_resource)                           \
    ROW(transact_get_items)                     \
    ROW(transact_write_items)                   \
    ROW(untag_resource)                         \
    ROW(update_continuous_backups)              \
    ROW(update_contributor_insights)            \
    ROW(update_global_table)                    \
    ROW(update_global_table_settings)           \
    ROW(update_item)                            \
    ROW(update_kinesis_streaming_destination)   \
    ROW(update_table)                           \
    ROW(update_table_replica_auto_scaling)      \
    ROW(update_time_to_live)
#define STREAMS_OPS(ROW)    \
    ROW(describe_stream)    \
    ROW(get_records)        \
    ROW(get_shard_iterator) \
    ROW(list_streams)
#define MONITORING_OPS(ROW)         \
    ROW(describe_alarm_history)     \
    ROW(describe_alarms)            \
    ROW(describe_alarms_for_metric) \
    ROW(describe_anomaly_detectors) \
    ROW(get_metric_data)            \
    ROW(get_metric_statistics)      \
    ROW(list_dashboards)            \
    ROW(list_metrics)
#define SCALING_OPS(ROW)             \
    ROW(delete_scaling_policy)       \
    ROW(delete_scheduled_action)     \
    ROW(deregister_scalable_target)  \
    ROW(describe_scalable_targets)   \
    ROW(describe_scaling_activities) \
    ROW(describe_scaling_policies)   \
    ROW(describe_scheduled_actions)  \
    ROW(list_tags_for_resource)      \
    ROW(put_scaling_policy)          \
    ROW(put_scheduled_action)        \
    ROW(register_scalable_target)    \
    ROW(scaling_tag_resource)        \
    ROW(scaling_untag_resource)
#define TAGGING_OPS(ROW) \
    ROW(get_resources)   \
    ROW(tag_resources)   \
    ROW(untag_resources)
#define KEYS_OPS(ROW)     ROW(describe_key)
#define IDENTITY_OPS(ROW) ROW(get_caller_identity)

#define DECLARE(name) extern const struct op op_##name;
DYNAMODB_OPS(DECLARE)
STREAMS_OPS(DECLARE)
MONITORING_OPS(DECLARE)
SCALING_OPS(DECLARE)
TAGGING_OPS(DECLARE)
KEYS_OPS(DECLARE)
IDENTITY_OPS(DECLARE)

/* Each list ends with NULL. */
#define ROW(name) &op_##name,
static const struct op *const dynamodb_ops[] = {DYNAMODB_OPS(ROW) NULL};
static const struct op *const streams_ops[] = {STREAMS_OPS(ROW) NULL};
static const struct op *const monitoring_ops[] = {MONITORING_OPS(ROW) NULL};
static const struct op *const scaling_ops[] = {SCALING_OPS(ROW) NULL};
static const struct op *const tagging_ops[] = {TAGGING_OPS(ROW) NULL};
static const struct op *const keys_ops[] = {KEYS_OPS(ROW) NULL};
static const struct op *const identity_ops[] = {IDENTITY_OPS(ROW) NULL};

static int compare_name(const void *name, const void *row)
{
    const struct op *const *op = row;

    return span_compare(*(const struct span *)name, span_of((*op)->name));
}

/* With their names in IAM's actions. */
static const struct {
    const char *name;
    const struct op *const *ops;
    size_t count;
} services[OP_SERVICE_COUNT] = {
    [OP_DYNAMODB] = {"dynamodb", dynamodb_ops, COUNT(dynamodb_ops) - 1},
    [OP_STREAMS] = {"dynamodb", streams_ops, COUNT(streams_ops) - 1},
    [OP_MONITORING] = {"cloudwatch", monitoring_ops, COUNT(monitoring_ops) - 1},
    [OP_SCALING] = {"application-autoscaling", scaling_ops, COUNT(scaling_ops) - 1},
    [OP_TAGGING] = {"tag", tagging_ops, COUNT(tagging_ops) - 1},
    [OP_KEYS] = {"kms", keys_ops, COUNT(keys_ops) - 1},
    [OP_IDENTITY] = {"sts", identity_ops, COUNT(identity_ops) - 1},
};

const struct op *op_at(enum op_service service, size_t i)
{
    return i < services[service].count ? services[service].ops[i] : NULL;
}

const struct op *op_find(enum op_service service, struct span name)
{
    const struct op *const *found = bsearch(&name, services[service].ops, services[service].count,
                                            sizeof(struct op *), compare_name);

    return found ? *found : NULL;
}

const struct op *op_of_action(struct span action)
{
    const bool has_service = span_has(action, ':');
    const struct span service = has_service ? cut_part(&action, ':') : (struct span){NULL, 0};
    const struct op *found = NULL;

    for (int i = 0; i < OP_SERVICE_COUNT && !found; i++)
        if (!has_service || span_is(service, services[i].name))
            found = op_find((enum op_service)i, action);
    return found;
}

const char *op_action(struct arena *a, const struct op *op)
{
    if (op->service == OP_DYNAMODB || op->service == OP_STREAMS)
        return op->name;
    return arena_printf(a, "%s:%s", services[op->service].name, op->name);
}

static struct wire_shape *table_member_shape(struct arena *a, const struct schema_member *m)
{
    struct wire_shape *shape = arena_alloc(a, sizeof *shape);

    shape->type = m->kind == SCHEMA_FLAG  ? WIRE_BOOLEAN
                  : m->kind == SCHEMA_INT ? WIRE_LONG
                                          : WIRE_STRING;
    shape->values = m->words;
    return shape;
}

const struct wire_member *op_members(struct arena *a, const struct op *op)
{
    const struct schema_member *m = NULL;
    struct wire_member *all;
    size_t own = 0, count;

    if (!op->table_use)
        return op->members;
    while (op->members[own].name)
        own++;
    for (count = own; (m = schema_members_next(m, op->table_use));)
        count++;
    all = arena_array(a, count + 1, sizeof *all);
    memcpy(all, op->members, own * sizeof *all);
    while ((m = schema_members_next(m, op->table_use)))
        all[own++] = (struct wire_member){schema_members_wire(a, m, op->table_use),
                                          table_member_shape(a, m), 0};
    return all;
}

bool op_takes(const struct op *op, const char *member)
{
    for (const struct wire_member *m = op->members; m->name; m++)
        if (strcmp(m->name, member) == 0)
            return true;
    return false;
}

const struct op_paging op_pages_of_items = {
    .input_token = "ExclusiveStartKey",
    .output_token = "LastEvaluatedKey",
    .limit = "Limit",
    .results = {"Items", "Count", "ScannedCount"},
    .once = "ConsumedCapacity",
};
