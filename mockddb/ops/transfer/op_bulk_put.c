/* op_bulk_put.c: the operations on bulk puts. */
#include "model/names.h"
#include "ops/table/table_name.h"
#include "ops/table/table_replicas.h"
#include "ops/table/table_state.h"
#include "ops/transfer/task.h"
#include "ops/transfer/transfer_shapes.h"

/* --- answers ---------------------------------------------------------------------------------- */

/* Finds the bulk operation that BulkOperationArn names. */
static const struct error *find_bulk_put(struct call *c, struct task *out)
{
    struct span text = wire_text(wire_get(c->body, "BulkOperationArn"));
    const struct error *e = NULL;
    struct task place;
    struct arn arn;
    bool found = false;

    if (!task_parse_arn(TASK_BULK_PUT, text, &arn, &place))
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(
                CAUSE_ARN_KIND, .place = text,
                .beside = SPAN_LIT("arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/bulk-operation/ID")),
            "Invalid Bulk Operation ARN");
    if (span_equal(arn.region, op_region(c)) && span_equal(arn.account, c->settings->account))
        e = task_find(c, &place, out, &found);
    if (e || found)
        return e;
    return error_new(c->arena, ERROR_RESOURCE_NOT_FOUND,
                     "Requested resource not found: Bulk operation: %.*s not found",
                     SPAN_ARG(text));
}

static void put_kind(struct wire_writer *w, const struct task *t, enum index_kind kind)
{
    bool open = false;

    for (size_t i = 0; i < t->usage_count; i++) {
        const struct task_usage *u = &t->usage[i];

        if (u->kind != kind)
            continue;
        if (!open) {
            wire_open_member(w, names_index_lists[kind], '{');
            open = true;
        }
        wire_key_span(w, u->index);
        wire_open(w, '{');
        wire_put_member_integer(w, kind == KIND_VECTOR ? "BulkPutVectorBytes" : "BulkPutBytes",
                                u->bytes);
        wire_close(w, '}');
    }
    if (open)
        wire_close(w, '}');
}

/* Without vector indexes. */
static int64_t total_bytes(const struct task *t)
{
    int64_t bytes = t->put_bytes;

    for (size_t i = 0; i < t->usage_count; i++)
        if (t->usage[i].kind != KIND_VECTOR)
            bytes += t->usage[i].bytes;
    return bytes;
}

static void put_progress(struct wire_writer *w, const struct task *t)
{
    wire_put_set_time(w, "StartTime", t->created_ms);
    wire_put_set_time(w, "EndTime", t->ended_ms);
    if (t->listed)
        wire_put_member_integer(w, "TotalInputBytes", t->input_bytes);
    wire_put_member_integer(w, "ProcessedInputBytes", t->bytes);
    wire_put_member_integer(w, "ProcessedItemCount", t->items);
    wire_put_member_integer(w, "FailedItemCount", t->faults);
    wire_open_member(w, "BulkOperationUsage", '[');
    wire_open(w, '{');
    wire_put_member_text(w, "TableName", t->table);
    wire_put_member_integer(w, "BulkPutBytes", total_bytes(t));
    wire_open_member(w, "Table", '{');
    wire_put_member_integer(w, "BulkPutBytes", t->put_bytes);
    wire_close(w, '}');
    put_kind(w, t, KIND_LOCAL);
    put_kind(w, t, KIND_GLOBAL);
    put_kind(w, t, KIND_VECTOR);
    wire_close(w, '}');
    wire_close(w, ']');
    wire_put_set_text(w, "FailureCode", t->failure_code);
    wire_put_set_text(w, "FailureMessage", t->failure_message);
}

static const struct error *put_description(struct call *c, const struct task *t)
{
    struct wire_writer *w = &c->reply;
    const wire_node *request, *tier;
    const struct error *e = task_request(c, t, &request);

    if (e)
        return e;
    tier = wire_get(request, "PerformanceTier");
    wire_open_member(w, "BulkOperationDescription", '{');
    wire_put_member_text(w, "BulkOperationArn", task_arn(c, t));
    wire_put_member_word(w, "BulkOperationStatus", task_statuses[t->status]);
    wire_put_member_text(w, "ClientToken", t->token);
    task_put_asked(w, request, "InputS3Configuration");
    task_put_asked(w, request, "OutputS3Configuration");
    task_put_asked(w, request, "MaxWriteRequestUnits");
    wire_put_member_text(w, "PerformanceTier", tier ? wire_text(tier) : SPAN_LIT("STANDARD"));
    wire_open_member(w, "TableDetails", '[');
    wire_open(w, '{');
    wire_put_member_text(w, "TableName", t->table);
    wire_put_member_text(w, "TableId", t->table_id);
    wire_close(w, '}');
    wire_close(w, ']');
    put_progress(w, t);
    wire_close(w, '}');
    return NULL;
}

static void put_summary(struct call *c, const struct task *t)
{
    struct wire_writer *w = &c->reply;

    wire_put_member_text(w, "BulkOperationArn", task_arn(c, t));
    wire_put_member_word(w, "BulkOperationStatus", task_statuses[t->status]);
    wire_put_set_time(w, "StartTime", t->created_ms);
    wire_put_set_time(w, "EndTime", t->ended_ms);
}

/* --- describing, listing and cancelling ------------------------------------------------------- */

static const struct error *describe_bulk_operation(struct call *c)
{
    struct task t = {.kind = TASK_BULK_PUT};
    const struct error *e = find_bulk_put(c, &t);

    return e ? e : put_description(c, &t);
}

const struct op op_describe_bulk_operation = {
    .name = "DescribeBulkOperation",
    .members = WIRE_MEMBERS({"BulkOperationArn", &task_arn_shape, WIRE_REQUIRED}),
    .run = describe_bulk_operation,
};

/* Lists the operations of the last ninety days. */
static bool is_listed(struct call *c, const struct task *t)
{
    return t->created_ms + LIMIT_BULK_LISTED_MS > clock_now_ms(c->clock);
}

static const struct error *list_bulk_operations(struct call *c)
{
    return task_put_page(
        c, &(struct task_page){
               .kind = TASK_BULK_PUT,
               .member = "BulkOperationsSummaryList",
               .limit = wire_integer(wire_get(c->body, "MaxResults"), LIMIT_BULK_PAGE),
               .shows = is_listed,
               .put = put_summary,
           });
}

static const struct op_paging paging = {
    "NextToken", "NextToken", "MaxResults", {"BulkOperationsSummaryList"}, NULL};

const struct op op_list_bulk_operations = {
    .name = "ListBulkOperations",
    .paging = &paging,
    .members = WIRE_MEMBERS({"MaxResults", WIRE_SHAPE(WIRE_INTEGER, WIRE_AT_LEAST(1)), 0},
                            {"NextToken", &wire_string, 0}),
    .run = list_bulk_operations,
};

/* Items that were put stay. An operation that has ended does not change. */
static const struct error *cancel_bulk_operation(struct call *c)
{
    struct task t = {.kind = TASK_BULK_PUT};
    const struct error *e = find_bulk_put(c, &t);

    if (e)
        return e;
    if (!task_has_ended(&t)) {
        t.status = TASK_CANCELLING;
        op_wake(c, WAKE_TRANSFER, clock_now_ms(c->clock));
        if ((e = task_keep(c, &t)))
            return e;
    }
    wire_put_member_text(&c->reply, "BulkOperationArn", task_arn(c, &t));
    wire_put_member_word(&c->reply, "BulkOperationStatus", task_statuses[t.status]);
    return NULL;
}

const struct op op_cancel_bulk_operation = {
    .name = "CancelBulkOperation",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"BulkOperationArn", &task_arn_shape, WIRE_REQUIRED}),
    .run = cancel_bulk_operation,
};

/* --- a new bulk put --------------------------------------------------------------------------- */

static const struct wire_shape input_shape = WIRE_STRUCT_OF(
    "InputS3Configuration", {"S3Bucket", &transfer_shapes_bucket, WIRE_REQUIRED},
    {"InputFormat", WIRE_SHAPE(WIRE_STRING, .values = NAMES("DYNAMODB_JSON", "ION")),
     WIRE_REQUIRED},
    {"S3BucketOwner", &transfer_shapes_bucket_owner, 0},
    {"S3KeyPrefix", &transfer_shapes_prefix, 0},
    {"InputCompressionType", &transfer_shapes_compression, 0});

static const struct wire_shape output_shape = WIRE_STRUCT_OF(
    "OutputS3Configuration",
    {"OutputType",
     WIRE_SHAPE(
         WIRE_LIST,
         .element = WIRE_SHAPE(WIRE_STRING, .values = NAMES("ERROR", "CONDITION_CHECK_FAILURE")),
         WIRE_AT_LEAST(1)),
     WIRE_REQUIRED},
    {"S3Bucket", &transfer_shapes_bucket, 0}, {"S3BucketOwner", &transfer_shapes_bucket_owner, 0},
    {"S3KeyPrefix", &transfer_shapes_prefix, 0}, {"S3SseAlgorithm", &transfer_shapes_encryption, 0},
    {"S3SseKmsKeyId", &transfer_shapes_kms_key, 0});

static const struct error *begin_bulk_put(struct call *c, struct task *task)
{
    const struct table *t;
    const struct error *e;
    int64_t open;

    if ((e = table_state_find(c, &t)))
        return e;
    /* The table must be ACTIVE, or UPDATING by a change that does not touch its items. It must not
     * be a global table, nor become one or have just left a group. */
    if (t->restore.source_arn.len)
        return table_state_being_used(c, t->name);
    if ((e = table_state_check_there(c, t)))
        return e;
    if (table_replicas_any(t))
        return error_parameter(c->arena, "Bulk put operations are not supported for global tables");
    for (size_t i = 0; i < t->index_count; i++)
        if (t->indexes[i].status == STATUS_CREATING)
            return table_state_in_use(c, "Table is being updated: %.*s", SPAN_ARG(t->name));
    if ((e = task_count_open(c, TASK_BULK_PUT, &open)))
        return e;
    if (open >= LIMIT_TASKS_OPEN)
        return error_new(c->arena, ERROR_LIMIT_EXCEEDED,
                         "Too many concurrent bulk operations: the limit is %d", LIMIT_TASKS_OPEN);
    *task = (struct task){
        .kind = TASK_BULK_PUT, .table = t->name, .table_id = t->uuid, .file = task_random_name(c)};
    return task_begin(c, task);
}

static const struct error *start_bulk_put(struct call *c)
{
    struct task task;
    const struct error *e;
    bool found, same;
    const wire_node *output = wire_get(c->body, "OutputS3Configuration");

    if (!wire_get(output, "S3Bucket"))
        return error_validation(
            c->arena, "1 validation error detected: Value null at 'outputS3Configuration.s3Bucket' "
                      "failed to satisfy constraint: Member must not be null");
    if (wire_get(output, "S3SseKmsKeyId") &&
        !span_is(wire_text(wire_get(output, "S3SseAlgorithm")), "KMS"))
        return error_validation(
            c->arena, "Invalid Request: KMS Key Id is not supported for this encryption type");
    if ((e = task_find_token(c, TASK_BULK_PUT, &task, &found, &same)))
        return e;
    if (found && !same)
        return error_new(
            c->arena, ERROR_IDEMPOTENT_MISMATCH,
            "Bulk operation conflict: Duplicate request detected with conflicting parameters");
    if (!found && (e = begin_bulk_put(c, &task)))
        return e;
    return put_description(c, &task);
}

const struct op op_start_bulk_put_items = {
    .name = "StartBulkPutItems",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"TableName", &wire_table_name, 0}, {"InputS3Configuration", &input_shape, WIRE_REQUIRED},
        {"OutputS3Configuration", &output_shape, WIRE_REQUIRED},
        {"ClientToken", &task_token_shape, 0},
        {"MaxWriteRequestUnits", WIRE_SHAPE(WIRE_LONG, WIRE_AT_LEAST(LIMIT_BULK_UNITS)), 0},
        {"PerformanceTier", WIRE_SHAPE(WIRE_STRING, .values = NAMES("STANDARD", "ACCELERATED")),
         0}),
    .precheck = table_name_required,
    .run = start_bulk_put,
};
