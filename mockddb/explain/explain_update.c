#include "explain/explain_update.h"

#include "explain/explain_expression.h"
#include "expr/expr_lex.h"
#include "model/item_codec.h"
#include "model/key.h"
#include "ops/key_check.h"
#include "ops/op_target.h"
#include "wire/wire_attr.h"

/* What the update is run on. */
struct updated {
    const struct table *table;
    struct item it; /* as it is; without attributes where there is none */
    struct span text;
    bool sound; /* nothing is wrong with the expression by itself */
};

/* The placeholders, as far as they can be read. */
static struct expr_vars read_vars(struct inquiry *q)
{
    const wire_node *names = wire_get(q->call.body, "ExpressionAttributeNames");
    const wire_node *values = wire_get(q->call.body, "ExpressionAttributeValues");
    struct expr_vars vars = {.name_count = 0};

    vars.names = arena_array(q->arena, wire_count(names), sizeof *vars.names);
    for (const wire_node *n = wire_first(names); n; n = wire_next(n))
        vars.names[vars.name_count++] = (struct expr_name){.key = wire_name(n),
                                                           .name = wire_text(n)};
    vars.values = arena_array(q->arena, wire_count(values), sizeof *vars.values);
    for (const wire_node *n = wire_first(values); n; n = wire_next(n)) {
        struct expr_value *v = &vars.values[vars.value_count];

        v->key = wire_name(n);
        vars.value_count += !wire_read_attr(q->arena, n, WIRE_LAYER_CURRENT, &v->value);
    }
    return vars;
}

static bool read_updated(struct inquiry *q, struct updated *u)
{
    struct buf position = buf_in(q->arena);
    struct expr_update *update;
    struct expr_vars vars;
    struct store_row row;
    struct item key;

    u->text = wire_text(wire_get(q->call.body, "UpdateExpression"));
    if (!u->text.at || op_target_find(&q->call, &u->table) ||
        wire_read_item(q->arena, wire_get(q->call.body, "Key"), WIRE_LAYER_CURRENT, &key) ||
        key_check_parameter(q->arena, u->table, &key))
        return false;
    key_of_item(&position, u->table, &key);
    if (unit_get(q->call.unit, buf_span(&position), &row))
        return false;
    vars = read_vars(q);
    u->sound = !expr_read_update(q->arena, u->text, &vars, &update);
    if (row.found)
        u->it = item_decode(q->arena, row.body);
    return true;
}

/* The attribute that a token names; at NULL: none. */
static struct span attribute_of(struct inquiry *q, struct token token)
{
    const wire_node *names = wire_get(q->call.body, "ExpressionAttributeNames");

    if (token.kind == TOKEN_IDENTIFIER)
        return token.text;
    return token.kind == TOKEN_NAME ? wire_text(wire_get_span(names, token.text))
                                    : (struct span){NULL, 0};
}

/* An operand that the item does not have. */
static void absent(struct inquiry *q, const struct updated *u, struct token token, bool in_list)
{
    struct span name = attribute_of(q, token);
    const char *instead = arena_printf(q->arena, "if_not_exists(%.*s, %s)", SPAN_ARG(token.text),
                                       in_list ? ":empty" : ":zero");

    if (!name.at || item_find(&u->it, name))
        return;
    inquiry_reason(q, "%.*s is not in the item yet: begin with %s", SPAN_ARG(name), instead);
    explain_expression_mark(q, "UpdateExpression", u->text, token.text);
    inquiry_line(q, "where %s is in ExpressionAttributeValues as %s", in_list ? ":empty" : ":zero",
                 in_list ? "{\"L\": []}" : "{\"N\": \"0\"}");
}

/* ADD name :value */
static void wrong_kind(struct inquiry *q, const struct updated *u, struct token token,
                       struct token value)
{
    struct span name = attribute_of(q, token);
    const wire_node *node = wire_get_span(wire_get(q->call.body, "ExpressionAttributeValues"),
                                          value.text);
    const struct attr *there = name.at ? item_find(&u->it, name) : NULL;
    struct attr added;

    if (!name.at || !node || wire_read_attr(q->arena, node, WIRE_LAYER_CURRENT, &added))
        return;
    if (added.type != ATTR_N && !attr_is_set(added.type))
        inquiry_reason(q, "%.*s is %s: ADD takes a number or a set", SPAN_ARG(value.text),
                       attr_type_code(added.type));
    else if (there && there->type != added.type)
        inquiry_reason(q, "%.*s is %s in the item, %.*s is %s: ADD takes two numbers or two sets",
                       SPAN_ARG(name), attr_type_code(there->type), SPAN_ARG(value.text),
                       attr_type_code(added.type));
    else
        return;
    explain_expression_mark(q, "UpdateExpression", u->text,
                            there && there->type != added.type ? token.text : value.text);
}

/* n + :one where n is text. */
static void no_number(struct inquiry *q, const struct updated *u, struct token token)
{
    struct span name = attribute_of(q, token);
    const struct attr *there = name.at ? item_find(&u->it, name) : NULL;

    if (!there || there->type == ATTR_N)
        return;
    inquiry_reason(q, "%.*s is %s in the item: + and - take numbers", SPAN_ARG(name),
                   attr_type_code(there->type));
    explain_expression_mark(q, "UpdateExpression", u->text, token.text);
}

static void key_target(struct inquiry *q, const struct updated *u, struct token token)
{
    struct span name = attribute_of(q, token);

    if (!name.at || !schema_is_key(&u->table->keys, name))
        return;
    inquiry_reason(q,
                   "%.*s is part of the key, which an update cannot change: put the item under "
                   "its new key and delete the old one",
                   SPAN_ARG(name));
    explain_expression_mark(q, "UpdateExpression", u->text, token.text);
}

static bool begins_clause(enum token_kind kind)
{
    return kind == TOKEN_SET || kind == TOKEN_REMOVE || kind == TOKEN_ADD || kind == TOKEN_DELETE;
}

static bool is_sign(enum token_kind kind)
{
    return kind == TOKEN_PLUS || kind == TOKEN_MINUS;
}

/* What the token is to the expression that is gone through. */
struct spot {
    struct token before, token, after;
    enum token_kind section;
    bool in_list; /* between the brackets of list_append */
};

static void look_at(struct inquiry *q, const struct updated *u, const struct spot *at)
{
    bool is_target = begins_clause(at->before.kind) || at->before.kind == TOKEN_COMMA;

    if (is_target && !at->in_list) {
        if (u->sound)
            key_target(q, u, at->token);
        if (at->section == TOKEN_ADD && !q->reason.len)
            wrong_kind(q, u, at->token, at->after);
        return;
    }
    if (!u->sound)
        return;
    if (at->in_list && (is_target || at->before.kind == TOKEN_OPEN)) {
        absent(q, u, at->token, true);
    } else if (is_sign(at->before.kind) || is_sign(at->after.kind)) {
        absent(q, u, at->token, false);
        if (!q->reason.len)
            no_number(q, u, at->token);
    }
}

/* Goes through the expression, token by token. */
static void look(struct inquiry *q, const struct updated *u)
{
    struct lexer lexer = {GRAMMAR_UPDATE, u->text}, rest;
    struct spot at = {.before = {.kind = TOKEN_END}, .section = TOKEN_END};

    while (!q->reason.len && (at.token = expr_lex(&lexer)).kind != TOKEN_END) {
        rest = lexer;
        at.after = expr_lex(&rest);
        if (begins_clause(at.token.kind))
            at.section = at.token.kind;
        else if (at.token.kind == TOKEN_IDENTIFIER && at.after.kind == TOKEN_OPEN)
            at.in_list = span_is(at.token.text, "list_append");
        else
            look_at(q, u, &at);
        at.in_list = at.in_list && at.token.kind != TOKEN_CLOSE;
        at.before = at.token;
    }
}

void explain_update(struct inquiry *q)
{
    struct updated u = {.table = NULL};

    if (strcmp(q->call.op->name, "UpdateItem") == 0 && read_updated(q, &u))
        look(q, &u);
}
