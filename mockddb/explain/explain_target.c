/* The plan of each operation that reads. */
#include "explain/explain_read.h"

#include "model/key.h"
#include "ops/item/legacy.h"
#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_target.h"
#include "ops/read/query_key.h"
#include "ops/statement/statement.h"
#include "partiql/partiql_key.h"

static struct targets one_target(struct inquiry *q)
{
    return (struct targets){arena_alloc(q->arena, sizeof(struct target)), 1};
}

static struct targets none(void)
{
    return (struct targets){NULL, 0};
}

/* --- Query, Scan ------------------------------------------------------------------------------ */

static struct targets of_query(struct inquiry *q)
{
    struct targets made = one_target(q);

    return read_plan_query(&q->call, &made.at->plan) ? none() : made;
}

static struct targets of_scan(struct inquiry *q)
{
    struct targets made = one_target(q);

    return read_plan_scan(&q->call, &made.at->plan) ? none() : made;
}

/* --- by key ----------------------------------------------------------------------------------- */

/* The clauses of a whole key. */
static struct expr_key clauses_of_key(struct arena *a, const struct table *t,
                                      const struct item *key)
{
    size_t count = t->keys.hash_count + t->keys.range_count;
    struct expr_key out = {.at = arena_array(a, count, sizeof *out.at), .len = count};

    for (size_t i = 0; i < count; i++) {
        const struct key_part *part = i < t->keys.hash_count
                                          ? &t->keys.hash[i]
                                          : &t->keys.range[i - t->keys.hash_count];

        out.at[i] = (struct expr_key_clause){
            .attribute = part->name, .op = EXPR_EQ, .low = *item_find(key, part->name)};
    }
    return out;
}

bool explain_read_item(struct inquiry *q, const struct table *t, const struct item *key,
                       struct target *out)
{
    *out = (struct target){.one_item = true};
    if (key_check_parameter(q->arena, t, key))
        return false;
    out->plan.key = clauses_of_key(q->arena, t, key);
    out->plan.page = (struct read_page){.table = t};
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

static struct targets of_get_item(struct inquiry *q)
{
    struct targets made = one_target(q);
    const wire_node *node = wire_get(q->call.body, "Key");
    const struct table *t;
    struct item key;

    if (op_target_find(&q->call, &t) || !inquiry_read_item(q, node, &key) ||
        !explain_read_item(q, t, &key, made.at))
        return none();
    made.at->plan.page.consistent = wire_bool(wire_get(q->call.body, "ConsistentRead"), false);
    made.at->plan.page.projection = projection_of(q);
    return made;
}

static bool fill_batch(struct inquiry *q, const wire_node *part, struct targets *out)
{
    const struct table *t;

    if (op_target_find_named(&q->call, wire_name(part), &t))
        return false;
    for (const wire_node *n = wire_first(wire_get(part, "Keys")); n; n = wire_next(n)) {
        struct item key;

        if (!inquiry_read_item(q, n, &key) || !explain_read_item(q, t, &key, &out->at[out->count]))
            return false;
        out->count++;
    }
    return true;
}

static struct targets of_batch_get_item(struct inquiry *q)
{
    const wire_node *tables = wire_get(q->call.body, "RequestItems");
    struct targets made = none();
    size_t count = 0;

    for (const wire_node *n = wire_first(tables); n; n = wire_next(n))
        count += wire_count(wire_get(n, "Keys"));
    made.at = arena_array(q->arena, count, sizeof *made.at);
    for (const wire_node *n = wire_first(tables); n; n = wire_next(n))
        if (!fill_batch(q, n, &made))
            return none();
    return made;
}

static struct targets of_transact_get(struct inquiry *q)
{
    const wire_node *list = wire_get(q->call.body, "TransactItems");
    struct targets made = {arena_array(q->arena, wire_count(list) + 1, sizeof *made.at), 0};

    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        const wire_node *get = wire_get(n, "Get");
        const struct table *t;
        struct item key;

        if (op_target_find_named(&q->call, wire_text(wire_get(get, "TableName")), &t) ||
            !inquiry_read_item(q, wire_get(get, "Key"), &key) ||
            !explain_read_item(q, t, &key, &made.at[made.count]))
            return none();
        made.count++;
    }
    return made;
}

/* --- SELECT ----------------------------------------------------------------------------------- */

static void fill_range_of_all(struct inquiry *q, struct target *out)
{
    const struct read_page *page = &out->plan.page;
    uint32_t space = page->index ? page->index->space : page->table->space;
    struct buf low = buf_in(q->arena), high = buf_in(q->arena);

    key_of_space(&low, space);
    key_of_space(&high, space + 1);
    out->plan.page.range = (struct store_range){.low = buf_span(&low), .high = buf_span(&high)};
}

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
        fill_range_of_all(q, out);
        return true;
    }
    out->plan.key = from->key;
    return !query_key_range(&q->call, s->table, s->index, &from->key, NULL, &out->plan.page.range);
}

struct targets explain_read_statement(struct inquiry *q)
{
    struct statement *s = arena_alloc(q->arena, sizeof *s);
    struct targets made = one_target(q);
    const struct key_schema *keys;
    struct partiql_ranges ranges;
    struct span sort;

    if (statement_read_entry(&q->call, q->entry, s) || statement_parse_text(&q->call, s) ||
        s->parsed.kind != PARTIQL_SELECT || statement_find_table(&q->call, s) ||
        statement_find_key(&q->call, s))
        return none();
    if (s->has_key) {
        if (!explain_read_item(q, s->table, &s->key, made.at))
            return none();
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
            return none();
    } while (++made.count < ranges.len);
    return made;
}

/* --- which ------------------------------------------------------------------------------------ */

struct targets explain_read_targets(struct inquiry *q)
{
    switch (q->call.op->form) {
    case OP_QUERY:
        return of_query(q);
    case OP_SCAN:
        return of_scan(q);
    case OP_GET:
        return of_get_item(q);
    case OP_BATCH_GET:
        return of_batch_get_item(q);
    case OP_TRANSACT_GET:
        return of_transact_get(q);
    case OP_STATEMENT:
        return explain_read_statement(q);
    default:
        return none();
    }
}
