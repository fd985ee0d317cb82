#include "ops/transfer/import_describe.h"

#include "ops/op_region.h"

static void put_log_group(struct call *c)
{
    wire_put_member_text(
        &c->reply, "CloudWatchLogGroupArn",
        span_of(arena_printf(c->arena, "arn:aws:logs:%.*s:%.*s:log-group:/aws-dynamodb/imports:*",
                             SPAN_ARG(op_region(c)), SPAN_ARG(c->settings->account))));
}

/* The owner is the caller unless the request names another. */
static void put_source(struct call *c, const wire_node *source)
{
    struct wire_writer *w = &c->reply;
    struct span owner = wire_text(wire_get(source, "S3BucketOwner"));

    wire_open_member(w, "S3BucketSource", '{');
    wire_put_member_text(w, "S3BucketOwner", owner.at ? owner : c->settings->account);
    task_put_asked(w, source, "S3Bucket");
    task_put_asked(w, source, "S3KeyPrefix");
    wire_close(w, '}');
}

static void put_times(struct wire_writer *w, const struct task *t)
{
    wire_put_set_time(w, "StartTime", t->created_ms);
    wire_put_set_time(w, "EndTime", t->ended_ms);
}

const struct error *import_describe(struct call *c, const struct task *t)
{
    struct wire_writer *w = &c->reply;
    const wire_node *request, *packing;
    const struct error *e = task_request(c, t, &request);

    if (e)
        return e;
    packing = wire_get(request, "InputCompressionType");
    wire_open_member(w, "ImportTableDescription", '{');
    wire_put_member_text(w, "ImportArn", task_arn(c, t));
    wire_put_member_word(w, "ImportStatus", task_statuses[t->status]);
    wire_put_member_text(w, "TableArn", table_arn(c, t->table, "", (struct span){NULL, 0}));
    wire_put_member_text(w, "TableId", t->table_id);
    wire_put_member_text(w, "ClientToken", t->token);
    put_source(c, wire_get(request, "S3BucketSource"));
    wire_put_member_integer(w, "ErrorCount", t->faults);
    put_log_group(c);
    task_put_asked(w, request, "InputFormat");
    task_put_asked(w, request, "InputFormatOptions");
    wire_put_member_text(w, "InputCompressionType",
                         packing ? wire_text(packing) : SPAN_LIT("NONE"));
    task_put_asked(w, request, "TableCreationParameters");
    put_times(w, t);
    if (task_has_ended(t)) /* captured: absent at first, like EndTime */
        wire_put_member_integer(w, "ProcessedSizeBytes", t->bytes);
    wire_put_member_integer(w, "ProcessedItemCount", t->items);
    wire_put_member_integer(w, "ImportedItemCount", t->imported);
    wire_put_set_text(w, "FailureCode", t->failure_code);
    wire_put_set_text(w, "FailureMessage", t->failure_message);
    wire_close(w, '}');
    return NULL;
}

void import_describe_summary(struct call *c, const struct task *t)
{
    struct wire_writer *w = &c->reply;
    const wire_node *request = NULL;

    if (task_request(c, t, &request))
        return;
    wire_put_member_text(w, "ImportArn", task_arn(c, t));
    wire_put_member_word(w, "ImportStatus", task_statuses[t->status]);
    wire_put_member_text(w, "TableArn", table_arn(c, t->table, "", (struct span){NULL, 0}));
    put_source(c, wire_get(request, "S3BucketSource"));
    put_log_group(c);
    task_put_asked(w, request, "InputFormat");
    put_times(w, t);
}
