#include "explain/explain_failed.h"

#include "explain/explain_entry.h"
#include "explain/explain_missing.h"
#include "explain/explain_survey.h"
#include "explain/say.h"
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

static bool read_condition(struct inquiry *q, struct asked *r)
{
    struct span text = wire_text(wire_get(q->entry, "ConditionExpression"));
    struct expr_vars vars = explain_entry_vars(q);

    if (!explain_entry_key(q, q->entry, &r->table, &r->key))
        return false;
    if (text.len)
        return !expr_read_condition(q->arena, "ConditionExpression", text, &vars, &r->condition);
    return q->entry == q->call.body && wire_get(q->entry, "Expected") &&
           !legacy_expected_read(&q->call, &r->condition);
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

/* How the value differs from the one that was asked for; "". */
static const char *slip(struct inquiry *q, const struct asked *r, const struct expr_cond *part,
                        const struct expr_comparison *one, const struct attr *value)
{
    const struct read_page page = {.table = r->table};
    struct explain_survey s = {.page = &page, .part = part, .asked = *one};
    bool in_list = one->op == EXPR_CONTAINS && (attr_is_set(value->type) || value->type == ATTR_L);
    const struct values *there = in_list ? &s.elements : &s.values;
    struct position p;
    struct candidate c;
    bool found;

    if (one->op == EXPR_NE)
        return "";
    explain_survey_note(q, &s, value);
    found = explain_survey_find(q, &s, there, &p, &c);
    if (there->len && there->at->type != p.asked[0].type)
        return say_text(q, ", which is %, and % was asked for, which is %%", value->type,
                        &p.asked[0], p.asked[0].type, say_behind(q, ": ", c.why));
    return found ? say_text(q, ", and % was asked for%", &p.asked[0], say_behind(q, ": ", c.why))
                 : "";
}

/* What the attributes that the part reads are in the item. */
static const char *values_of(struct inquiry *q, const struct asked *r, const struct expr_cond *part)
{
    struct buf out = buf_in(q->arena);
    struct expr_comparison one;
    const struct attr *value;
    struct span *names;
    size_t count;

    if (expr_as_comparison(part, &one) && one.value && (value = path_find(&r->it, one.path)))
        return say_text(q, "% is %%", one.path, value, slip(q, r, part, &one, value));
    expr_condition_names(q->arena, part, &names, &count);
    for (size_t i = 0; i < count; i++) {
        value = item_find(&r->it, names[i]);
        say_add(&out, "%% is ", i ? ", " : "", names[i]);
        if (value)
            say_add(&out, "%", value);
        else
            say_add(&out, "not there%",
                    say_behind(q, ", it has ", explain_entry_near_name(q, &r->it, names[i])));
    }
    return buf_text(&out);
}

/* Whether the condition holds. Statements are about items that are there, INSERT apart. */
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
    struct expr_parts parts;
    struct target target;

    if (wire_get(q->entry, "Statement") ? !read_statement(q, &r) : !read_condition(q, &r))
        return;
    r.found = explain_entry_stored(q, r.table, &r.key, &r.it);
    if (holds(&r))
        return;
    if (r.statement && r.statement->kind == PARTIQL_INSERT)
        say_why(q, "% has an item with % already, and INSERT does not replace it", r.table, &r.key);
    else if (!r.found)
        say_why(q, "% has no item with %, and the condition asks for one%", r.table, &r.key,
                explain_read_item(q, r.table, &r.key, &target)
                    ? explain_missing_near(q, &(struct rows){r.table, NULL}, &target.plan.key)
                    : "");
    parts = expr_condition_parts(q->arena, r.condition);
    for (size_t i = 0; i < parts.len; i++) /* the first part that the item does not fit */
        if (r.found && !expr_matches(parts.at[i], &r.it))
            say_why(q, "the item with % is there, and % does not hold: %", &r.key, parts.at[i],
                    values_of(q, &r, parts.at[i]));
}
