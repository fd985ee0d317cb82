#include "explain/explain_trial.h"

#include "base/ascii.h"
#include "base/dashed.h"
#include "model/item_codec.h"
#include "model/limits.h"
#include "ops/pace.h"
#include "wire/wire_node.h"
#include "wire/wire_print.h"

/* What one trial may take: a page of 1 MB fits. */
#define TRIAL_BYTES  ((size_t)16 << 20)
#define TRIAL_STEPS  1000000
#define STEPS_PER_US 25 /* roughly: steps of a Scan, the dearest read, in a microsecond */

#define ANSWER_BYTES ((size_t)512 << 10) /* of replies that are kept */

/* --- making requests -------------------------------------------------------------------------- */

/* `text` with `to` for each `from`. */
static struct span replaced(struct inquiry *q, struct span text, struct span from, struct span to)
{
    struct buf out = buf_in(q->arena);

    while (from.len && text.len >= from.len) {
        if (span_starts_with(text, from)) {
            buf_add_span(&out, to);
            text = span_from(text, from.len);
        } else {
            buf_add_char(&out, *text.at);
            text = span_from(text, 1);
        }
    }
    buf_add_span(&out, text);
    return buf_span(&out);
}

static struct span json_of(struct inquiry *q, const struct attr *value)
{
    struct buf out = buf_in(q->arena);

    attr_encode(&out, value);
    return buf_span(&out);
}

/* As a literal of PartiQL, within a JSON string. */
static struct span literal_of(struct inquiry *q, const struct attr *value)
{
    struct buf out = buf_in(q->arena);
    struct span text = explain_trial_json_text(q, value->bytes);

    if (value->type == ATTR_BOOL)
        return value->boolean ? SPAN_LIT("true") : SPAN_LIT("false");
    if (value->type == ATTR_N)
        return value->bytes;
    if (value->type != ATTR_S) /* it has no literal that could be looked for */
        return (struct span){"", 0};
    buf_add_char(&out, '\'');
    buf_add(&out, text.at + 1, text.len - 2);
    buf_add_char(&out, '\'');
    return buf_span(&out);
}

struct span explain_trial_with_values(struct inquiry *q, const struct attr *from,
                                      const struct attr *to, size_t count)
{
    struct buf body = buf_in(q->arena);
    struct span mended;

    wire_print_json(&body, q->call.body);
    mended = buf_span(&body);
    for (size_t i = 0; i < count; i++) {
        mended = replaced(q, mended, json_of(q, &from[i]), json_of(q, &to[i]));
        if (wire_get(q->call.body, "Statement"))
            mended = replaced(q, mended, literal_of(q, &from[i]), literal_of(q, &to[i]));
    }
    return mended;
}

struct span explain_trial_with_value(struct inquiry *q, const struct attr *from,
                                     const struct attr *to)
{
    return explain_trial_with_values(q, from, to, 1);
}

static const struct trial_member *member_of(const struct trial_member *members, size_t count,
                                            struct span name)
{
    for (size_t i = 0; i < count; i++)
        if (span_is(name, members[i].name))
            return &members[i];
    return NULL;
}

struct span explain_trial_with_members(struct inquiry *q, const struct trial_member *members,
                                       size_t count)
{
    struct buf out = buf_in(q->arena);
    struct wire_writer w = {&out, false};

    wire_open(&w, '{');
    for (const wire_node *n = wire_first(q->call.body); n; n = wire_next(n)) {
        struct buf json = buf_in(q->arena);

        if (member_of(members, count, wire_name(n)))
            continue;
        wire_print_json(&json, n);
        wire_key_span(&w, wire_name(n));
        wire_put_raw(&w, buf_span(&json));
    }
    for (size_t i = 0; i < count; i++) {
        if (!members[i].json.len)
            continue;
        wire_put_member_raw(&w, members[i].name, members[i].json);
    }
    wire_close(&w, '}');
    return buf_span(&out);
}

struct span explain_trial_with_part(struct inquiry *q, struct span text, struct span part,
                                    struct span to)
{
    struct buf out = buf_in(q->arena);

    buf_add(&out, text.at, (size_t)(part.at - text.at));
    buf_add_span(&out, to);
    buf_add_span(&out, span_behind(text, part));
    return buf_span(&out);
}

struct span explain_trial_json_text(struct inquiry *q, struct span text)
{
    struct buf out = buf_in(q->arena);

    buf_add_json_string(&out, text);
    return buf_span(&out);
}

struct span explain_trial_json_item(struct inquiry *q, const struct item *it)
{
    struct buf out = buf_in(q->arena);

    item_encode(&out, it);
    return buf_span(&out);
}

/* --- commands --------------------------------------------------------------------------------- */

static bool is_plain(struct span text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (!c || (!ascii_is_letter(c) && !ascii_is_digit(c) && !strchr("_.-/:", c)))
            return false;
    }
    return text.len > 0;
}

/* As a word of a shell. */
static void add_word(struct buf *out, struct span text)
{
    if (is_plain(text)) {
        buf_add_span(out, text);
        return;
    }
    buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\'')
            buf_add_text(out, "'\\''");
        else
            buf_add_char(out, text.at[i]);
    }
    buf_add_char(out, '\'');
}

static void add_option(struct inquiry *q, struct buf *out, const wire_node *n)
{
    struct buf json = buf_in(q->arena);
    bool is_no = wire_is_boolean(n) && !wire_bool(n, false);

    buf_add_text(out, is_no ? " --no-" : " --");
    dashed_add(out, wire_name(n));
    if (wire_is_boolean(n))
        return;
    buf_add_char(out, ' ');
    if (wire_is_string(n)) {
        add_word(out, wire_text(n));
        return;
    }
    wire_print_json(&json, n);
    add_word(out, buf_span(&json));
}

static struct span command_of(struct inquiry *q, const char *operation, struct span body)
{
    struct buf out = buf_in(q->arena);
    const wire_node *root;

    if (wire_parse(q->arena, body, &root))
        return (struct span){"", 0};
    buf_add_text(&out, "aws dynamodb ");
    dashed_add(&out, span_of(operation));
    for (const wire_node *n = wire_first(root); n; n = wire_next(n))
        add_option(q, &out, n);
    return buf_span(&out);
}

/* --- trying them ------------------------------------------------------------------------------ */

bool explain_trial_was_cut(struct inquiry *q, const struct call_record *record)
{
    int64_t limit = wire_integer(wire_get(record->body, "Limit"), 0);
    size_t bytes = 0, read = 0;
    const wire_node *reply;

    for (const struct capacity *used = record->accounts; used; used = used->next) {
        bytes += used->bytes_read;
        read += used->items_read;
    }
    if (record->error || bytes >= LIMIT_PAGE_BYTES || (limit && read >= (size_t)limit) ||
        wire_parse(q->arena, record->reply, &reply))
        return false;
    return wire_get(reply, "LastEvaluatedKey") || wire_get(reply, "NextToken") ||
           wire_count(wire_get(reply, "UnprocessedKeys"));
}

struct trial {
    struct observer observer; /* first: the record's way back */
    struct inquiry *q;
    bool cut;
    size_t count;
    double units;
    int64_t steps;
};

static void finished(struct observer *self, const struct call_record *record)
{
    struct trial *t = (struct trial *)(void *)self;

    t->steps = record->steps;
    t->cut = explain_trial_was_cut(t->q, record);
    for (const struct capacity *used = record->accounts; used; used = used->next) {
        t->count += used->items_returned;
        t->units += capacity_total(used);
    }
}

void explain_trial_bound(struct inquiry *q)
{
    int64_t left_us = q->until_us - clock_work_us();
    int64_t steps = (left_us > 0 ? left_us : 0) * STEPS_PER_US + PACE_STEPS_TO_END;

    q->trial_budget = (struct dispatch_budget){
        .work = {.bytes = TRIAL_BYTES, .steps = steps < TRIAL_STEPS ? steps : TRIAL_STEPS},
        .reply_bytes = TRIAL_BYTES,
    };
}

static struct dispatcher *trials_of(struct inquiry *q)
{
    struct dispatch_parts parts = *q->parts;

    explain_trial_bound(q);
    if (q->trials)
        return q->trials;
    q->trial_memory = dispatch_memory_new();
    parts.memory = q->trial_memory;
    parts.settings = q->call.settings; /* read-only */
    parts.budget = &q->trial_budget;
    q->trials = dispatch_new(&parts);
    return q->trials;
}

struct proposal explain_trial_untried(struct inquiry *q, const char *operation, struct span body)
{
    return (struct proposal){.command = command_of(q, operation, body)};
}

bool explain_trial_propose(struct inquiry *q, const char *operation, struct span body,
                           struct proposal *out)
{
    struct trial t = {.observer = {.finished = finished}, .q = q};
    struct dispatcher *d = trials_of(q);
    struct request request = {
        .target = dispatch_target(q->arena, span_of(operation)),
        .body = body,
        .region = q->call.region,
    };
    struct reply reply;

    if (!inquiry_pause(q))
        return false;
    dispatch_observe(d, &t.observer);
    dispatch(d, &request, &reply);
    dispatch_unobserve(d, &t.observer);
    inquiry_go_on(q);
    if (t.cut)
        return false;
    if (reply.status != 200 || !t.count) {
        if (out == &q->proposal && !q->next_operation && t.steps < q->trial_budget.work.steps) {
            q->next_operation = operation;
            q->next_body = body;
        }
        return false;
    }
    *out = explain_trial_untried(q, operation, body);
    out->count = t.count;
    out->units = t.units;
    if (reply.body.len <= ANSWER_BYTES)
        out->answer = arena_span(q->arena, reply.body);
    out->gives = span_of(arena_printf(
        q->arena, "gives %s%s%s", inquiry_count(q, t.count, "item"), t.units > 0 ? ", " : "",
        t.units > 0 ? inquiry_units_words(q, t.units) : "")); /* a search is paid by bytes */
    return true;
}

void explain_trial_propose_members(struct inquiry *q, const struct trial_member *members,
                                   size_t count)
{
    (void)explain_trial_propose(q, q->call.op->name, explain_trial_with_members(q, members, count),
                                &q->proposal);
}

void explain_trial_propose_value(struct inquiry *q, const struct attr *from, const struct attr *to)
{
    (void)explain_trial_propose(q, q->call.op->name, explain_trial_with_value(q, from, to),
                                &q->proposal);
}
