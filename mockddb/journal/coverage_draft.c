#include "journal/coverage_draft.h"

#include "journal/journal_mask.h"
#include "ops/op_subject.h"
#include "wire/wire_node.h"

struct drafting {
    struct arena *arena;
    const struct journal_options *options;
    const struct journal_entry *entry;
    struct span prefix; /* of the server's table names */
    bool masked;        /* an expression mentions a masked attribute: its values are not shown */
    bool later_page;    /* the request continued where another one ended */
    struct wire_writer *w;
};

/* --- the request ------------------------------------------------------------------------------ */

/* The table's name as files of patterns write it. */
static struct span bare_name(const struct drafting *d, struct span table)
{
    return span_starts_with(table, d->prefix) ? span_from(table, d->prefix.len) : table;
}

/* "prod-Jobs" in a statement becomes "{prefix}Jobs" in a file. */
static struct span statement_of(const struct drafting *d, struct span text)
{
    struct buf out = buf_in(d->arena);

    while (text.len) {
        bool quoted = text.at[0] == '"' && d->prefix.len &&
                      span_starts_with(span_from(text, 1), d->prefix);

        buf_add_char(&out, text.at[0]);
        text = span_from(text, 1);
        if (!quoted)
            continue;
        buf_add_text(&out, "{prefix}");
        text = span_from(text, d->prefix.len);
    }
    return buf_span(&out);
}

/* Values of placeholders; a value is hidden if it could belong to a masked attribute. */
static void put_values(const struct drafting *d, const wire_node *values)
{
    bool named = wire_is_object(values);

    if (!d->masked) {
        journal_mask_put(d->w, d->options, values);
        return;
    }
    wire_open(d->w, named ? '{' : '[');
    for (const wire_node *n = wire_first(values); n; n = wire_next(n)) {
        if (named)
            wire_key_span(d->w, wire_name(n));
        wire_put_raw(d->w, SPAN_LIT("{\"S\":\"" JOURNAL_MASKED "\"}"));
    }
    wire_close(d->w, named ? '}' : ']');
}

static void put_node(struct drafting *d, const wire_node *node);

static void put_object(struct drafting *d, const wire_node *object, bool keys_are_tables)
{
    static const char *const left_out[] = {"ReturnConsumedCapacity", "ExclusiveStartKey",
                                           "NextToken"};

    wire_open(d->w, '{');
    for (const wire_node *n = wire_first(object); n; n = wire_next(n)) {
        struct span name = wire_name(n);
        size_t i = 0;

        while (i < COUNT(left_out) && !span_is(name, left_out[i]))
            i++;
        d->later_page |= i == 1 || i == 2;
        if (i < COUNT(left_out))
            continue;
        wire_key_span(d->w, keys_are_tables ? bare_name(d, name) : name);
        if (journal_mask_has(d->options, name))
            wire_put_text(d->w, SPAN_LIT(JOURNAL_MASKED));
        else if (span_is(name, "TableName") && wire_is_string(n))
            wire_put_text(d->w, bare_name(d, wire_text(n)));
        else if (span_is(name, "Statement") && wire_is_string(n))
            wire_put_text(d->w,
                          d->masked ? SPAN_LIT(JOURNAL_MASKED) : statement_of(d, wire_text(n)));
        else if (span_is(name, "ExpressionAttributeValues") || span_is(name, "Parameters"))
            put_values(d, n);
        else if (span_is(name, "Item") || span_is(name, "Key") || wire_is_string(n))
            journal_mask_put(d->w, d->options, n);
        else if (span_is(name, "RequestItems"))
            put_object(d, n, true);
        else
            put_node(d, n);
    }
    wire_close(d->w, '}');
}

static void put_node(struct drafting *d, const wire_node *node)
{
    if (wire_is_object(node)) {
        put_object(d, node, false);
        return;
    }
    if (!wire_is_list(node)) {
        journal_mask_put(d->w, d->options, node);
        return;
    }
    wire_open(d->w, '[');
    for (const wire_node *n = wire_first(node); n; n = wire_next(n))
        put_node(d, n);
    wire_close(d->w, ']');
}

/* --- the result ------------------------------------------------------------------------------- */

static void put_expectation(const struct drafting *d)
{
    const struct journal_entry *e = d->entry;

    wire_open_member(d->w, "expect", '{');
    if (e->error != ERROR_NONE) {
        wire_put_member_word(d->w, "error", error_name(e->error));
    } else {
        wire_key(d->w, "count");
        if (e->op->access != OP_READS || d->later_page)
            wire_put_raw(d->w, SPAN_LIT("{\"min\":0}"));
        else
            wire_put_integer(d->w, (int64_t)e->items_returned);
    }
    wire_close(d->w, '}');
}

/* The indexes that were charged, or "table". */
static struct span charged_indexes(const struct drafting *d)
{
    struct journal_account_view account;
    struct buf out = buf_in(d->arena);
    struct journal_index_view index;
    size_t at = 0;

    while (journal_entry_account(d->entry, &at, &account))
        while (journal_entry_index(&account.indexes, &index)) {
            buf_add_text(&out, out.len ? ", " : "");
            buf_add_span(&out, index.name);
        }
    return out.len ? buf_span(&out) : SPAN_LIT("table");
}

static void put_cost(const struct drafting *d)
{
    const struct journal_entry *e = d->entry;

    if (e->error != ERROR_NONE || !e->pages || d->later_page || e->op->access != OP_READS)
        return;
    wire_open_member(d->w, "cost", '{');
    wire_put_member_text(d->w, "index", charged_indexes(d));
    wire_put_member_integer(d->w, "read", (int64_t)e->items_read);
    wire_put_member_raw(d->w, "rcu", span_of(arena_printf(d->arena, "%.15g", e->read_units)));
    wire_close(d->w, '}');
}

/* --- the pattern ------------------------------------------------------------------------------ */

void coverage_draft_write(struct arena *a, const struct catalogue *c,
                          const struct journal_options *o, const struct coverage_row *row,
                          size_t number, struct wire_writer *w)
{
    const struct journal_entry *e = row->example;
    struct drafting d = {
        .arena = a, .options = o, .entry = e, .prefix = span_of(catalogue_prefix(c)), .w = w};
    const wire_node *body;

    if (wire_parse(a, journal_entry_body(e), &body))
        body = NULL;
    d.masked = body && journal_mask_meets(o, body);
    wire_open(w, '{');
    wire_put_member_word(w, "name", arena_printf(a, "draft-%zu", number));
    wire_put_member_word(w, "question", row->shape);
    wire_open_member(w, "steps", '[');
    wire_open(w, '{');
    wire_put_member_word(w, "operation", e->op->name);
    wire_key(w, "request");
    if (body)
        put_object(&d, body, false);
    else
        wire_put_raw(w, SPAN_LIT("{}"));
    put_expectation(&d);
    put_cost(&d);
    wire_close(w, '}');
    wire_close(w, ']');
    wire_close(w, '}');
}
