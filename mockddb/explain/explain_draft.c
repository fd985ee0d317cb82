#include "explain/explain_trial.h"

#include "explain/explain_cause.h"
#include "explain/explain_entry.h"
#include "explain/say.h"
#include "expr/expr_reserved.h"
#include "model/item_codec.h"

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
    struct buf out = buf_in(q->arena);
    bool changed = more;

    for (const wire_node *n = wire_first(names); n; n = wire_next(n)) {
        bool is_it = span_equal(wire_text(n), from);

        changed = changed || is_it;
        buf_add_char(&out, out.len ? ',' : '{');
        buf_add_json_string(&out, wire_name(n));
        buf_add_char(&out, ':');
        buf_add_json_string(&out, is_it ? to : wire_text(n));
    }
    if (more) {
        buf_add_text(&out, out.len ? ",\"#n\":" : "{\"#n\":");
        buf_add_json_string(&out, to);
    }
    buf_add_char(&out, '}');
    return changed ? buf_span(&out) : (struct span){NULL, 0};
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
