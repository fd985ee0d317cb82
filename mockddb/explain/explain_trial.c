#include "explain/explain_trial.h"

#include "base/ascii.h"
#include "base/dashed.h"
#include "base/fold.h"
#include "base/quoted.h"
#include "explain/explain_cause.h"
#include "explain/explain_entry.h"
#include "explain/say.h"
#include "expr/expr_reserved.h"
#include "model/item_codec.h"
#include "model/limits.h"
#include "ops/pace.h"
#include "wire/wire_node.h"
#include "wire/wire_print.h"

/* What one trial may take: a page of 1 MB fits. */
#define TRIAL_BYTES  ((size_t)16 << 20)
#define TRIAL_STEPS  1000000
#define QUICK_STEPS  32000 /* of a read that only has to give something: below a millisecond */
#define STEPS_PER_US 25    /* roughly: steps of a Scan, the dearest read, in a microsecond */

#define ANSWER_BYTES ((size_t)512 << 10) /* of replies that are kept */

/* --- making requests -------------------------------------------------------------------------- */

/* `text` with `to` for each `from`. */
static struct span replace_all(struct inquiry *q, struct span text, struct span from,
                               struct span to)
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

/* The whole request with this JSON for the entry that is looked at. */
static struct span with_entry(struct inquiry *q, struct span json)
{
    if (q->entry == q->call.body)
        return json;
    return explain_trial_with_part(q, wire_raw(q->call.body), wire_raw(q->entry), json);
}

static struct span print_node(struct inquiry *q, const wire_node *node)
{
    struct buf json = buf_in(q->arena);

    wire_print_json(&json, node);
    return buf_span(&json);
}

struct span explain_trial_with_values(struct inquiry *q, const struct attr *from,
                                      const struct attr *to, size_t count)
{
    struct span mended = print_node(q, q->entry);

    for (size_t i = 0; i < count; i++) {
        mended = replace_all(q, mended, json_of(q, &from[i]), json_of(q, &to[i]));
        if (wire_get(q->entry, "Statement"))
            mended = replace_all(q, mended, literal_of(q, &from[i]), literal_of(q, &to[i]));
    }
    return with_entry(q, mended);
}

struct span explain_trial_with_members(struct inquiry *q, const wire_node *of,
                                       const struct trial_member *members, size_t count)
{
    struct buf out = buf_in(q->arena);
    struct wire_writer w = {&out, false};

    wire_open(&w, '{');
    for (const wire_node *n = wire_first(of); n; n = wire_next(n)) {
        size_t i = 0;

        while (i < count && !span_is(wire_name(n), members[i].name))
            i++;
        if (i < count)
            continue;
        wire_key_span(&w, wire_name(n));
        wire_put_raw(&w, print_node(q, n));
    }
    for (size_t i = 0; i < count; i++) {
        if (members[i].text.at)
            wire_put_member_text(&w, members[i].name, members[i].text);
        else if (members[i].json.len)
            wire_put_member_raw(&w, members[i].name, members[i].json);
    }
    wire_close(&w, '}');
    return of ? with_entry(q, buf_span(&out)) : buf_span(&out);
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

static bool is_plain(char c)
{
    return ascii_is_letter_or_digit(c) || ascii_is_one_of(c, "_.-/:");
}

/* As a word of a shell. */
static void add_word(struct buf *out, struct span text)
{
    if (text.len && span_is_all(text, is_plain))
        buf_add_span(out, text);
    else
        quoted_add_single(out, text);
}

static void add_option(struct inquiry *q, struct buf *out, const wire_node *n)
{
    bool is_no = wire_is_boolean(n) && !wire_bool(n, false);

    buf_add_text(out, is_no ? " --no-" : " --");
    dashed_add(out, wire_name(n));
    if (wire_is_boolean(n))
        return;
    buf_add_char(out, ' ');
    add_word(out, wire_is_string(n) ? wire_text(n) : print_node(q, n));
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
    struct inquiry_use use = inquiry_used(record);

    return !record->error && use.bytes < LIMIT_PAGE_BYTES &&
           !(limit && use.read >= (size_t)limit) && inquiry_has_more(q, record->reply);
}

/* Operations on items alone: what they write is undone with their unit. */
#define TRIED                                                                             \
    (OP_PUT | OP_UPDATE | OP_DELETE | OP_BATCH_WRITE | OP_TRANSACT_WRITE | OP_STATEMENT | \
     OP_TRANSACT_STATEMENT)

struct trial {
    struct observer observer; /* first: the record's way back */
    struct inquiry *q;
    bool was_quick, cut; /* quick: it may take QUICK_STEPS; cut: the page ended by that */
    size_t count;
    double units;
    int64_t steps;
};

static void trial_finished(struct observer *self, const struct call_record *record)
{
    struct trial *t = (struct trial *)(void *)self;

    t->steps = record->steps;
    t->cut = explain_trial_was_cut(t->q, record);
    t->count = inquiry_used(record).returned;
    t->units = inquiry_used(record).units;
}

/* Undoes what a trial has written. */
struct undo {
    struct fault_point point; /* first: the hook's way back */
    bool wrote;
};

static const struct error *undo_writes(struct fault_point *self, struct call *c)
{
    struct undo *undo = (struct undo *)(void *)self;

    if (!unit_writes(c->unit))
        return NULL;
    undo->wrote = true;
    return error_of(c->arena, ERROR_INTERNAL, SPAN_LIT("a trial is undone"));
}

static void bound_trial(struct inquiry *q, int64_t most)
{
    int64_t left_us = q->until_us - clock_work_us();
    int64_t steps = (left_us > 0 ? left_us : 0) * STEPS_PER_US;

    q->trial_budget = (struct dispatch_budget){
        .work = {.bytes = TRIAL_BYTES, .steps = (steps < most ? steps : most) + PACE_STEPS_TO_END},
        .reply_bytes = TRIAL_BYTES,
    };
}

void explain_trial_bound(struct inquiry *q)
{
    bound_trial(q, TRIAL_STEPS);
}

static struct dispatcher *trials_of(struct inquiry *q)
{
    struct dispatch_parts parts = *q->parts;
    struct undo *undo;

    if (q->trials)
        return q->trials;
    undo = arena_alloc(q->arena, sizeof *undo);
    *undo = (struct undo){.point = {.after = undo_writes}};
    q->undo = &undo->point;
    q->trial_memory = dispatch_memory_new();
    parts.memory = q->trial_memory;
    parts.budget = &q->trial_budget;
    q->trials = dispatch_new(&parts);
    dispatch_set_faults(q->trials, q->undo);
    return q->trials;
}

/* Whether a request writes: of statements, whether the first one is no SELECT. */
static bool is_write(struct inquiry *q, const struct op *op, struct span body)
{
    const wire_node *root, *first;
    struct span text;

    if (op->access != OP_MAY_WRITE || wire_parse(q->arena, body, &root))
        return op->access == OP_WRITES;
    first = wire_first(wire_get(root, "TransactStatements"));
    text = fold_trimmed(wire_text(wire_get(first ? first : root, "Statement")));
    text.len = text.len < strlen("select") ? text.len : strlen("select");
    return text.len && !span_is(inquiry_lower(q, text), "select");
}

struct request explain_trial_request(struct inquiry *q, const char *operation, struct span body)
{
    const struct op *op = op_find(OP_DYNAMODB, span_of(operation));

    return (struct request){
        .target = dispatch_target(q->arena, span_of(operation)),
        .body = body,
        .region = q->call.region,
        .host = q->call.host,
        /* Those of the call are read-only. */
        .settings = is_write(q, op, body) ? q->parts->settings : q->call.settings,
    };
}

/* What a trial gave. */
static const char *given_words(struct inquiry *q, const struct trial *t, bool wrote)
{
    struct word items = say_count(t->count, "item");

    if (wrote)
        return "is accepted";
    if (t->cut)
        return say_text(q, "gives % or more", items);
    if (t->units > 0)
        return say_text(q, "gives %, % unit%", items, t->units, t->units == 1 ? "" : "s");
    return say_text(q, "gives %", items); /* a search is paid by bytes */
}

bool explain_trial_propose(struct inquiry *q, const char *operation, struct span body,
                           struct proposal *out)
{
    const struct op *op = op_find(OP_DYNAMODB, span_of(operation));
    /* Of a correction it is enough that it gives something; a hint is compared with the request. */
    bool is_quick = out == &q->proposal && !is_write(q, op, body);
    struct trial t;
    struct dispatcher *d = trials_of(q);
    struct request request = explain_trial_request(q, operation, body);
    struct undo *undo = (struct undo *)(void *)q->undo;
    uint64_t numbers = store_last_number(q->call.store);
    struct reply reply;

    if (q->no_trials)
        return false;
    if (op->access == OP_WRITES && !(op->form & TRIED)) {
        *out = (struct proposal){.command = command_of(q, operation, body)};
        return true;
    }
    do {
        if (!inquiry_pause(q))
            return false;
        bound_trial(q, is_quick ? QUICK_STEPS : TRIAL_STEPS);
        t = (struct trial){.observer = {.finished = trial_finished}, .q = q, .was_quick = is_quick};
        is_quick = false;
        undo->wrote = false;
        request.observer = &t.observer;
        dispatch(d, &request, &reply);
        store_return_numbers(q->call.store, numbers);
        inquiry_go_on(q);
    } while (t.was_quick && t.cut && !t.count);
    if (t.cut && !t.was_quick)
        return false;
    if (!undo->wrote && (reply.status != 200 || !t.count)) {
        if (out == &q->proposal && !q->next_operation && t.steps < q->trial_budget.work.steps) {
            q->next_operation = operation;
            q->next_body = body;
        }
        return false;
    }
    *out = (struct proposal){
        .command = command_of(q, operation, body),
        .count = t.count,
        .units = t.units,
        .gives = span_of(given_words(q, &t, undo->wrote)),
    };
    if (!undo->wrote && !t.cut && reply.body.len <= ANSWER_BYTES)
        out->answer = arena_span(q->arena, reply.body);
    return true;
}

void explain_trial_propose_members(struct inquiry *q, const struct trial_member *members,
                                   size_t count)
{
    (void)explain_trial_propose(
        q, q->call.op->name, explain_trial_with_members(q, q->entry, members, count), &q->proposal);
}

void explain_trial_propose_text(struct inquiry *q, const char *member, struct span text)
{
    explain_trial_propose_with(q, TRIAL_TEXT(member, text));
}

void explain_trial_propose_values(struct inquiry *q, const struct attr *from, const struct attr *to,
                                  size_t count)
{
    /* In a write, equal values may be about different things. */
    for (size_t i = 0; i < count && q->call.op->access == OP_WRITES; i++) {
        struct span json = json_of(q, &from[i]), text = print_node(q, q->entry);
        size_t times = 0;

        for (; text.len >= json.len; text = span_from(text, 1))
            times += span_starts_with(text, json);
        if (times != 1)
            return;
    }
    (void)explain_trial_propose(q, q->call.op->name, explain_trial_with_values(q, from, to, count),
                                &q->proposal);
}

void explain_trial_propose_value(struct inquiry *q, const struct attr *from, const struct attr *to)
{
    explain_trial_propose_values(q, from, to, 1);
}

/* --- in other words ----------------------------------------------------------------------------
 */

/* Expressions under names of our own: #k0 = :k0. */
struct draft {
    struct inquiry *q;
    struct buf names, values; /* members of the two maps */
    size_t count;             /* placeholders */
};

/* The attribute's placeholder. */
static struct span add_name(struct draft *d, struct span name)
{
    say_add(&d->names, "%\"#k%\":%", d->names.len ? "," : "", d->count,
            explain_trial_json_text(d->q, name));
    return say_text_span(d->q, "#k%", d->count);
}

static const char *add_value(struct draft *d, const struct attr *value)
{
    struct buf json = buf_in(d->q->arena);

    attr_encode(&json, value);
    say_add(&d->values, "%\":k%\":%", d->values.len ? "," : "", d->count, buf_span(&json));
    return say_text(d->q, ":k%", d->count++);
}

static struct span add_clauses(struct draft *d, const struct expr_key *clauses)
{
    static const char *const forms[] = {
        [EXPR_EQ] = "%% = %",
        [EXPR_LT] = "%% < %",
        [EXPR_LE] = "%% <= %",
        [EXPR_GT] = "%% > %",
        [EXPR_GE] = "%% >= %",
        [EXPR_BETWEEN] = "%% BETWEEN %",
        [EXPR_BEGINS_WITH] = "%begins_with(%, %)",
    };
    struct buf text = buf_in(d->q->arena);

    for (size_t i = 0; i < clauses->len; i++) {
        const struct expr_key_clause *c = &clauses->at[i];
        struct span name = expr_is_reserved(c->attribute) ? add_name(d, c->attribute)
                                                          : c->attribute;

        say_add(&text, forms[c->op], i ? " AND " : "", name, add_value(d, &c->low));
        if (c->op == EXPR_BETWEEN)
            say_add(&text, " AND %", add_value(d, &c->high));
    }
    return buf_span(&text);
}

static struct span close_map(struct inquiry *q, struct buf *members)
{
    return members->len ? say_text_span(q, "{%}", buf_span(members)) : SPAN_LIT("");
}

struct span explain_draft_query(struct inquiry *q, const struct table *t, const struct index *ix,
                                const struct expr_key *key, const struct expr_key *filter,
                                const struct expr_projection *shown, bool instead)
{
    static const char *const replaced[] = {
        "Statement",     "Parameters",          "Segment",
        "TotalSegments", "ScanFilter",          "QueryFilter",
        "KeyConditions", "ConditionalOperator", "Limit",
    };
    struct draft d = {.q = q, .names = buf_in(q->arena), .values = buf_in(q->arena)};
    struct span index = ix ? ix->name : (struct span){NULL, 0};
    struct span condition = add_clauses(&d, key), filtered = add_clauses(&d, filter);
    struct trial_member members[7 + COUNT(replaced)];
    struct buf list = buf_in(q->arena);
    size_t count = 0;

    for (size_t i = 0; shown && i < shown->len; i++, d.count++)
        say_add(&list, "%%", i ? ", " : "", add_name(&d, shown->paths[i].at[0].name));
    members[count++] = TRIAL_TEXT("TableName", t->name);
    members[count++] = TRIAL_TEXT("IndexName", index);
    members[count++] = TRIAL_TEXT("KeyConditionExpression", condition);
    members[count++] = TRIAL_TEXT("FilterExpression", filtered);
    members[count++] = TRIAL_TEXT("ProjectionExpression", buf_span(&list));
    members[count++] = TRIAL_JSON("ExpressionAttributeNames", close_map(q, &d.names));
    members[count++] = TRIAL_JSON("ExpressionAttributeValues", close_map(q, &d.values));
    for (size_t i = 0; i < COUNT(replaced); i++)
        members[count++] = TRIAL_WITHOUT(replaced[i]);
    return explain_trial_with_members(q, instead ? q->entry : NULL, members, count);
}

void explain_draft_propose_query(struct inquiry *q, const struct table *t, const struct index *ix,
                                 const struct expr_key *key)
{
    static const struct expr_key none;

    (void)explain_trial_propose(q, "Query", explain_draft_query(q, t, ix, key, &none, NULL, false),
                                &q->proposal);
}

/* --- other names -------------------------------------------------------------------------------
 */

/* ExpressionAttributeNames with one name for another, and one more under #n if `more`; at NULL:
 * there is nothing to change. */
static struct span names_with(struct inquiry *q, struct span from, struct span to, bool more)
{
    const wire_node *names = wire_get(q->call.body, EXPLAIN_NAMES);
    struct span text = names ? print_node(q, names) : SPAN_LIT("{}");
    struct span name = explain_trial_json_text(q, to);
    struct span changed = replace_all(q, text,
                                      say_text_span(q, ":%", explain_trial_json_text(q, from)),
                                      say_text_span(q, ":%", name));

    if (!more)
        return span_equal(text, changed) ? (struct span){NULL, 0} : changed;
    changed.len--;
    return say_text_span(q, "%%\"#n\":%}", changed, changed.len > 1 ? "," : "", name);
}

void explain_draft_rename(struct inquiry *q, const char *parameter, struct span from,
                          struct span to)
{
    struct span text = wire_text(wire_get(q->call.body, parameter)), names;
    bool is_path = span_has(to, '.'), reserved = !is_path && expr_is_reserved(to);
    struct buf out = buf_in(q->arena);
    const char *done = text.at;

    for (struct token *t = explain_tokens(q, GRAMMAR_CONDITION, text); t->kind != TOKEN_END; t++) {
        if (t->kind != TOKEN_IDENTIFIER || !span_equal(t->text, from))
            continue;
        buf_add(&out, done, (size_t)(t->text.at - done));
        buf_add_span(&out, reserved ? SPAN_LIT("#n") : to);
        done = span_end(t->text);
    }
    if (!text.len || (is_path && done == text.at))
        return;
    names = names_with(q, from, to, reserved && done != text.at);
    buf_add(&out, done, (size_t)(span_end(text) - done));
    if (names.at)
        explain_trial_propose_with(q, TRIAL_TEXT(parameter, buf_span(&out)),
                                   TRIAL_JSON(EXPLAIN_NAMES, names));
    else
        explain_trial_propose_text(q, parameter, buf_span(&out));
}
