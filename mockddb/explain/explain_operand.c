#include "explain/explain_operand.h"

#include "explain/explain_entry.h"
#include "explain/explain_expression.h"
#include "explain/explain_trial.h"
#include "expr/expr_parse.h"
#include "model/limits.h"

/* The expression that is looked at. */
struct looked_at {
    struct inquiry *q;
    const char *parameter;
    struct span text;
};

/* The value of a placeholder that is an operand. */
static bool value_of(struct inquiry *q, const struct node *n, struct attr *out)
{
    return n->kind == NODE_VALUE && explain_entry_value(q, n->text, out);
}

static void mark(const struct looked_at *at, struct span place)
{
    explain_expression_mark(at->q, at->parameter, at->text, place);
}

/* "S, N or B" */
static const char *types_words(struct inquiry *q, unsigned types)
{
    struct buf out = buf_in(q->arena);

    for (unsigned type = 0; type <= ATTR_M; type++) {
        unsigned rest = types >> type;

        if (!(rest & 1U))
            continue;
        buf_printf(&out, "%s%s", !out.len ? "" : rest == 1 ? " or " : ", ", attr_type_code(type));
    }
    return buf_text(&out);
}

/* --- types ------------------------------------------------------------------------------------ */

/* The number that a text was meant to be. */
static void propose_number(struct inquiry *q, const struct attr *value)
{
    struct attr typed = {.type = ATTR_N, .bytes = value->bytes};
    struct span body;

    if (value->type != ATTR_S || q->entry != q->call.body)
        return;
    body = explain_trial_with_value(q, value, &typed);
    if (q->call.op->access == OP_READS)
        (void)explain_trial_propose(q, q->call.op->name, body, &q->proposal);
    else if (value->bytes.len &&
             strspn(arena_text(q->arena, value->bytes), "-0123456789.") == value->bytes.len)
        q->proposal = explain_trial_untried(q, q->call.op->name, body);
}

/* What an operator takes, in words. */
static const char *taken_words(struct inquiry *q, const struct node *n, enum attr_type given)
{
    const char *types = types_words(q, expr_rule(n->kind)->types);

    if (n->kind == NODE_LIST_APPEND)
        return "two lists, such as {\"L\": [{\"S\": …}]}";
    if (n->kind == NODE_BEGINS_WITH && given == ATTR_N)
        return arena_printf(q->arena, "%s, a range of numbers is asked by BETWEEN", types);
    return types;
}

static void check_types(const struct looked_at *at, const struct node *n)
{
    const struct operator_rule *rule = expr_rule(n->kind);
    struct inquiry *q = at->q;
    struct attr value;

    for (size_t i = 0; rule->types && !q->reason.len && i < n->operands.len; i++) {
        const struct node *operand = n->operands.at[i];

        if (!value_of(q, operand, &value) || rule->types & 1U << value.type)
            continue;
        inquiry_reason(q, "%.*s is %s: %s takes %s", SPAN_ARG(operand->text),
                       attr_type_code(value.type), rule->name, taken_words(q, n, value.type));
        mark(at, operand->text);
        if (rule->types & 1U << ATTR_N)
            propose_number(q, &value);
    }
}

static void check_bounds(const struct looked_at *at, const struct node *n)
{
    const struct node *from, *to;
    struct attr low, high;

    if (n->kind != NODE_BETWEEN)
        return;
    from = n->operands.at[1];
    to = n->operands.at[2];
    if (!value_of(at->q, from, &low) || !value_of(at->q, to, &high) || low.type == high.type)
        return;
    inquiry_reason(at->q, "%.*s is %s and %.*s is %s: BETWEEN takes two values of one type",
                   SPAN_ARG(from->text), attr_type_code(low.type), SPAN_ARG(to->text),
                   attr_type_code(high.type));
    mark(at, to->text);
}

/* Other words for types. */
static const char *code_for(struct inquiry *q, struct span word)
{
    static const struct {
        const char *word, *code;
    } rows[] = {
        {"string", "S"},      {"str", "S"},         {"text", "S"},        {"number", "N"},
        {"int", "N"},         {"integer", "N"},     {"numeric", "N"},     {"binary", "B"},
        {"boolean", "BOOL"},  {"bool", "BOOL"},     {"null", "NULL"},     {"list", "L"},
        {"array", "L"},       {"map", "M"},         {"object", "M"},      {"stringset", "SS"},
        {"numberset", "NS"},  {"binaryset", "BS"},  {"string set", "SS"}, {"number set", "NS"},
        {"string_set", "SS"}, {"number_set", "NS"}, {"s", "S"},           {"n", "N"},
    };
    struct span lower = inquiry_lower(q, word);

    for (size_t i = 0; i < COUNT(rows); i++)
        if (span_is(lower, rows[i].word))
            return rows[i].code;
    return NULL;
}

static void check_code(const struct looked_at *at, const struct node *n)
{
    struct inquiry *q = at->q;
    struct buf bare = buf_in(q->arena);
    enum attr_type type;
    const char *code;
    struct attr value;

    if (n->kind == NODE_ATTRIBUTE_TYPE && n->operands.at[1]->kind == NODE_PATH) {
        path_add(&bare, &n->operands.at[1]->path);
        inquiry_reason(q,
                       "attribute_type takes the type as a value: write :t, and {\":t\": {\"S\": "
                       "\"%s\"}} in ExpressionAttributeValues",
                       buf_text(&bare));
        return;
    }
    if (n->kind != NODE_ATTRIBUTE_TYPE || !value_of(q, n->operands.at[1], &value) ||
        (value.type == ATTR_S && attr_type_of_code(value.bytes, &type)))
        return;
    code = value.type == ATTR_S ? code_for(q, value.bytes) : NULL;
    if (code) {
        struct attr mended = {.type = ATTR_S, .bytes = span_of(code)};

        inquiry_reason(q, "attribute_type takes the short name of a type: \"%s\", not %s", code,
                       inquiry_value(q, &value));
        explain_trial_propose_value(q, &value, &mended);
    } else {
        inquiry_reason(q,
                       "%.*s is %s: attribute_type takes one of \"S\", \"N\", \"B\", \"SS\", "
                       "\"NS\", \"BS\", \"L\", \"M\", \"BOOL\" and \"NULL\"",
                       SPAN_ARG(n->operands.at[1]->text), inquiry_value(q, &value));
    }
    mark(at, n->operands.at[1]->text);
}

/* --- how many, and what first ----------------------------------------------------------------- */

static void check_count(const struct looked_at *at, const struct node *n)
{
    const struct operator_rule *rule = expr_rule(n->kind);

    if (rule->form != OPERATOR && n->operands.len != rule->operand_count)
        inquiry_reason(at->q, "%s takes %s, here it has %zu", rule->name,
                       inquiry_count(at->q, rule->operand_count, "operand"), n->operands.len);
    else if (n->kind == NODE_IN && n->operands.len - 1 > LIMIT_IN)
        inquiry_reason(at->q, "IN takes %d values, here it has %zu: ask in parts", LIMIT_IN,
                       n->operands.len - 1);
}

static void check_first(const struct looked_at *at, const struct node *n)
{
    const struct operator_rule *rule = expr_rule(n->kind);

    if (!rule->path_first || n->operands.at[0]->kind != NODE_VALUE)
        return;
    inquiry_reason(at->q, "%s takes the name of an attribute, and %.*s is a value", rule->name,
                   SPAN_ARG(n->operands.at[0]->text));
    mark(at, n->operands.at[0]->text);
}

static void check_distinct(const struct looked_at *at, const struct node *n)
{
    const struct node *first = n->operands.at[0];
    struct buf path = buf_in(at->q->arena);

    if (!expr_rule(n->kind)->distinct || first->kind != NODE_PATH)
        return;
    for (size_t i = 1; i < n->operands.len; i++)
        if (n->operands.at[i]->kind == NODE_PATH &&
            path_equal(&first->path, &n->operands.at[i]->path)) {
            path_add(&path, &first->path);
            inquiry_reason(at->q,
                           "%s is on both sides: values are written in ExpressionAttributeValues, "
                           "under a name such as :v",
                           buf_text(&path));
            return;
        }
}

/* --- all -------------------------------------------------------------------------------------- */

typedef void check(const struct looked_at *at, const struct node *n);

static check *const checks[] = {check_count, check_first,  check_distinct,
                                check_types, check_bounds, check_code};

/* Operands first, as the service does it. */
static void look(const struct looked_at *at, const struct node *n)
{
    if (!n || n->kind == NODE_PATH || n->kind == NODE_VALUE)
        return;
    for (size_t i = 0; i < n->operands.len; i++)
        look(at, n->operands.at[i]);
    for (size_t i = 0; i < COUNT(checks) && !at->q->reason.len; i++)
        if (n->operands.len)
            checks[i](at, n);
}

/* Two clauses of an update that change the same place. */
static void check_targets(const struct looked_at *at, const struct expr_update *update)
{
    for (size_t i = 1; i < update->len; i++)
        for (size_t k = 0; k < i; k++) {
            const struct path *one = &update->at[k].target, *other = &update->at[i].target;
            struct buf first = buf_in(at->q->arena), second = buf_in(at->q->arena);

            if (path_clash(one, other) == PATH_APART)
                continue;
            path_add(&first, one);
            path_add(&second, other);
            if (path_equal(one, other))
                inquiry_reason(at->q, "%s is %s twice: keep one", buf_text(&first),
                               update->at[i].action == EXPR_SET && update->at[k].action == EXPR_SET
                                   ? "set"
                                   : "changed");
            else
                inquiry_reason(at->q, "%s and %s overlap: change one of them in this update",
                               buf_text(&first), buf_text(&second));
        }
}

void explain_operand(struct inquiry *q)
{
    static const char *const conditions[] = {"KeyConditionExpression", "FilterExpression",
                                             "ConditionExpression"};
    struct looked_at at = {.q = q};
    struct expr_update update;
    struct node *root;

    for (size_t i = 0; i < COUNT(conditions); i++) {
        at.parameter = conditions[i];
        at.text = wire_text(wire_get(q->entry, at.parameter));
        if (at.text.len && !expr_parse_condition(q->arena, at.parameter, at.text, &root))
            look(&at, root);
    }
    at.parameter = "UpdateExpression";
    at.text = wire_text(wire_get(q->entry, at.parameter));
    if (!at.text.len || expr_parse_update(q->arena, at.parameter, at.text, &update))
        return;
    check_targets(&at, &update);
    for (size_t i = 0; i < update.len && !q->reason.len; i++)
        if (update.at[i].action == EXPR_SET)
            look(&at, update.at[i].operand);
}
