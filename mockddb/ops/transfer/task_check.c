#include "ops/transfer/task_check.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "ops/table/op_create_table.h"

#define NUMBER_LEN 8

/* Above all moments and all counts; sums of a few do not overflow. */
#define NUMBER_MOST (INT64_C(1) << 53)

static bool has_sound_numbers(const struct task *t)
{
    const int64_t numbers[] = {t->created_ms, t->ended_ms,  t->ready_ms,    t->items,
                               t->bytes,      t->imported,  t->faults,      t->refused,
                               t->objects,    t->from_ms,   t->input_bytes, t->moment_ms,
                               t->records,    t->put_bytes, t->report_bytes};

    for (size_t i = 0; i < COUNT(numbers); i++)
        if (numbers[i] < 0 || numbers[i] > NUMBER_MOST)
            return false;
    for (size_t i = 0; i < t->usage_count; i++)
        if (t->usage[i].bytes < 0 || t->usage[i].bytes > NUMBER_MOST)
            return false;
    return true;
}

/* Moment and suffix find a task. With others, each slice would be stored as another task. */
static bool is_at_its_place(const struct task *t, const struct store_row *row)
{
    struct span place = span_from(row->key, KEY_SPACE_LEN);

    return place.len == NUMBER_LEN + t->suffix.len &&
           span_big_endian((struct span){place.at, NUMBER_LEN}) == (uint64_t)t->created_ms &&
           span_equal(span_from(place, NUMBER_LEN), t->suffix);
}

/* The request is read again by each slice, as the operation has checked it. */
static bool has_sound_request(struct call *c, const struct task *t)
{
    static const struct span operations[TASK_KIND_COUNT] = {
        [TASK_EXPORT] = SPAN_LIT_INIT("ExportTableToPointInTime"),
        [TASK_IMPORT] = SPAN_LIT_INIT("ImportTable"),
        [TASK_BULK_PUT] = SPAN_LIT_INIT("StartBulkPutItems"),
    };
    const struct op *op = op_find(OP_DYNAMODB, operations[t->kind]);
    const wire_node *request;
    struct table_spec spec;

    if (wire_parse(c->arena, t->request, &request) ||
        wire_check_types(c->arena, op->members, request))
        return false;
    if (task_has_ended(t)) /* it is only shown: an older release may have checked less */
        return true;
    if (wire_check_members(c->arena, op->members, request))
        return false;
    spec = table_spec_read_import(c->arena, wire_get(request, "TableCreationParameters"));
    return t->kind != TASK_IMPORT || !op_create_table_check(c, &spec);
}

/* Whether a running task has what its slices work with. */
static bool has_sound_work(struct call *c, const struct task *t, const struct table **source)
{
    if (t->kind != TASK_EXPORT)
        return (t->space || !t->listed) && utf8_valid(t->object);
    return t->space && t->table_space && t->log_space && t->log_end.len &&
           (*source = schema_decode(c->arena, t->source)) &&
           span_equal((*source)->name, t->table) && span_equal((*source)->region, t->region) &&
           span_equal((*source)->uuid, t->table_id);
}

bool task_check_row(struct call *c, const struct store_row *row, struct task *out,
                    const struct table **source)
{
    *source = NULL;
    return task_decode(c, row, out) && has_sound_numbers(out) && names_is_name(out->table) &&
           (!out->region.len || names_match_pattern(out->region)) && out->suffix.len &&
           span_is_all(out->suffix, ascii_is_letter_or_digit) &&
           span_is_all(out->aside, ascii_is_letter_or_digit) &&
           span_is_all(out->file, ascii_is_letter_or_digit) &&
           (out->kind == TASK_IMPORT || out->file.len) && is_at_its_place(out, row) &&
           has_sound_request(c, out) && (task_has_ended(out) || has_sound_work(c, out, source));
}
