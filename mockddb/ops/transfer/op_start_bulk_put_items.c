#include "model/limits.h"
#include "ops/table/table_name.h"
#include "ops/table/table_replicas.h"
#include "ops/table/table_state.h"
#include "ops/transfer/bulk_describe.h"
#include "ops/transfer/transfer_random.h"
#include "ops/transfer/transfer_shapes.h"

static const struct wire_shape format_shape = {.type = WIRE_STRING,
                                               .values = NAMES("DYNAMODB_JSON", "ION")};
static const struct wire_shape input_shape = WIRE_STRUCT_OF(
    "InputS3Configuration", {"S3Bucket", &transfer_shapes_bucket, WIRE_REQUIRED},
    {"InputFormat", &format_shape, WIRE_REQUIRED},
    {"S3BucketOwner", &transfer_shapes_bucket_owner, 0},
    {"S3KeyPrefix", &transfer_shapes_prefix, 0},
    {"InputCompressionType", &transfer_shapes_compression, 0});

static const struct wire_shape output_type = {.type = WIRE_STRING,
                                              .values = NAMES("ERROR", "CONDITION_CHECK_FAILURE")};
static const struct wire_shape output_types = {
    .type = WIRE_LIST, .element = &output_type, WIRE_AT_LEAST(1)};
static const struct wire_member output_members[] = {
    {"OutputType", &output_types, WIRE_REQUIRED},
    {"S3Bucket", &transfer_shapes_bucket, 0},
    {"S3BucketOwner", &transfer_shapes_bucket_owner, 0},
    {"S3KeyPrefix", &transfer_shapes_prefix, 0},
    {"S3SseAlgorithm", &transfer_shapes_encryption, 0},
    {"S3SseKmsKeyId", &transfer_shapes_kms_key, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape output_shape = WIRE_STRUCT_FROM("OutputS3Configuration",
                                                               output_members);

static const struct wire_shape units_shape = {.type = WIRE_LONG, WIRE_AT_LEAST(LIMIT_BULK_UNITS)};
static const struct wire_shape tier_shape = {.type = WIRE_STRING,
                                             .values = NAMES("STANDARD", "ACCELERATED")};

static const struct wire_member start_members[] = {
    {"TableName", &wire_table_name, 0},
    {"InputS3Configuration", &input_shape, WIRE_REQUIRED},
    {"OutputS3Configuration", &output_shape, WIRE_REQUIRED},
    {"ClientToken", &task_token_shape, 0},
    {"MaxWriteRequestUnits", &units_shape, 0},
    {"PerformanceTier", &tier_shape, 0},
    {NULL, NULL, 0},
};

static const struct error *check_output(struct call *c)
{
    const wire_node *output = wire_get(c->body, "OutputS3Configuration");

    if (!wire_get(output, "S3Bucket"))
        return error_validation(c->arena,
                                "1 validation error detected: Value null at "
                                "'outputS3Configuration.s3Bucket' failed to satisfy constraint: "
                                "Member must not be null");
    if (wire_get(output, "S3SseKmsKeyId") &&
        !span_is(wire_text(wire_get(output, "S3SseAlgorithm")), "KMS"))
        return error_validation(c->arena, "Invalid Request: KMS Key Id is not supported for this "
                                          "encryption type");
    return NULL;
}

/* The table must be ACTIVE, or UPDATING by a change that does not touch its items. It must not be a
 * global table, nor become one or have just left a group. */
static const struct error *check_state(struct call *c, const struct table *t)
{
    const struct error *e;

    if (t->restore.source_arn.len)
        return table_state_being_used(c, t->name);
    if ((e = table_state_check_there(c, t)))
        return e;
    if (table_replicas_any(t))
        return error_parameter(c->arena, "Bulk put operations are not supported for global tables");
    for (size_t i = 0; i < t->index_count; i++)
        if (t->indexes[i].status == STATUS_CREATING)
            return table_state_in_use(c, "Table is being updated: %.*s", SPAN_ARG(t->name));
    return NULL;
}

static const struct error *begin_bulk_put(struct call *c, struct task *task)
{
    const struct table *t;
    const struct error *e;
    int64_t open;

    if ((e = table_state_find(c, &t)) || (e = check_state(c, t)) ||
        (e = task_count_open(c, TASK_BULK_PUT, &open)))
        return e;
    if (open >= LIMIT_TASKS_OPEN)
        return error_new(c->arena, ERROR_LIMIT_EXCEEDED,
                         "Too many concurrent bulk operations: the limit is %d", LIMIT_TASKS_OPEN);
    *task = (struct task){.kind = TASK_BULK_PUT,
                          .table = t->name,
                          .table_id = t->uuid,
                          .file = transfer_random_name(c)};
    return task_begin(c, task);
}

static const struct error *start_bulk_put(struct call *c)
{
    struct task task;
    const struct error *e;
    bool found, same;

    if ((e = check_output(c)) || (e = task_find_token(c, TASK_BULK_PUT, &task, &found, &same)))
        return e;
    if (found && !same)
        return error_new(c->arena, ERROR_IDEMPOTENT_MISMATCH,
                         "Bulk operation conflict: Duplicate request detected with conflicting "
                         "parameters");
    if (!found && (e = begin_bulk_put(c, &task)))
        return e;
    return bulk_describe(c, &task);
}

const struct op op_start_bulk_put_items = {
    .name = "StartBulkPutItems",
    .access = OP_WRITES,
    .members = start_members,
    .precheck = table_name_required,
    .run = start_bulk_put,
};
