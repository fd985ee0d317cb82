#include "journal/coverage.h"

#include "base/log.h"
#include "journal/journal_mask.h"
#include "wire/wire_node.h"

#include <stdlib.h>

/* --- drafts: an access pattern from a request that matches none, docs/patterns.md ------------- */

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

/* Writes the pattern as one object; `number` makes its name unique. */
static void coverage_draft_write(struct arena *a, const struct catalogue *c,
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
    e = d.entry;
    wire_open_member(d.w, "expect", '{');
    if (e->error != ERROR_NONE) {
        wire_put_member_word(d.w, "error", error_name(e->error));
    } else {
        wire_key(d.w, "count");
        if (e->op->access != OP_READS || d.later_page)
            wire_put_raw(d.w, SPAN_LIT("{\"min\":0}"));
        else
            wire_put_integer(d.w, (int64_t)e->items_returned);
    }
    wire_close(d.w, '}');
    put_cost(&d);
    wire_close(w, '}');
    wire_close(w, ']');
    wire_close(w, '}');
}

struct coverage {
    const struct catalogue *catalogue;
    uint64_t *sent; /* for each step */
    struct coverage_row rows[COVERAGE_SHAPES];
    size_t row_count, bytes;
    uint64_t requests, matched, more;
    bool tells;
};

struct coverage *coverage_new(const struct catalogue *c)
{
    struct coverage *v = process_zeroed(sizeof *v);

    v->sent = process_zeroed((catalogue_count(c) + 1) * sizeof *v->sent);
    v->catalogue = c;
    return v;
}

void coverage_clear(struct coverage *v)
{
    for (size_t i = 0; i < v->row_count; i++) {
        free(v->rows[i].shape);
        free(v->rows[i].example);
    }
    memset(v->sent, 0, catalogue_count(v->catalogue) * sizeof *v->sent);
    v->row_count = v->bytes = 0;
    v->requests = v->matched = v->more = 0;
}

void coverage_free(struct coverage *v)
{
    if (!v)
        return;
    coverage_clear(v);
    free(v->sent);
    free(v);
}

void coverage_tell(struct coverage *v)
{
    v->tells = true;
}

/* --- requests that match no pattern ----------------------------------------------------------- */

static struct coverage_row *find_row(struct coverage *v, struct span shape, uint64_t hash)
{
    for (size_t i = 0; i < v->row_count; i++)
        if (v->rows[i].hash == hash && span_is(shape, v->rows[i].shape))
            return &v->rows[i];
    return NULL;
}

/* NULL if there is no room for it. */
static struct journal_entry *copy_of(struct coverage *v, const struct journal_entry *e)
{
    size_t size = journal_entry_size(e);
    struct journal_entry *copy;

    if (v->bytes + size > COVERAGE_BYTES)
        return NULL;
    copy = process_malloc(size);
    memcpy(copy, e, size);
    v->bytes += size;
    return copy;
}

static struct coverage_row *add_row(struct coverage *v, const struct journal_entry *e,
                                    struct span shape, uint64_t hash)
{
    struct coverage_row *row = &v->rows[v->row_count];

    if (v->row_count == COVERAGE_SHAPES || v->bytes + shape.len > COVERAGE_BYTES)
        return NULL;
    *row = (struct coverage_row){.hash = hash};
    if (!(row->example = copy_of(v, e)))
        return NULL;
    row->shape = process_text(shape);
    v->bytes += shape.len;
    v->row_count++;
    if (v->tells && e->answer)
        log_error("%s: %s", row->shape, catalogue_at(v->catalogue, e->answer - 1u)->hint);
    return row;
}

static int rank_of(const struct journal_entry *e)
{
    return e->error == ERROR_NONE ? 2 : !error_is_refusal(e->error);
}

/* A successful request is preferred to a failed one, and a failed one to one that was refused. */
static void take_better(struct coverage *v, struct coverage_row *row, const struct journal_entry *e)
{
    struct journal_entry *better;

    if (rank_of(e) <= rank_of(row->example) || !(better = copy_of(v, e)))
        return;
    v->bytes -= journal_entry_size(row->example);
    free(row->example);
    row->example = better;
}

void coverage_take(struct coverage *v, const struct journal_entry *e, struct span shape,
                   uint64_t hash)
{
    v->requests++;
    if (!e->steps[0]) {
        struct coverage_row *row = find_row(v, shape, hash);

        if (row)
            take_better(v, row, e);
        else
            row = add_row(v, e, shape, hash);
        if (row)
            row->requests++;
        else
            v->more++;
        return;
    }
    v->matched++;
    for (size_t i = 0; i < CATALOGUE_TIES && e->steps[i]; i++)
        v->sent[e->steps[i] - 1]++;
}

/* --- patterns --------------------------------------------------------------------------------- */

/* The index behind the last step of the pattern whose first step has that index. */
static size_t past_pattern(const struct catalogue *c, size_t first)
{
    size_t past = first + 1;

    while (past < catalogue_count(c) &&
           catalogue_at(c, past)->pattern == catalogue_at(c, first)->pattern)
        past++;
    return past;
}

/* The number of times that a pattern was used: the minimum over its steps. `first` is the index of
 * its first step. */
static uint64_t times_used(const struct coverage *v, size_t first)
{
    uint64_t least = UINT64_MAX;

    for (size_t i = first, past = past_pattern(v->catalogue, first); i < past; i++)
        if (v->sent[i] < least)
            least = v->sent[i];
    return least;
}

/* --- reporting -------------------------------------------------------------------------------- */

static void show_pattern(const struct coverage *v, size_t first, struct wire_writer *w)
{
    const struct catalogue *c = v->catalogue;

    wire_open(w, '{');
    wire_put_member_word(w, "name", catalogue_at(c, first)->pattern->name);
    wire_put_member_integer(w, "used", (int64_t)times_used(v, first));
    wire_open_member(w, "steps", '[');
    for (size_t i = first, past = past_pattern(c, first); i < past; i++) {
        wire_open(w, '{');
        wire_put_member_word(w, "name", catalogue_at(c, i)->step->name);
        wire_put_member_integer(w, "requests", (int64_t)v->sent[i]);
        wire_close(w, '}');
    }
    wire_close(w, ']');
    wire_close(w, '}');
}

void coverage_show(const struct coverage *v, struct arena *a, const struct journal_options *o,
                   struct wire_writer *w)
{
    const struct catalogue *c = v->catalogue;

    wire_put_member_integer(w, "requests", (int64_t)v->requests);
    wire_put_member_integer(w, "matched", (int64_t)v->matched);
    wire_open_member(w, "patterns", '[');
    for (size_t i = 0; i < catalogue_count(c); i = past_pattern(c, i))
        show_pattern(v, i, w);
    wire_close(w, ']');
    wire_open_member(w, "unmatched", '[');
    for (size_t i = 0; i < v->row_count; i++) {
        const struct coverage_row *row = &v->rows[i];
        const struct journal_entry *e = row->example;

        wire_open(w, '{');
        wire_put_member_word(w, "shape", row->shape);
        wire_put_member_integer(w, "requests", (int64_t)row->requests);
        wire_put_member_integer(w, "example", (int64_t)e->id);
        if (e->answer)
            wire_put_member_word(w, "hint", catalogue_at(v->catalogue, e->answer - 1u)->hint);
        if (e->error != ERROR_NONE)
            wire_put_member_word(w, "error", error_name(e->error));
        if (!error_is_refusal(e->error)) {
            wire_key(w, "draft");
            coverage_draft_write(a, v->catalogue, o, row, i + 1, w);
        }
        wire_close(w, '}');
    }
    wire_close(w, ']');
    wire_put_member_integer(w, "more", (int64_t)v->more);
}

void coverage_print(const struct coverage *v, struct buf *out)
{
    const struct catalogue *c = v->catalogue;
    size_t used = 0, all = 0;

    for (size_t i = 0; i < catalogue_count(c); i = past_pattern(c, i), all++)
        used += times_used(v, i) > 0;
    buf_printf(out, "mockddb: %zu of %zu access patterns used, %llu of %llu requests are one\n",
               used, all, (unsigned long long)v->matched, (unsigned long long)v->requests);
    for (size_t i = 0; i < catalogue_count(c); i = past_pattern(c, i))
        if (times_used(v, i))
            buf_printf(out, "mockddb:   %-24s %6llu\n", catalogue_at(c, i)->pattern->name,
                       (unsigned long long)times_used(v, i));
    for (size_t i = 0; i < v->row_count; i++) {
        const struct coverage_row *row = &v->rows[i];

        buf_printf(out, "mockddb:   no pattern %17llu  %s\n", (unsigned long long)row->requests,
                   row->shape);
        if (row->example->answer)
            buf_printf(out, "mockddb:     %s\n",
                       catalogue_at(v->catalogue, row->example->answer - 1u)->hint);
    }
    if (v->more)
        buf_printf(out, "mockddb:   no pattern %17llu  of other shapes\n",
                   (unsigned long long)v->more);
}
