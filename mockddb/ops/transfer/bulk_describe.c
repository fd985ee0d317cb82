#include "ops/transfer/bulk_describe.h"

#include "ops/op_region.h"
#include "ops/transfer/bulk_usage.h"

const struct error *bulk_describe_find(struct call *c, struct task *out)
{
    struct span text = wire_text(wire_get(c->body, "BulkOperationArn"));
    const struct error *e = NULL;
    struct task place;
    struct arn arn;
    bool found = false;

    if (!task_parse_arn(TASK_BULK_PUT, text, &arn, &place))
        return error_validation(c->arena, "Invalid Bulk Operation ARN");
    if (span_equal(arn.region, op_region(c)) && span_equal(arn.account, c->settings->account))
        e = task_find(c, &place, out, &found);
    if (e || found)
        return e;
    return error_new(c->arena, ERROR_RESOURCE_NOT_FOUND,
                     "Requested resource not found: Bulk operation: %.*s not found",
                     SPAN_ARG(text));
}

static void put_tables(struct wire_writer *w, const struct task *t)
{
    wire_open_member(w, "TableDetails", '[');
    wire_open(w, '{');
    wire_put_member_text(w, "TableName", t->table);
    wire_put_member_text(w, "TableId", t->table_id);
    wire_close(w, '}');
    wire_close(w, ']');
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
    bulk_usage_put(w, t);
    wire_put_set_text(w, "FailureCode", t->failure_code);
    wire_put_set_text(w, "FailureMessage", t->failure_message);
}

const struct error *bulk_describe(struct call *c, const struct task *t)
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
    put_tables(w, t);
    put_progress(w, t);
    wire_close(w, '}');
    return NULL;
}

void bulk_describe_summary(struct call *c, const struct task *t)
{
    struct wire_writer *w = &c->reply;

    wire_put_member_text(w, "BulkOperationArn", task_arn(c, t));
    wire_put_member_word(w, "BulkOperationStatus", task_statuses[t->status]);
    wire_put_set_time(w, "StartTime", t->created_ms);
    wire_put_set_time(w, "EndTime", t->ended_ms);
}
