#include "ops/transfer/bulk_run.h"

#include "base/one_more.h"
#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_write.h"
#include "ops/transfer/bulk_report.h"

#define SLICE_RECORDS 120

static const struct op_styles styles = {
    .expressions = {{.name = "ConditionExpression", .takes_values = true}},
};

/* --- the end of a bulk put -------------------------------------------------------------------- */

static const struct error *finish_put(struct call *c, struct task *t)
{
    bool cancelled = t->status == TASK_CANCELLING;
    const struct error *e = input_run_drop(c, t);

    if (e)
        return e;
    if (cancelled)
        t->failure_code = SPAN_LIT("Cancelled");
    return task_end(c, t,
                    cancelled   ? TASK_CANCELLED
                    : t->faults ? TASK_COMPLETED_WITH_ERRORS
                                : TASK_COMPLETED);
}

static const struct error *write_reports(struct input_slice *s)
{
    struct bucket_failure why;
    const struct error *e;
    bool more;

    if ((e = bulk_report_write(s->call, s->task, s->request, &more, &why)))
        return e;
    if (why.code)
        return input_run_fail(s->call, s->task, why.code, why.message);
    return more ? task_keep(s->call, s->task) : finish_put(s->call, s->task);
}

/* --- reports ---------------------------------------------------------------------------------- */

static const struct error *note_fault(struct input_slice *s, struct input_record *in)
{
    struct buf out = buf_in(s->call->arena);
    struct wire_writer w = {.out = &out};

    s->task->faults++;
    wire_open(&w, '{');
    wire_put_member_text(&w, "S3Key", in->object);
    wire_put_member_integer(&w, "Line", (int64_t)in->fault.line);
    wire_put_member_word(&w, "ErrorCode", "ValidationException");
    wire_put_member_text(&w, "ErrorMessage", in->fault.text);
    if (in->record.json.len)
        wire_put_member_raw(&w, "Item", in->record.json);
    wire_close(&w, '}');
    return bulk_report_add(s->call, s->task, s->request, BULK_ERRORS, buf_span(&out));
}

/* --- usage ------------------------------------------------------------------------------------ */

/* Bytes of the item's entry in the index; 0 without an entry. */
static size_t entry_size(struct call *c, const struct table *table, const struct index *ix,
                         const struct item *it)
{
    struct buf key = buf_in(c->arena);
    struct item part;

    if (!key_of_entry(&key, table, ix, it))
        return 0;
    part = schema_project(c->arena, table, ix, it);
    return schema_entry_size(ix, &part);
}

static struct task_usage *usage_of(struct call *c, struct task *t, const struct index *ix)
{
    for (size_t i = 0; i < t->usage_count; i++)
        if (span_equal(t->usage[i].index, ix->name))
            return &t->usage[i];
    t->usage = one_more_exactly(c->arena, t->usage, t->usage_count, sizeof *t->usage);
    t->usage[t->usage_count] = (struct task_usage){.index = ix->name, .kind = schema_kind(ix)};
    return &t->usage[t->usage_count++];
}

/* --- items ------------------------------------------------------------------------------------ */

static const struct error *read_condition(struct call *c, struct expr_cond **cond)
{
    struct expr_vars vars;
    const struct error *e;

    if ((e = op_expression_check_styles(c, &styles, c->body)) ||
        (e = op_expression_read_vars(c, &styles, c->body, &vars)) ||
        (e = op_expression_read_condition(c, &vars, cond)))
        return e;
    return expr_check_unused(c->arena, &vars);
}

/* Checks the record as PutItem does. */
static const struct error *check_record(struct input_slice *s, const struct transfer_record *record,
                                        struct expr_cond **cond)
{
    struct call *c = s->call;
    const struct error *e;

    c->body = record->object;
    e = read_condition(c, cond);
    c->body = NULL;
    if (e || (e = op_write_check_size(c->arena, &record->item)) ||
        (e = key_check_item(c->arena, s->table, &record->item)) ||
        (e = op_write_check_indexes(c->arena, s->table, &record->item)))
        return e;
    return op_expression_check_condition(c, s->table, *cond);
}

static const struct error *put_record(struct input_slice *s, struct input_record *in)
{
    const struct item *it = &in->record.item;
    struct expr_cond *cond = NULL;
    struct change ch;
    const struct error *e = check_record(s, &in->record, &cond);

    if (e) {
        in->fault = (struct transfer_fault){.text = e->message, .line = in->record.line};
        return note_fault(s, in);
    }
    if ((e = change_begin(s->call, s->table, it, &ch)))
        return e;
    if (cond && !expr_matches(cond, change_old(s->call, &ch))) {
        struct buf out = buf_in(s->call->arena);
        struct wire_writer w = {.out = &out};

        s->task->refused++;
        wire_open(&w, '{');
        wire_key(&w, "Item");
        wire_put_item(&w, it);
        if (ch.old.found)
            wire_put_member_raw(&w, "ExistingItem", ch.old.body);
        wire_close(&w, '}');
        return bulk_report_add(s->call, s->task, s->request, BULK_CONDITIONS, buf_span(&out));
    }
    s->task->imported++;
    /* Counts the bytes of an item that was put: its size, and for an index entry the size of its
     * projected attributes. Source: API reference, BulkOperationUsage; docs/behaviour/transfer.md.
     */
    s->task->put_bytes += (int64_t)item_size(it);
    for (size_t i = 0; i < s->table->index_count; i++) {
        size_t bytes = entry_size(s->call, s->table, &s->table->indexes[i], it);

        if (bytes)
            usage_of(s->call, s->task, &s->table->indexes[i])->bytes += (int64_t)bytes;
    }
    return change_put(s->call, &ch, it, NULL);
}

static const struct error *end_records(struct input_slice *s)
{
    s->task->read = true;
    s->task->bytes = s->task->input_bytes;
    return task_keep(s->call, s->task);
}

/* --- slices ----------------------------------------------------------------------------------- */

const struct error *bulk_run_step(struct call *c, struct task *t, struct input_run **run)
{
    static const struct input_sink sink = {NULL, put_record, note_fault, end_records,
                                           SLICE_RECORDS};
    struct input_slice s = {.call = c, .task = t, .run = run};
    const wire_node *input;
    const struct error *e;

    if ((e = task_request(c, t, &s.request)))
        return e;
    if (t->read || (t->status == TASK_CANCELLING && t->listed))
        return write_reports(&s);
    if (t->status == TASK_CANCELLING)
        return finish_put(c, t);
    if (!t->listed) {
        const wire_node *output = wire_get(s.request, "OutputS3Configuration");
        struct bucket_failure why = buckets_check(c, wire_text(wire_get(output, "S3Bucket")));

        if (why.code)
            return input_run_fail(c, t, why.code, why.message);
    }
    input = wire_get(s.request, "InputS3Configuration");
    s.source = input_run_source(input, wire_get(input, "InputCompressionType"),
                                wire_get(input, "InputFormat"));
    s.source.options.key = clock_hash_key(c->clock);
    s.source.options.has_conditions = true;
    return input_run_step(&s, &sink);
}
