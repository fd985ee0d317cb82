#include "ops/op.h"

#include <stdlib.h>

extern const struct op op_batch_execute_statement;
extern const struct op op_batch_get_item;
extern const struct op op_batch_write_item;
extern const struct op op_cancel_bulk_operation;
extern const struct op op_create_backup;
extern const struct op op_create_global_table;
extern const struct op op_create_table;
extern const struct op op_delete_backup;
extern const struct op op_delete_item;
extern const struct op op_delete_resource_policy;
extern const struct op op_delete_scaling_policy;
extern const struct op op_delete_scheduled_action;
extern const struct op op_delete_table;
extern const struct op op_deregister_scalable_target;
extern const struct op op_describe_alarm_history;
extern const struct op op_describe_alarms;
extern const struct op op_describe_alarms_for_metric;
extern const struct op op_describe_anomaly_detectors;
extern const struct op op_describe_backup;
extern const struct op op_describe_bulk_operation;
extern const struct op op_describe_continuous_backups;
extern const struct op op_describe_contributor_insights;
extern const struct op op_describe_endpoints;
extern const struct op op_describe_export;
extern const struct op op_describe_global_table;
extern const struct op op_describe_global_table_settings;
extern const struct op op_describe_import;
extern const struct op op_describe_key;
extern const struct op op_describe_kinesis_streaming_destination;
extern const struct op op_describe_limits;
extern const struct op op_describe_scalable_targets;
extern const struct op op_describe_scaling_activities;
extern const struct op op_describe_scaling_policies;
extern const struct op op_describe_scheduled_actions;
extern const struct op op_describe_stream;
extern const struct op op_describe_table;
extern const struct op op_describe_table_replica_auto_scaling;
extern const struct op op_describe_time_to_live;
extern const struct op op_disable_kinesis_streaming_destination;
extern const struct op op_enable_kinesis_streaming_destination;
extern const struct op op_execute_statement;
extern const struct op op_execute_transaction;
extern const struct op op_export_table_to_point_in_time;
extern const struct op op_get_caller_identity;
extern const struct op op_get_item;
extern const struct op op_get_metric_data;
extern const struct op op_get_metric_statistics;
extern const struct op op_get_records;
extern const struct op op_get_resource_policy;
extern const struct op op_get_resources;
extern const struct op op_get_shard_iterator;
extern const struct op op_import_table;
extern const struct op op_list_backups;
extern const struct op op_list_bulk_operations;
extern const struct op op_list_contributor_insights;
extern const struct op op_list_dashboards;
extern const struct op op_list_exports;
extern const struct op op_list_global_tables;
extern const struct op op_list_imports;
extern const struct op op_list_metrics;
extern const struct op op_list_streams;
extern const struct op op_list_tables;
extern const struct op op_list_tags_for_resource;
extern const struct op op_list_tags_of_resource;
extern const struct op op_put_item;
extern const struct op op_put_resource_policy;
extern const struct op op_put_scaling_policy;
extern const struct op op_put_scheduled_action;
extern const struct op op_query;
extern const struct op op_register_scalable_target;
extern const struct op op_restore_table_from_backup;
extern const struct op op_restore_table_to_point_in_time;
extern const struct op op_scaling_tag_resource;
extern const struct op op_scaling_untag_resource;
extern const struct op op_scan;
extern const struct op op_search_vectors;
extern const struct op op_start_bulk_put_items;
extern const struct op op_tag_resource;
extern const struct op op_tag_resources;
extern const struct op op_transact_get_items;
extern const struct op op_transact_write_items;
extern const struct op op_untag_resource;
extern const struct op op_untag_resources;
extern const struct op op_update_continuous_backups;
extern const struct op op_update_contributor_insights;
extern const struct op op_update_global_table;
extern const struct op op_update_global_table_settings;
extern const struct op op_update_item;
extern const struct op op_update_kinesis_streaming_destination;
extern const struct op op_update_table;
extern const struct op op_update_table_replica_auto_scaling;
extern const struct op op_update_time_to_live;

/* Each list is sorted by name in byte order and ends with NULL. */
static const struct op *const dynamodb_ops[] = {
    &op_batch_execute_statement,
    &op_batch_get_item,
    &op_batch_write_item,
    &op_cancel_bulk_operation,
    &op_create_backup,
    &op_create_global_table,
    &op_create_table,
    &op_delete_backup,
    &op_delete_item,
    &op_delete_resource_policy,
    &op_delete_table,
    &op_describe_backup,
    &op_describe_bulk_operation,
    &op_describe_continuous_backups,
    &op_describe_contributor_insights,
    &op_describe_endpoints,
    &op_describe_export,
    &op_describe_global_table,
    &op_describe_global_table_settings,
    &op_describe_import,
    &op_describe_kinesis_streaming_destination,
    &op_describe_limits,
    &op_describe_table,
    &op_describe_table_replica_auto_scaling,
    &op_describe_time_to_live,
    &op_disable_kinesis_streaming_destination,
    &op_enable_kinesis_streaming_destination,
    &op_execute_statement,
    &op_execute_transaction,
    &op_export_table_to_point_in_time,
    &op_get_item,
    &op_get_resource_policy,
    &op_import_table,
    &op_list_backups,
    &op_list_bulk_operations,
    &op_list_contributor_insights,
    &op_list_exports,
    &op_list_global_tables,
    &op_list_imports,
    &op_list_tables,
    &op_list_tags_of_resource,
    &op_put_item,
    &op_put_resource_policy,
    &op_query,
    &op_restore_table_from_backup,
    &op_restore_table_to_point_in_time,
    &op_scan,
    &op_search_vectors,
    &op_start_bulk_put_items,
    &op_tag_resource,
    &op_transact_get_items,
    &op_transact_write_items,
    &op_untag_resource,
    &op_update_continuous_backups,
    &op_update_contributor_insights,
    &op_update_global_table,
    &op_update_global_table_settings,
    &op_update_item,
    &op_update_kinesis_streaming_destination,
    &op_update_table,
    &op_update_table_replica_auto_scaling,
    &op_update_time_to_live,
    NULL,
};
static const struct op *const streams_ops[] = {
    &op_describe_stream, &op_get_records, &op_get_shard_iterator, &op_list_streams, NULL,
};

static const struct op *const monitoring_ops[] = {
    &op_describe_alarm_history,
    &op_describe_alarms,
    &op_describe_alarms_for_metric,
    &op_describe_anomaly_detectors,
    &op_get_metric_data,
    &op_get_metric_statistics,
    &op_list_dashboards,
    &op_list_metrics,
    NULL,
};
static const struct op *const scaling_ops[] = {
    &op_delete_scaling_policy,       &op_delete_scheduled_action,
    &op_deregister_scalable_target,  &op_describe_scalable_targets,
    &op_describe_scaling_activities, &op_describe_scaling_policies,
    &op_describe_scheduled_actions,  &op_list_tags_for_resource,
    &op_put_scaling_policy,          &op_put_scheduled_action,
    &op_register_scalable_target,    &op_scaling_tag_resource,
    &op_scaling_untag_resource,      NULL,
};
static const struct op *const tagging_ops[] = {
    &op_get_resources,
    &op_tag_resources,
    &op_untag_resources,
    NULL,
};
static const struct op *const keys_ops[] = {
    &op_describe_key,
    NULL,
};
static const struct op *const identity_ops[] = {
    &op_get_caller_identity,
    NULL,
};

static int compare_name(const void *name, const void *row)
{
    const struct op *const *op = row;

    return span_compare(*(const struct span *)name, span_of((*op)->name));
}

static const struct {
    const struct op *const *ops;
    size_t count;
} services[] = {
    [OP_DYNAMODB] = {dynamodb_ops, COUNT(dynamodb_ops) - 1},
    [OP_STREAMS] = {streams_ops, COUNT(streams_ops) - 1},
    [OP_MONITORING] = {monitoring_ops, COUNT(monitoring_ops) - 1},
    [OP_SCALING] = {scaling_ops, COUNT(scaling_ops) - 1},
    [OP_TAGGING] = {tagging_ops, COUNT(tagging_ops) - 1},
    [OP_KEYS] = {keys_ops, COUNT(keys_ops) - 1},
    [OP_IDENTITY] = {identity_ops, COUNT(identity_ops) - 1},
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
