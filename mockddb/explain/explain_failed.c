#include "explain/explain_failed.h"

#include "explain/explain_candidate.h"
#include "explain/explain_entry.h"
#include "explain/explain_missing.h"
#include "expr/expr_cond.h"
#include "expr/expr_print.h"
#include "model/item_codec.h"
#include "model/key.h"
#include "ops/item/legacy.h"
#include "ops/key_check.h"
#include "ops/statement/statement.h"

/* What the condition was asked of. */
struct asked {
    const struct table *table;
    struct item key;
    struct expr_cond *condition;               /* NULL: none */
    const struct partiql_statement *statement; /* NULL: it is of a request with expressions */
    bool found;
    struct item it;
};

static bool read_key(struct inquiry *q, struct asked *r)
{
    const wire_node *put = wire_get(q->entry, "Item");
    const wire_node *node = put ? put : wire_get(q->entry, "Key");
    struct item it;

    if (!node || !explain_entry_table(q, &r->table) || !inquiry_read_item(q, node, &it) ||
        (put && key_check_item(q->arena, r->table, &it)))
        return false;
    r->key = put ? schema_key_of(q->arena, r->table, &it) : it;
    return !key_check_parameter(q->arena, r->table, &r->key);
}

static bool read_condition(struct inquiry *q, struct asked *r)
{
    struct span text = wire_text(wire_get(q->entry, "ConditionExpression"));
    struct expr_vars vars = explain_entry_vars(q);

    if (!text.len && q->entry == q->call.body && wire_get(q->entry, "Expected"))
        return read_key(q, r) && !legacy_expected_read(&q->call, &r->condition);
    return text.len && read_key(q, r) &&
           !expr_read_condition(q->arena, "ConditionExpression", text, &vars, &r->condition);
}

static bool read_statement(struct inquiry *q, struct asked *r)
{
    struct statement *s = arena_alloc(q->arena, sizeof *s);

    if (statement_read_entry(&q->call, q->entry, s) ||
        partiql_read(q->arena, s->text, s->parameters, s->parameter_count, &s->parsed) ||
        statement_find_table(&q->call, s) || statement_find_key(&q->call, s) || !s->has_key)
        return false;
    r->table = s->table;
    r->key = s->key;
    if (s->parsed.kind == PARTIQL_INSERT) { /* it has all of the item as its key */
        if (key_check_item(q->arena, s->table, &s->key))
            return false;
        r->key = schema_key_of(q->arena, s->table, &s->key);
    }
    r->condition = s->rest;
    r->statement = &s->parsed;
    return true;
}

static bool read_asked(struct inquiry *q, struct asked *r)
{
    bool stated = wire_get(q->entry, "Statement") != NULL;
    struct buf position = buf_in(q->arena);
    struct store_row row;

    if (stated ? !read_statement(q, r) : !read_condition(q, r))
        return false;
    key_of_item(&position, r->table, &r->key);
    if (unit_get(q->call.unit, buf_span(&position), &row))
        return false;
    r->found = row.found;
    if (row.found)
        r->it = item_decode(q->arena, row.body);
    return true;
}

static const char *key_words(struct inquiry *q, const struct item *key)
{
    struct buf out = buf_in(q->arena);

    for (size_t i = 0; i < key->len; i++)
        buf_printf(&out, "%s%.*s %s", i ? " and " : "", SPAN_ARG(key->at[i].name),
                   inquiry_value(q, &key->at[i].value));
    return buf_text(&out);
}

/* What may have been meant by the key: "; there is …", or "". */
static const char *near(struct inquiry *q, const struct asked *r)
{
    struct target target;

    return explain_read_item(q, r->table, &r->key, &target)
               ? explain_missing_near(q, &(struct rows){r->table, NULL}, &target.plan.key)
               : "";
}

/* How the value differs from the one that was asked for; "". */
static const char *slip(struct inquiry *q, const struct expr_cond *part,
                        const struct expr_comparison *one, const struct attr *value)
{
    struct attr there = *value;
    bool in_list = one->op == EXPR_CONTAINS && (attr_is_set(value->type) || value->type == ATTR_L);
    struct position p = {.q = q,
                         .op = in_list || one->op == EXPR_IN ? EXPR_EQ : one->op,
                         .asked = {*one->value, one->second ? *one->second : *one->value},
                         .name = one->path->at[0].name,
                         .there = {&there, 1, true},
                         .find = explain_candidate_among};
    size_t count;
    const struct attr **choices = expr_choices(q->arena, part, &count);
    struct candidate c;
    bool found;

    if (one->op == EXPR_NE)
        return "";
    if (in_list)
        p.there = (struct values){there.list.at, there.list.len, true};
    for (size_t i = 0; i < count || !i; i++) {
        const char *asked, *why;

        if (count)
            p.asked[0] = *choices[i];
        asked = inquiry_value(q, &p.asked[0]);
        found = explain_candidate_any(&p, &c);
        why = c.why ? arena_printf(q->arena, ": %s", c.why) : "";
        if (p.there.len && p.there.at->type != p.asked[0].type)
            return arena_printf(q->arena, ", which is %s, and %s was asked for, which is %s%s",
                                attr_type_code(value->type), asked, attr_type_code(p.asked[0].type),
                                why);
        if (found)
            return arena_printf(q->arena, ", and %s was asked for%s", asked, why);
    }
    return "";
}

/* What the item has under nearly that name; "". */
static const char *near_name(struct inquiry *q, const struct asked *r, struct span name)
{
    for (size_t i = 0; i < r->it.len; i++)
        if (explain_near_names(q, name, r->it.at[i].name))
            return arena_printf(q->arena, ", it has %.*s", SPAN_ARG(r->it.at[i].name));
    return "";
}

/* What the attributes that the part reads are in the item. */
static const char *values_of(struct inquiry *q, const struct asked *r, const struct expr_cond *part)
{
    struct buf out = buf_in(q->arena);
    struct expr_comparison one;
    const struct attr *value;
    struct span *names;
    size_t count;

    if (expr_as_comparison(part, &one) && one.value && (value = path_find(&r->it, one.path))) {
        path_add(&out, one.path);
        buf_printf(&out, " is %s%s", inquiry_value(q, value), slip(q, part, &one, value));
        return buf_text(&out);
    }
    expr_condition_names(q->arena, part, &names, &count);
    for (size_t i = 0; i < count; i++) {
        value = item_find(&r->it, names[i]);
        buf_printf(&out, "%s%.*s is %s%s", i ? ", " : "", SPAN_ARG(names[i]),
                   value ? inquiry_value(q, value) : "not there",
                   value ? "" : near_name(q, r, names[i]));
    }
    return buf_text(&out);
}

/* The first part that the item does not fit. */
static void say_part(struct inquiry *q, const struct asked *r)
{
    struct expr_parts parts = expr_condition_parts(q->arena, r->condition);

    for (size_t i = 0; i < parts.len; i++) {
        struct buf text = buf_in(q->arena);

        if (expr_matches(parts.at[i], &r->it))
            continue;
        expr_print_condition(&text, parts.at[i]);
        inquiry_reason(q, "the item with %s is there, and %s does not hold: %s",
                       key_words(q, &r->key), buf_text(&text), values_of(q, r, parts.at[i]));
    }
}

/* Statements are about items that are there, INSERT apart. */
static bool holds(const struct asked *r)
{
    if (!r->statement)
        return expr_matches(r->condition, r->found ? &r->it : NULL);
    if (r->statement->kind == PARTIQL_INSERT)
        return !r->found;
    return r->found && (!r->condition || expr_matches(r->condition, &r->it));
}

void explain_failed(struct inquiry *q)
{
    struct asked r = {.found = false};

    if (!read_asked(q, &r) || holds(&r))
        return;
    if (r.statement && r.statement->kind == PARTIQL_INSERT)
        inquiry_reason(q, "%.*s has an item with %s already, and INSERT does not replace it",
                       SPAN_ARG(r.table->name), key_words(q, &r.key));
    else if (r.found)
        say_part(q, &r);
    else
        inquiry_reason(q, "%.*s has no item with %s, and the condition asks for one%s",
                       SPAN_ARG(r.table->name), key_words(q, &r.key), near(q, &r));
}
