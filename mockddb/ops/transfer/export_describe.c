#include "ops/transfer/export_describe.h"

#include "ops/transfer/export_run.h"

static void put_word(struct wire_writer *w, const char *name, const wire_node *request,
                     const char *otherwise)
{
    const wire_node *asked = wire_get(request, name);

    wire_put_member_text(w, name, asked ? wire_text(asked) : span_of(otherwise));
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

static void put_end(struct call *c, const struct task *t, const wire_node *request)
{
    struct wire_writer *w = &c->reply;

    wire_put_set_time(w, "EndTime", t->ended_ms);
    if (t->status == TASK_COMPLETED) {
        wire_put_member_text(w, "ExportManifest", export_run_manifest(c, t, request));
        wire_put_member_integer(w, "BilledSizeBytes", t->bytes);
        wire_put_member_integer(w, "ItemCount", t->items);
    }
    wire_put_set_text(w, "FailureCode", t->failure_code);
    wire_put_set_text(w, "FailureMessage", t->failure_message);
}

const struct error *export_describe(struct call *c, const struct task *t)
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
    put_end(c, t, request);
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

void export_describe_summary(struct call *c, const struct task *t)
{
    struct wire_writer *w = &c->reply;

    wire_put_member_text(w, "ExportArn", task_arn(c, t));
    wire_put_member_word(w, "ExportStatus", task_statuses[t->status]);
    wire_put_member_word(w, "ExportType", t->from_ms ? "INCREMENTAL_EXPORT" : "FULL_EXPORT");
}
