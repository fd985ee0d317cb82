#include "journal/journal_show.h"

#include "journal/journal_mask.h"
#include "ops/op_subject.h"

#define MAX_PARTS 25 /* at most this many parts of a batch or transaction are shown */

static const char *const expressions[] = {
    "KeyConditionExpression", "FilterExpression", "ProjectionExpression",
    "ConditionExpression",    "UpdateExpression", NULL,
};

struct showing {
    struct arena *arena;
    const struct journal_options *options;
    const struct journal_entry *entry;
    const wire_node *body; /* of the request; NULL: it is not JSON, or was not kept */
    struct wire_writer w;
};

static const char *units_text(struct arena *a, double units)
{
    return arena_printf(a, "%.15g", units);
}

static void put_number(struct showing *s, const char *name, double number)
{
    wire_put_member_raw(&s->w, name, span_of(units_text(s->arena, number)));
}

/* --- the request ------------------------------------------------------------------------------ */

/* Whether the attribute belongs to the key of that table, if the key is known. */
static bool is_key(const struct journal_entry *e, struct span table, struct span attribute)
{
    struct journal_account_view account;
    size_t at = 0;

    while (journal_entry_account(e, &at, &account)) {
        struct span name;

        while (span_equal(account.name, table) && journal_entry_key(&account.keys, &name))
            if (span_equal(name, attribute))
                return true;
    }
    return false;
}

static void put_expressions(struct showing *s, const wire_node *entry)
{
    struct span statement = wire_text(wire_get(entry, "Statement"));

    wire_open_member(&s->w, "expressions", '{');
    for (size_t i = 0; expressions[i]; i++) {
        struct span text = wire_text(wire_get(entry, expressions[i]));

        if (text.at)
            wire_put_member_text(&s->w, expressions[i],
                                 journal_mask_expression(s->arena, s->options, entry, text));
    }
    if (statement.at)
        wire_put_member_text(&s->w, "Statement",
                             journal_mask_statement(s->arena, s->options, entry, statement));
    wire_close(&s->w, '}');
}

static void put_subject(struct showing *s, const struct op_subject *subject)
{
    wire_put_member_text(&s->w, "table", subject->table);
    wire_put_set_text(&s->w, "index", subject->index);
    if (subject->key) {
        /* The key of an item. */
        wire_open_member(&s->w, "key", '{');
        for (const wire_node *m = wire_first(subject->key); m; m = wire_next(m)) {
            if (subject->is_item && !is_key(s->entry, subject->table, wire_name(m)))
                continue;
            wire_key_span(&s->w, wire_name(m));
            if (journal_mask_has(s->options, wire_name(m)))
                wire_put_text(&s->w, SPAN_LIT(JOURNAL_MASKED));
            else
                journal_mask_put(&s->w, s->options, m);
        }
        wire_close(&s->w, '}');
    }
    put_expressions(s, subject->entry);
}

/* Nothing is shown of a request whose signature was refused or whose body was not JSON. */
static void put_request(struct showing *s)
{
    struct op_subjects subjects;

    if (!s->entry->op || error_is_at_the_door(s->entry->error) || !s->body)
        return;
    subjects = op_subject_all(s->arena, s->body);
    if (!subjects.len) {
        put_expressions(s, s->body);
        return;
    }
    if (subjects.len == 1 && subjects.at[0].entry == s->body) {
        put_subject(s, subjects.at);
        return;
    }
    wire_put_member_text(&s->w, "table", subjects.at[0].table);
    wire_put_member_integer(&s->w, "part_count", (int64_t)subjects.len);
    wire_open_member(&s->w, "parts", '[');
    for (size_t i = 0; i < subjects.len && i < MAX_PARTS; i++) {
        wire_open(&s->w, '{');
        put_subject(s, &subjects.at[i]);
        wire_close(&s->w, '}');
    }
    wire_close(&s->w, ']');
}

/* --- its cost --------------------------------------------------------------------------------- */

static void put_account(struct showing *s, struct journal_account_view *account)
{
    struct journal_index_view index;

    wire_open(&s->w, '{');
    wire_put_member_text(&s->w, "table", account->name);
    wire_put_member_word(&s->w, "kind", account->account.writes ? "write" : "read");
    put_number(s, "table_units", account->account.table_units);
    if (account->indexes.len) {
        wire_open_member(&s->w, "index_units", '{');
        while (journal_entry_index(&account->indexes, &index)) {
            wire_key_span(&s->w, index.name);
            wire_put_raw(&s->w, span_of(units_text(s->arena, index.units)));
        }
        wire_close(&s->w, '}');
    }
    wire_close(&s->w, '}');
}

static void put_cost(struct showing *s)
{
    const struct journal_entry *e = s->entry;
    struct journal_account_view account;
    size_t at = 0;

    put_number(s, "read_units", e->read_units);
    put_number(s, "write_units", e->write_units);
    wire_open_member(&s->w, "consumed", '[');
    while (journal_entry_account(e, &at, &account))
        put_account(s, &account);
    wire_close(&s->w, ']');
    wire_put_member_integer(&s->w, "items_read", (int64_t)e->items_read);
    wire_put_member_integer(&s->w, "items_returned", (int64_t)e->items_returned);
    wire_put_member_integer(&s->w, "pages", (int64_t)e->pages);
    wire_put_member_integer(&s->w, "unprocessed", (int64_t)e->unprocessed);
}

/* --- its pattern ------------------------------------------------------------------------------ */

static void put_pattern(struct showing *s)
{
    const struct catalogue *c = s->options->catalogue;
    const struct journal_entry *e = s->entry;

    if (e->steps[0])
        wire_put_member_word(&s->w, "pattern", catalogue_at(c, e->steps[0] - 1u)->pattern->name);
    if (e->answer)
        wire_put_member_word(&s->w, "hint", catalogue_at(c, e->answer - 1u)->hint);
}

/* --- its result ------------------------------------------------------------------------------- */

/* The words before the part of the header that a message for an incomplete signature repeats. */
static const struct span repeats[] = {
    SPAN_LIT_INIT("Authorization="),
    SPAN_LIT_INIT("'algorithm': '"),
    SPAN_LIT_INIT("got '"),
    SPAN_LIT_INIT("Got '"),
};

/* A message for an incomplete signature up to what it repeats of the header. */
static struct span without_header(struct arena *a, struct span text)
{
    for (size_t at = 0; at < text.len; at++)
        for (size_t i = 0; i < COUNT(repeats); i++) {
            size_t end = at + repeats[i].len;

            if (end <= text.len && memcmp(text.at + at, repeats[i].at, repeats[i].len) == 0)
                return span_of(arena_printf(a, "%.*s" JOURNAL_MASKED, (int)end, text.at));
        }
    return text;
}

/* Messages may repeat values. */
static bool shows_message(const struct showing *s)
{
    if (s->entry->cut && s->options->mask_count)
        return false;
    return !s->body || !journal_mask_meets(s->options, s->body);
}

static void put_end(struct showing *s)
{
    const struct journal_entry *e = s->entry;

    if (e->error != ERROR_NONE) {
        wire_put_member_word(&s->w, "error", error_name(e->error));
        wire_put_member_text(&s->w, "message",
                             !shows_message(s) ? SPAN_LIT(JOURNAL_MASKED)
                             : e->error == ERROR_INCOMPLETE_SIGNATURE
                                 ? without_header(s->arena, journal_entry_message(e))
                                 : journal_entry_message(e));
    }
    if (e->rule)
        wire_put_member_integer(&s->w, "fault", (int64_t)e->rule);
    if (e->delay_ms > 0)
        wire_put_member_integer(&s->w, "delayed_ms", e->delay_ms);
    if (e->cut)
        wire_put_member_bool(&s->w, "shortened", true);
}

void journal_show(struct arena *a, const struct journal *j, struct span world,
                  const struct journal_entry *e, bool whole, struct buf *out)
{
    struct showing s = {
        .arena = a, .options = journal_options_of(j), .entry = e, .w = {.out = out}};
    size_t from = out->len;

    if (!e->body_len || wire_parse(a, journal_entry_body(e), &s.body))
        s.body = NULL;
    wire_open(&s.w, '{');
    wire_put_member_integer(&s.w, "id", (int64_t)e->id);
    wire_put_member_word(&s.w, "time", arena_printf(a, "%sZ", clock_iso_time(a, e->began_ms)));
    wire_put_member_integer(&s.w, "took_us", e->took_us);
    wire_put_member_text(&s.w, "world", world);
    wire_put_member_word(&s.w, "operation", e->op ? e->op->name : "");
    wire_put_set_text(&s.w, "client", journal_entry_client(e));
    wire_put_member_integer(&s.w, "status", e->status);
    put_request(&s);
    /* The request as it was sent, unless a part of it is masked or was not kept. */
    if (whole && s.entry->op && s.body && !s.entry->cut && !journal_mask_meets(s.options, s.body))
        wire_put_member_raw(&s.w, "request", wire_raw(s.body));
    put_cost(&s);
    put_pattern(&s);
    put_end(&s);
    wire_close(&s.w, '}');
    /* Blanks between the parts of a request may contain line breaks. */
    for (size_t i = from; i < out->len; i++)
        if (out->at[i] == '\n' || out->at[i] == '\r')
            out->at[i] = ' ';
}

/* --- filters ---------------------------------------------------------------------------------- */

/* Whether the table is one of the request's tables. */
static bool names_table(struct arena *a, const struct journal_entry *e, struct span table)
{
    struct journal_account_view account;
    size_t at = 0;

    if (!e->account_count) {
        struct op_subjects subjects;
        const wire_node *body;

        /* A request that was refused early has its table's name only in its body. */
        if (!e->op || error_is_at_the_door(e->error) || !e->body_len ||
            wire_parse(a, journal_entry_body(e), &body))
            return false;
        subjects = op_subject_all(a, body);
        for (size_t i = 0; i < subjects.len; i++)
            if (span_equal(subjects.at[i].table, table))
                return true;
        return false;
    }
    while (journal_entry_account(e, &at, &account))
        if (span_equal(account.name, table))
            return true;
    return false;
}

bool journal_show_is_error(struct span name)
{
    if (span_is(name, "any") || span_is(name, "none"))
        return true;
    for (int kind = ERROR_NONE + 1; kind < ERROR_KIND_COUNT; kind++)
        if (span_is(name, error_name((enum error_kind)kind)))
            return true;
    return false;
}

static bool is_error(const struct journal_entry *e, struct span wanted)
{
    if (span_is(wanted, "any"))
        return e->error != ERROR_NONE;
    if (span_is(wanted, "none"))
        return e->error == ERROR_NONE;
    return e->error != ERROR_NONE && span_is(wanted, error_name(e->error));
}

bool journal_show_takes(struct arena *a, const struct journal_filter *f,
                        const struct journal_entry *e)
{
    return (!f->operation.len || (e->op && span_is(f->operation, e->op->name))) &&
           (!f->table.len || names_table(a, e, f->table)) &&
           (!f->error.len || is_error(e, f->error)) && e->began_ms >= f->since_ms &&
           e->read_units + e->write_units >= f->min_units;
}
