/* op_export.c: the operations on exports. */
#include "base/date.h"
#include "ops/backup/recovery.h"
#include "ops/table/table_name.h"
#include "ops/table/table_state.h"
#include "ops/transfer/export_filter.h"
#include "ops/transfer/export_run.h"
#include "ops/transfer/export_state.h"
#include "ops/transfer/transfer_shapes.h"

/* --- answers ---------------------------------------------------------------------------------- */

static void put_word(struct wire_writer *w, const char *name, const wire_node *request,
                     const char *default_word)
{
    const wire_node *asked = wire_get(request, name);

    wire_put_member_text(w, name, asked ? wire_text(asked) : span_of(default_word));
}

static void put_window(struct wire_writer *w, const struct task *t, const wire_node *request)
{
    const wire_node *window = wire_get(request, "IncrementalExportSpecification");

    if (!window)
        return;
    wire_open_member(w, "IncrementalExportSpecification", '{');
    wire_put_set_time(w, "ExportFromTime", t->from_ms);
    wire_put_set_time(w, "ExportToTime", t->moment_ms);
    put_word(w, "ExportViewType", window, "NEW_AND_OLD_IMAGES");
    wire_close(w, '}');
}

static const struct error *put_description(struct call *c, const struct task *t)
{
    struct wire_writer *w = &c->reply;
    const wire_node *request;
    const struct error *e = task_request(c, t, &request);

    if (e)
        return e;
    wire_open_member(w, "ExportDescription", '{');
    wire_put_member_text(w, "ExportArn", task_arn(c, t));
    wire_put_member_word(w, "ExportStatus", task_statuses[t->status]);
    wire_put_set_time(w, "StartTime", t->created_ms);
    wire_put_set_time(w, "EndTime", t->ended_ms);
    if (t->status == TASK_COMPLETED) {
        wire_put_member_text(w, "ExportManifest", export_run_manifest(c, t, request));
        wire_put_member_integer(w, "BilledSizeBytes", t->bytes);
        wire_put_member_integer(w, "ItemCount", t->items);
    }
    wire_put_set_text(w, "FailureCode", t->failure_code);
    wire_put_set_text(w, "FailureMessage", t->failure_message);
    wire_put_member_text(w, "TableArn", table_arn(c, t->table, "", (struct span){NULL, 0}));
    wire_put_member_text(w, "TableId", t->table_id);
    if (!t->from_ms)
        wire_put_set_time(w, "ExportTime", t->moment_ms);
    wire_put_member_text(w, "ClientToken", t->token);
    task_put_asked(w, request, "S3Bucket");
    task_put_asked(w, request, "S3BucketOwner");
    task_put_asked(w, request, "S3Prefix");
    put_word(w, "S3SseAlgorithm", request, "AES256");
    task_put_asked(w, request, "S3SseKmsKeyId");
    put_word(w, "ExportFormat", request, "DYNAMODB_JSON");
    task_put_asked(w, request, "ExportType");
    put_window(w, t, request);
    task_put_asked(w, request, "FilterSpecification");
    wire_close(w, '}');
    return NULL;
}

static void put_summary(struct call *c, const struct task *t)
{
    struct wire_writer *w = &c->reply;

    wire_put_member_text(w, "ExportArn", task_arn(c, t));
    wire_put_member_word(w, "ExportStatus", task_statuses[t->status]);
    wire_put_member_word(w, "ExportType", t->from_ms ? "INCREMENTAL_EXPORT" : "FULL_EXPORT");
}

/* --- describing and listing ------------------------------------------------------------------- */

static const struct error *describe_export(struct call *c)
{
    struct span text = wire_text(wire_get(c->body, "ExportArn"));
    struct task place, t;
    const struct error *e;
    struct arn arn;
    bool found;

    if (!task_parse_arn(TASK_EXPORT, text, &arn, &place))
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_ARN_KIND, .place = text,
                      .beside = SPAN_LIT("arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/export/ID")),
            "Invalid Export ARN");
    if (!span_equal(arn.region, op_region(c)) || !span_equal(arn.account, c->settings->account))
        return error_new(c->arena, ERROR_EXPORT_NOT_FOUND, "Export not found: Invalid export arn");
    if ((e = task_find(c, &place, &t, &found)))
        return e;
    if (!found)
        return error_new(c->arena, ERROR_EXPORT_NOT_FOUND,
                         "Export not found: Export not found: %.*s", SPAN_ARG(text));
    return put_description(c, &t);
}

const struct op op_describe_export = {
    .name = "DescribeExport",
    .members = WIRE_MEMBERS({"ExportArn", &task_arn_shape, WIRE_REQUIRED}),
    .run = describe_export,
};

/* Exports of a deleted table are not listed. */
static bool is_listed(struct call *c, const struct task *t)
{
    const struct table *table = op_region_table(c, t->table);

    return table && span_equal(table->uuid, t->table_id);
}

static const struct error *list_exports(struct call *c)
{
    return task_put_page(
        c, &(struct task_page){
               .kind = TASK_EXPORT,
               .member = "ExportSummaries",
               .limit = wire_integer(wire_get(c->body, "MaxResults"), LIMIT_TASKS_PAGE),
               .by_table = true,
               .shows = is_listed,
               .put = put_summary,
           });
}

const struct op op_list_exports = {
    .name = "ListExports",
    .members = WIRE_MEMBERS({"TableArn", &transfer_shapes_arn, 0},
                            {"MaxResults", &transfer_shapes_page, 0},
                            {"NextToken", &wire_string, 0}),
    .run = list_exports,
};

/* --- a new export ----------------------------------------------------------------------------- */

static const struct wire_shape type = {.type = WIRE_STRING,
                                       .values = NAMES("FULL_EXPORT", "INCREMENTAL_EXPORT")};
static const struct wire_shape window_shape = WIRE_STRUCT_OF(
    "IncrementalExportSpecification", {"ExportFromTime", &wire_timestamp, 0},
    {"ExportToTime", &wire_timestamp, 0},
    {"ExportViewType", WIRE_SHAPE(WIRE_STRING, .values = NAMES("NEW_IMAGE", "NEW_AND_OLD_IMAGES")),
     0});

static const struct error *invalid_request(struct call *c, const char *text)
{
    return error_validation(c->arena, "Invalid Request: %s", text);
}

static const struct error *check_type(struct call *c)
{
    const wire_node *window = wire_get(c->body, "IncrementalExportSpecification");
    struct span asked = wire_text(wire_get(c->body, "ExportType"));

    if (span_is(asked, "INCREMENTAL_EXPORT")) {
        if (!window)
            return invalid_request(c, "Incremental Export Specification expected when export type "
                                      "is set as Incremental Export");
        return wire_get(window, "ExportFromTime")
                   ? NULL
                   : invalid_request(
                         c, "ExportFromTime must be provided in IncrementalExportSpecification");
    }
    if (!window)
        return NULL;
    if (asked.at)
        return invalid_request(c, "When Export Type is Full Export , Incremental Export "
                                  "Specification should not be provided");
    return invalid_request(c, "Export Type expected to be Incremental Export when incremental "
                              "export specification is provided");
}

/* --- the table and the moment ----------------------------------------------------------------- */

static const struct error *find_table(struct call *c, const struct arn *arn,
                                      const struct table **out)
{
    const struct error *e = table_state_look_up(c, arn->table, out);

    if (e)
        return e;
    if (!*out || (*out)->status == STATUS_CREATING || !task_is_here(c, arn)) {
        struct span text = wire_text(wire_get(c->body, "TableArn"));

        e = error_new(c->arena, ERROR_TABLE_NOT_FOUND, "Table not found: %.*s", SPAN_ARG(text));
        return !task_is_here(c, arn)
                   ? table_name_arn_fault(c, e, text)
                   : error_because(c->arena, e, ERROR_WHY(CAUSE_NO_TABLE, .operand = arn->table));
    }
    if (!(*out)->recovery.space)
        return error_caused(c->arena, ERROR_RECOVERY_UNAVAILABLE,
                            ERROR_WHY(CAUSE_NO_RECOVERY, .operand = arn->table),
                            "Point in time recovery is not enabled for table '%.*s'",
                            SPAN_ARG(arn->table));
    return NULL;
}

static const struct error *too_early(struct call *c)
{
    return error_new(c->arena, ERROR_EXPORT_TIME,
                     "Point in Time Recovery is not available for specified export time");
}

static const struct error *read_moment(struct call *c, const struct table *t, struct task *task)
{
    int64_t now = clock_now_ms(c->clock);

    task->moment_ms = wire_time(wire_get(c->body, "ExportTime"), now);
    if (task->moment_ms > now)
        return error_new(c->arena, ERROR_EXPORT_TIME, "Export Time is invalid");
    return task->moment_ms < recovery_window(c, t).earliest_ms ? too_early(c) : NULL;
}

static const struct error *check_window(struct call *c, const struct table *t,
                                        const struct task *task)
{
    int64_t now = clock_now_ms(c->clock), length = task->moment_ms - task->from_ms;

    if (length < LIMIT_EXPORT_WINDOW_MIN_MS)
        return error_validation(c->arena, "Difference between export period from time and export "
                                          "period to time is less than 15 minutes");
    if (length > LIMIT_EXPORT_WINDOW_MS)
        return error_validation(c->arena, "Difference between export period from time and export "
                                          "period to time is greater than 24 hours");
    if (task->from_ms < t->created_ms)
        return error_validation(
            c->arena,
            "Incremental export period from time cannot be less than the table creation time : %s",
            date_extended(c->arena, t->created_ms));
    if (task->moment_ms > now)
        return error_validation(
            c->arena,
            "Incremental export period to time cannot be greater than the current time : %s",
            date_extended(c->arena, now));
    return task->from_ms < recovery_window(c, t).earliest_ms ? too_early(c) : NULL;
}

static const struct error *read_window(struct call *c, const struct table *t,
                                       const wire_node *window, struct task *task)
{
    task->from_ms = wire_time(wire_get(window, "ExportFromTime"), 0);
    task->moment_ms = wire_time(wire_get(window, "ExportToTime"), clock_now_ms(c->clock));
    return check_window(c, t, task);
}

/* --- the export ------------------------------------------------------------------------------- */

static const struct error *begin_export(struct call *c, const struct table *t, struct task *task)
{
    const wire_node *window = wire_get(c->body, "IncrementalExportSpecification");
    const wire_node *filter = wire_get(c->body, "FilterSpecification");
    struct read_page page;
    const struct error *e;
    int64_t open;

    if ((e = window ? read_window(c, t, window, task) : read_moment(c, t, task)) ||
        (filter && (e = export_filter_read(c, filter, t->name, &page))) ||
        (e = task_count_open(c, TASK_EXPORT, &open)))
        return e;
    if (open >= LIMIT_TASKS_OPEN)
        return error_new(c->arena, ERROR_LIMIT_EXCEEDED,
                         "Too many concurrent exports: the limit is %d", LIMIT_TASKS_OPEN);
    task->table = t->name;
    task->table_id = t->uuid;
    task->source = schema_encode(c->arena, t);
    task->file = task_random_name(c);
    if ((e = export_state_begin(c, t, task->moment_ms == clock_now_ms(c->clock) && !window, task)))
        return e;
    return task_begin(c, task);
}

static const struct error *export_table(struct call *c)
{
    struct task task = {.kind = TASK_EXPORT};
    const struct table *t;
    const struct error *e;
    struct arn arn;
    bool found, same;

    if ((e = task_read_table(c, &arn)) || (e = check_type(c)))
        return e;
    if (wire_get(c->body, "S3SseKmsKeyId") &&
        !span_is(wire_text(wire_get(c->body, "S3SseAlgorithm")), "KMS"))
        return invalid_request(c, "KMS Key Id is not supported for this encryption type");
    if ((e = task_find_token(c, TASK_EXPORT, &task, &found, &same)))
        return e;
    if (found && !same)
        return error_new(c->arena, ERROR_EXPORT_CONFLICT,
                         "Export conflict: Duplicate request detected with conflicting parameters");
    if (!found && ((e = find_table(c, &arn, &t)) || (e = begin_export(c, t, &task))))
        return e;
    return put_description(c, &task);
}

const struct op op_export_table_to_point_in_time = {
    .name = "ExportTableToPointInTime",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"TableArn", &transfer_shapes_arn, WIRE_REQUIRED}, {"ExportTime", &wire_timestamp, 0},
        {"ClientToken", &task_token_shape, 0}, {"S3Bucket", &transfer_shapes_bucket, WIRE_REQUIRED},
        {"S3BucketOwner", &transfer_shapes_bucket_owner, 0},
        {"S3Prefix", &transfer_shapes_prefix, 0},
        {"S3SseAlgorithm", &transfer_shapes_encryption, 0},
        {"S3SseKmsKeyId", &transfer_shapes_kms_key, 0},
        {"ExportFormat", WIRE_SHAPE(WIRE_STRING, .values = NAMES("DYNAMODB_JSON", "ION")), 0},
        {"ExportType", &type, 0}, {"IncrementalExportSpecification", &window_shape, 0},
        {"FilterSpecification", &export_filter_shape, 0}),
    .run = export_table,
};
