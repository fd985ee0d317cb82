#include "ops/transfer/bulk_run.h"

#include "model/item_codec.h"
#include "ops/change.h"
#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_region.h"
#include "ops/op_wake.h"
#include "ops/op_write.h"
#include "ops/transfer/bulk_report.h"
#include "ops/transfer/bulk_usage.h"

/* A slice ends at either limit, after about two milliseconds. */
#define SLICE_RECORDS 120
#define SLICE_BYTES   ((size_t)256 * 1024)

static const struct op_styles styles = {
    .expressions = {{.name = "ConditionExpression", .takes_values = true}},
};

struct bulk_slice {
    struct call *call;
    struct task *task;
    const wire_node *request;
    const struct table *table;
};

/* --- the end of a bulk put -------------------------------------------------------------------- */

static const struct error *drop_spaces(struct call *c, struct task *t)
{
    uint32_t list = t->space, reports = t->reports;
    const struct error *e;

    t->space = t->reports = 0;
    if (list && (e = op_wake_drop_space(c, list)))
        return e;
    return reports ? op_wake_drop_space(c, reports) : NULL;
}

static const struct error *fail_put(struct call *c, struct task *t, const char *code,
                                    const char *message)
{
    const struct error *e = drop_spaces(c, t);

    return e ? e : task_fail(c, t, code, message);
}

static const struct error *finish_put(struct call *c, struct task *t)
{
    bool cancelled = t->status == TASK_CANCELLING;
    const struct error *e = drop_spaces(c, t);

    if (e)
        return e;
    if (cancelled)
        t->failure_code = SPAN_LIT("Cancelled");
    return task_end(c, t,
                    cancelled   ? TASK_CANCELLED
                    : t->faults ? TASK_COMPLETED_WITH_ERRORS
                                : TASK_COMPLETED);
}

static const struct error *write_reports(struct bulk_slice *s)
{
    struct bucket_failure why;
    const struct error *e;
    bool more;

    if ((e = bulk_report_write(s->call, s->task, s->request, &more, &why)))
        return e;
    if (why.code)
        return fail_put(s->call, s->task, why.code, why.message);
    return more ? task_keep(s->call, s->task) : finish_put(s->call, s->task);
}

/* --- reports ---------------------------------------------------------------------------------- */

static const struct error *note_fault(struct bulk_slice *s, const struct input_record *in,
                                      size_t line, struct span text)
{
    struct buf out = buf_in(s->call->arena);
    struct wire_writer w = {.out = &out};

    s->task->faults++;
    wire_open(&w, '{');
    wire_put_member_text(&w, "S3Key", in->object);
    wire_put_member_integer(&w, "Line", (int64_t)line);
    wire_put_member_word(&w, "ErrorCode", "ValidationException");
    wire_put_member_text(&w, "ErrorMessage", text);
    if (in->record.json.len)
        wire_put_member_raw(&w, "Item", in->record.json);
    wire_close(&w, '}');
    return bulk_report_add(s->call, s->task, s->request, BULK_ERRORS, buf_span(&out));
}

static const struct error *note_refused(struct bulk_slice *s, const struct item *it,
                                        const struct change *ch)
{
    struct buf out = buf_in(s->call->arena);
    struct wire_writer w = {.out = &out};

    s->task->refused++;
    wire_open(&w, '{');
    wire_key(&w, "Item");
    wire_put_item(&w, it);
    if (ch->old.found)
        wire_put_member_raw(&w, "ExistingItem", ch->old.body);
    wire_close(&w, '}');
    return bulk_report_add(s->call, s->task, s->request, BULK_CONDITIONS, buf_span(&out));
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
static const struct error *check_record(struct bulk_slice *s, const struct transfer_record *record,
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

static const struct error *put_record(struct bulk_slice *s, struct input_record *in)
{
    const struct item *it = &in->record.item;
    struct expr_cond *cond = NULL;
    struct change ch;
    const struct error *e = check_record(s, &in->record, &cond);

    if (e)
        return note_fault(s, in, in->record.line, e->message);
    if ((e = change_begin(s->call, s->table, it, &ch)))
        return e;
    if (cond && !expr_matches(cond, change_old(s->call, &ch)))
        return note_refused(s, it, &ch);
    s->task->imported++;
    bulk_usage_add(s->call, s->task, s->table, it);
    return change_put(s->call, &ch, it, NULL);
}

static const struct error *put_records(struct bulk_slice *s, const struct input_source *source,
                                       struct input_run **run)
{
    enum input_reading what = INPUT_ITEM;
    struct input_record in;
    const struct error *e;
    size_t bytes = 0;

    for (int i = 0; i < SLICE_RECORDS && bytes < SLICE_BYTES && what != INPUT_PAUSE; i++) {
        in.record.json = (struct span){NULL, 0};
        if ((e = input_run_next(s->call, s->task, source, run, &in, &what)))
            return e;
        if (what == INPUT_END) {
            s->task->read = true;
            s->task->bytes = s->task->input_bytes;
            break;
        }
        s->task->items += what != INPUT_PAUSE;
        bytes += input_run_record_len(&in, what);
        if (what == INPUT_ITEM) {
            e = put_record(s, &in);
        } else if (what != INPUT_PAUSE) {
            e = note_fault(s, &in, in.fault.line, in.fault.text);
        }
        if (e)
            return e;
    }
    return task_keep(s->call, s->task);
}

/* --- slices ----------------------------------------------------------------------------------- */

static const struct error *list_objects(struct bulk_slice *s, const struct input_source *source,
                                        struct input_run **run)
{
    struct bucket_failure why = buckets_check(
        s->call, wire_text(wire_get(wire_get(s->request, "OutputS3Configuration"), "S3Bucket")));
    const struct error *e;

    if (!why.code && (e = input_run_list(s->call, s->task, source, run, &why)))
        return e;
    return why.code ? fail_put(s->call, s->task, why.code, why.message)
                    : task_keep(s->call, s->task);
}

const struct error *bulk_run_step(struct call *c, struct task *t, struct input_run **run)
{
    struct bulk_slice s = {.call = c, .task = t};
    struct input_source source;
    const wire_node *input;
    const struct error *e;

    if ((e = task_request(c, t, &s.request)))
        return e;
    input = wire_get(s.request, "InputS3Configuration");
    source = input_run_source(input, wire_get(input, "InputCompressionType"),
                              wire_get(input, "InputFormat"));
    source.options.key = clock_hash_key(c->clock);
    source.options.has_conditions = true;
    if (t->read || (t->status == TASK_CANCELLING && t->listed))
        return write_reports(&s);
    if (t->status == TASK_CANCELLING)
        return finish_put(c, t);
    if (!t->listed)
        return list_objects(&s, &source, run);
    s.table = op_region_table(c, t->table);
    if (!s.table || !span_equal(s.table->uuid, t->table_id) || s.table->status == STATUS_DELETING)
        return fail_put(c, t, "UNKNOWN", "The table was deleted");
    return put_records(&s, &source, run);
}
