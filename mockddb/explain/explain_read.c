#include "explain/explain_find.h"

#include "explain/say.h"
#include "expr/expr_print.h"
#include "model/item_codec.h"
#include "model/limits.h"
#include "ops/item/legacy.h"
#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_subject.h"
#include "ops/op_target.h"
#include "ops/read/query_key.h"
#include "ops/statement/statement.h"
#include "partiql/partiql_key.h"

#define COUNTING_PERCENT \
    35 /* of the budget, for each of the two counts: values are sampled after them */

/* --- what the accounts say -------------------------------------------------------------------- */

/* Partition and range of the key, and the direction; of several keys or ranges their number. */
static const char *range_words(struct inquiry *q, const struct targets *targets)
{
    const struct expr_key *key = &targets->at[0].plan.key;
    struct buf out = buf_in(q->arena);

    if (targets->count > 1)
        return say_text(q, "% %", targets->count, targets->at[0].one_item ? "keys" : "ranges");
    for (size_t i = 0; i < key->len; i++) {
        const struct expr_key_clause *c = &key->at[i];

        if (c->op == EXPR_EQ)
            say_add(&out, "%% = %", i ? " and " : "", c->attribute, &c->low);
        else if (c->op <= EXPR_BEGINS_WITH && c->op != EXPR_IN)
            say_add(&out, "%%", i ? " and " : "", c);
    }
    return say_text(q, "%%", key->len ? buf_text(&out) : "all of it",
                    targets->at[0].plan.page.range.backwards ? ", backwards" : "");
}

static void note_accounts(struct inquiry *q, const struct targets *targets)
{
    const struct index *ix = targets->at[0].plan.page.index;
    struct inquiry_use use = inquiry_used(q->record);
    struct buf tables = buf_in(q->arena);
    bool more = inquiry_has_more(q, q->record->reply);

    for (const struct capacity *used = q->record->accounts; used; used = used->next)
        say_add(&tables, "%%", tables.len ? ", " : "", used->table);
    q->facts = (struct facts){.table = buf_span(&tables),
                              .range = span_of(range_words(q, targets)),
                              .read = use.read,
                              .returned = use.returned,
                              .pages = use.pages,
                              .bytes = use.bytes,
                              .units = use.units,
                              .more = more,
                              .all_units = more ? -1 : use.units};
    if (ix)
        q->facts.index = ix->name;
}

/* --- what the filter took away ---------------------------------------------------------------- */

/* What a filter is run on. */
struct filtered {
    const struct read_page *page;
    struct expr_parts parts;
    struct span *names; /* that it reads */
    size_t name_count;
};

static void count_row(struct inquiry *q, const struct filtered *f, const struct store_row *row,
                      struct removed *removed)
{
    struct arena_mark before = arena_mark(q->arena);
    struct item it = item_decode_only(q->arena, row->body, f->names, f->name_count);

    if (f->page->index)
        it = schema_project(q->arena, f->page->table, f->page->index, &it);
    for (size_t i = 0; i < f->parts.len; i++)
        if (!expr_matches(f->parts.at[i], &it)) {
            removed[i].items++;
            break;
        }
    arena_release(q->arena, before);
}

static void count_removed(struct inquiry *q, const struct targets *targets)
{
    const struct read_page *page = &targets->at[0].plan.page;
    struct filtered f = {.page = page, .parts = expr_condition_parts(q->arena, page->filter)};
    struct removed *removed = arena_array(q->arena, f.parts.len + 1, sizeof *removed);
    size_t left = q->facts.read;
    struct inquiry_share share;

    if (!f.parts.len || q->facts.returned == q->facts.read)
        return;
    expr_condition_names(q->arena, page->filter, &f.names, &f.name_count);
    share = inquiry_begin_share(q, COUNTING_PERCENT);
    for (size_t i = 0; i < targets->count && left; i++) {
        struct cursor *cursor = cursor_open(q->call.unit, targets->at[i].plan.page.range);
        struct store_row row;

        while (left && inquiry_may_read(q) && !cursor_next(cursor, &row) && row.found) {
            count_row(q, &f, &row, removed);
            left--;
        }
        cursor_close(cursor);
    }
    inquiry_end_share(q, &share);
    q->facts.counted = q->facts.read - left;
    q->facts.removed = removed;
    for (size_t i = 0; i < f.parts.len; i++)
        if (removed[i].items)
            removed[q->facts.removed_count++] = (struct removed){
                say_text_span(q, "%", f.parts.at[i]), f.parts.at[i], removed[i].items};
}

/* --- what all pages would take ---------------------------------------------------------------- */

static void count_pages(struct inquiry *q, const struct read_page *page)
{
    double units = 0, factor = page->consistent ? 1 : 0.5;
    struct store_range range = page->range;
    struct cursor *cursor;
    struct store_row row = {.found = true};
    size_t bytes = 0;
    int64_t items = 0;
    struct inquiry_share share;

    range.keys_only = true;
    cursor = cursor_open(q->call.unit, range);
    share = inquiry_begin_share(q, COUNTING_PERCENT);
    while (inquiry_may_read(q) && !cursor_next(cursor, &row) && row.found) {
        bytes += row.size;
        if (bytes < LIMIT_PAGE_BYTES && ++items != page->limit)
            continue;
        units += capacity_read_units(bytes) * factor;
        bytes = 0;
        items = 0;
    }
    cursor_close(cursor);
    inquiry_end_share(q, &share);
    if (!row.found)
        q->facts.all_units = units + capacity_read_units(bytes) * factor;
}

/* --- all -------------------------------------------------------------------------------------- */

struct targets explain_read(struct inquiry *q)
{
    struct targets targets = explain_read_targets(q);

    if (!targets.count)
        return targets;
    note_accounts(q, &targets);
    q->has_facts = true;
    count_removed(q, &targets);
    if (q->facts.more && targets.count == 1)
        count_pages(q, &targets.at[0].plan.page);
    return targets;
}

static const struct targets none;

/* --- by key ----------------------------------------------------------------------------------- */

struct expr_key explain_read_key(struct inquiry *q, const struct key_schema *keys,
                                 const struct item *it)
{
    struct expr_key out = {arena_array(q->arena, it->len + 1, sizeof *out.at), 0};
    const struct key_part *part;
    const struct attr *value;

    while ((part = schema_key_part(keys, out.len)) && (value = item_find(it, part->name)))
        out.at[out.len++] = (struct expr_key_clause){part->name, EXPR_EQ, *value, *value};
    return out;
}

bool explain_read_clause(const struct expr_cond *part, struct expr_key_clause *out)
{
    struct expr_comparison one;

    if (!expr_as_comparison(part, &one) || one.path->len != 1 || !one.value ||
        one.op > EXPR_BEGINS_WITH || one.op == EXPR_NE || one.op == EXPR_IN)
        return false;
    *out = (struct expr_key_clause){one.path->at[0].name, one.op, *one.value,
                                    one.second ? *one.second : *one.value};
    return true;
}

bool explain_read_item(struct inquiry *q, const struct table *t, const struct item *key,
                       struct target *out)
{
    *out = (struct target){.one_item = true, .plan.page.table = t};
    if (key_check_parameter(q->arena, t, key))
        return false;
    out->plan.key = explain_read_key(q, &t->keys, key);
    return !query_key_range(&q->call, t, NULL, &out->plan.key, NULL, &out->plan.page.range);
}

/* What the request shows of an item; NULL: all of it. */
static const struct expr_projection *projection_of(struct inquiry *q)
{
    static const struct op_styles styles = {.expressions = {{"ProjectionExpression", NULL, false}}};
    struct expr_projection *out = arena_alloc(q->arena, sizeof *out);
    struct expr_vars vars;

    if (legacy_attributes_read(&q->call, q->call.body, out) ||
        op_expression_read_vars(&q->call, &styles, q->call.body, &vars) ||
        op_expression_read_projection(&q->call, q->call.body, &vars, out))
        return NULL;
    return out->len ? out : NULL;
}

/* GetItem, BatchGetItem, TransactGetItems. */
static struct targets of_keys(struct inquiry *q)
{
    const wire_node *body = q->call.body;
    const struct op_subjects keys = op_subject_all(q->arena, body);
    struct targets out = {arena_array(q->arena, keys.len, sizeof *out.at), 0};

    for (size_t i = 0; i < keys.len; i++) {
        const struct table *t;
        struct item key;

        if (op_target_find_named(&q->call, keys.at[i].table, &t) ||
            !inquiry_read_item(q, keys.at[i].key, &key) ||
            !explain_read_item(q, t, &key, &out.at[out.count++]))
            return none;
    }
    if (q->call.op->form == OP_GET && out.count) {
        out.at->plan.page.consistent = wire_bool(wire_get(body, "ConsistentRead"), false);
        out.at->plan.page.projection = projection_of(q);
    }
    return out;
}

/* --- SELECT ----------------------------------------------------------------------------------- */

static bool fill_select(struct inquiry *q, const struct statement *s,
                        const struct partiql_range *from, struct target *out)
{
    out->plan.page = (struct read_page){
        .table = s->table,
        .index = s->index,
        .limit = wire_integer(wire_get(q->call.body, "Limit"), 0),
        .consistent = s->consistent,
        .filter = s->parsed.where,
        .projection = s->parsed.columns.len ? &s->parsed.columns : NULL,
    };
    if (!from) {
        out->plan.page.range = cursor_range(q->arena, s->index ? s->index->space : s->table->space);
        return true;
    }
    out->plan.key = from->key;
    return !query_key_range(&q->call, s->table, s->index, &from->key, NULL, &out->plan.page.range);
}

struct targets explain_read_statement(struct inquiry *q)
{
    struct statement *s = arena_alloc(q->arena, sizeof *s);
    struct targets made = {arena_alloc(q->arena, sizeof(struct target)), 1};
    const struct key_schema *keys;
    struct partiql_ranges ranges;
    struct span sort;

    if (statement_read_entry(&q->call, q->entry, s) || statement_parse_text(&q->call, s) ||
        s->parsed.kind != PARTIQL_SELECT || statement_find_table(&q->call, s) ||
        statement_find_key(&q->call, s))
        return none;
    if (s->has_key) {
        if (!explain_read_item(q, s->table, &s->key, made.at))
            return none;
        made.at->plan.page.filter = s->rest;
        return made;
    }
    keys = statement_keys(s);
    sort = keys->range_count ? keys->range[0].name : (struct span){NULL, 0};
    ranges = partiql_find_ranges(q->arena, s->parsed.where, keys->hash[0].name, sort);
    made.count = 0;
    made.at = arena_array(q->arena, ranges.len + 1, sizeof *made.at);
    do {
        if (!fill_select(q, s, ranges.len ? &ranges.at[made.count] : NULL, &made.at[made.count]))
            return none;
    } while (++made.count < ranges.len);
    return made;
}

/* --- which ------------------------------------------------------------------------------------ */

struct targets explain_read_targets(struct inquiry *q)
{
    struct targets made = {arena_alloc(q->arena, sizeof(struct target)), 1};

    switch (q->call.op->form) {
    case OP_QUERY:
        return read_plan_query(&q->call, &made.at->plan) ? none : made;
    case OP_SCAN:
        return read_plan_scan(&q->call, &made.at->plan) ? none : made;
    case OP_GET:
    case OP_BATCH_GET:
    case OP_TRANSACT_GET:
        return of_keys(q);
    case OP_STATEMENT:
        return explain_read_statement(q);
    default:
        return none;
    }
}
