/* The plan of each operation that reads. */
#include "explain/explain_find.h"

#include "expr/expr_print.h"
#include "ops/item/legacy.h"
#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_subject.h"
#include "ops/op_target.h"
#include "ops/read/query_key.h"
#include "ops/statement/statement.h"
#include "partiql/partiql_key.h"

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
