#include "explain/explain_update.h"

#include "explain/explain_entry.h"
#include "explain/explain_expression.h"
#include "explain/explain_key.h"
#include "explain/explain_near.h"
#include "explain/explain_syntax.h"
#include "model/item_codec.h"
#include "model/key.h"
#include "ops/key_check.h"

/* What the update is run on. */
struct updated {
    const struct table *table;
    struct item it; /* as it is; without attributes if it does not exist */
    struct span text;
    struct expr_update *update;
    bool sound; /* nothing is wrong with the expression by itself */
};

static bool read_updated(struct inquiry *q, struct updated *u)
{
    struct buf position = buf_in(q->arena);
    struct expr_vars vars;
    struct store_row row;
    struct item key;

    u->text = wire_text(wire_get(q->entry, "UpdateExpression"));
    if (!u->text.at || !explain_entry_table(q, &u->table) ||
        !inquiry_read_item(q, wire_get(q->entry, "Key"), &key) ||
        key_check_parameter(q->arena, u->table, &key))
        return false;
    key_of_item(&position, u->table, &key);
    if (unit_get(q->call.unit, buf_span(&position), &row))
        return false;
    vars = explain_entry_vars(q);
    u->sound = !expr_read_update(q->arena, u->text, &vars, &u->update);
    if (row.found)
        u->it = item_decode(q->arena, row.body);
    return true;
}

/* The attribute that a token names; at NULL: none. */
static struct span attribute_of(struct inquiry *q, struct token token)
{
    const wire_node *names = wire_get(q->entry, "ExpressionAttributeNames");

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
    for (size_t i = 0; i < u->it.len; i++)
        if (explain_near_names(q, name, u->it.at[i].name)) {
            inquiry_reason(q, "%.*s is not in the item, it has %.*s", SPAN_ARG(name),
                           SPAN_ARG(u->it.at[i].name));
            explain_expression_mark(q, "UpdateExpression", u->text, token.text);
            return;
        }
    inquiry_reason(q, "%.*s is not in the item yet: begin with %s", SPAN_ARG(name), instead);
    explain_expression_mark(q, "UpdateExpression", u->text, token.text);
    inquiry_line(q, "where %s is in ExpressionAttributeValues as %s", in_list ? ":empty" : ":zero",
                 in_list ? "{\"L\": []}" : "{\"N\": \"0\"}");
}

/* DELETE name :value */
static void no_set(struct inquiry *q, const struct updated *u, struct token token,
                   struct token value)
{
    struct span name = attribute_of(q, token);
    const struct attr *there = name.at ? item_find(&u->it, name) : NULL;
    struct attr taken;

    if (!there || !explain_entry_value(q, value.text, &taken) || there->type == taken.type)
        return;
    inquiry_reason(q, "%.*s is %s in the item, %.*s is %s: DELETE takes elements out of a set%s",
                   SPAN_ARG(name), attr_type_code(there->type), SPAN_ARG(value.text),
                   attr_type_code(taken.type),
                   there->type == ATTR_L ? ", REMOVE name[0] takes one out of a list" : "");
    explain_expression_mark(q, "UpdateExpression", u->text, token.text);
}

/* ADD name :value */
static void wrong_kind(struct inquiry *q, const struct updated *u, struct token token,
                       struct token value)
{
    struct span name = attribute_of(q, token);
    const struct attr *there = name.at ? item_find(&u->it, name) : NULL;
    struct attr added;

    if (!name.at || !explain_entry_value(q, value.text, &added))
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

/* An operand that has another type in the item: n + :one where n is text, list_append to what is no
 * list. */
static void other_type(struct inquiry *q, const struct updated *u, struct token token,
                       enum attr_type wanted)
{
    struct span name = attribute_of(q, token);
    const struct attr *there = name.at ? item_find(&u->it, name) : NULL;

    if (!there || there->type == wanted)
        return;
    inquiry_reason(q, "%.*s is %s in the item: %s%s", SPAN_ARG(name), attr_type_code(there->type),
                   wanted == ATTR_N ? "+ and - take numbers" : "list_append takes two lists",
                   wanted == ATTR_L && attr_is_set(there->type) ? ", ADD puts elements into a set"
                                                                : "");
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

static const char *path_words(struct inquiry *q, const struct path *path, size_t len)
{
    struct buf out = buf_in(q->arena);

    path_add(&out, &(struct path){path->at, len});
    return buf_text(&out);
}

/* Marks a path that is written without placeholders. */
static void mark_path(struct inquiry *q, const struct updated *u, struct span path)
{
    for (size_t i = 0; i + path.len <= u->text.len; i++)
        if (span_starts_with(span_from(u->text, i), path)) {
            explain_expression_mark(q, "UpdateExpression", u->text,
                                    (struct span){u->text.at + i, path.len});
            return;
        }
}

/* A target below the first level, whose parent is not in the item or of another type. */
static void check_parent(struct inquiry *q, const struct updated *u, const struct path *target)
{
    const char *whole = path_words(q, target, target->len), *upto;
    size_t len = 1;

    while (len < target->len) {
        const struct attr *parent = path_find(&u->it, &(struct path){target->at, len});
        bool is_index = target->at[len].is_index;
        enum attr_type wanted = is_index ? ATTR_L : ATTR_M;

        upto = path_words(q, target, len);
        if (!parent && target->at[len - 1].is_index)
            inquiry_reason(
                q,
                "%s is not in the item yet, so %s cannot be set: SET %s = :new appends an "
                "element to the list",
                upto, whole, upto);
        else if (!parent)
            inquiry_reason(q,
                           "%s is not in the item yet, so %s cannot be set: first SET %s = :new, "
                           "with {\":new\": {\"%s\": %s}}",
                           upto, whole, upto, attr_type_code(wanted), is_index ? "[]" : "{}");
        else if (parent->type != wanted)
            inquiry_reason(q, "%s is %s in the item, so %s cannot be set: %s takes %s", upto,
                           inquiry_type(parent->type), whole, is_index ? "[n]" : "a member",
                           inquiry_type(wanted));
        if (q->reason.len) {
            mark_path(q, u, span_of(whole));
            return;
        }
        len++;
    }
}

static void check_parents(struct inquiry *q, const struct updated *u)
{
    const struct path *targets;
    size_t count;

    expr_update_targets(q->arena, u->update, &targets, &count);
    for (size_t i = 0; i < count && !q->reason.len; i++)
        check_parent(q, u, &targets[i]);
}

/* SET target = :value */
static void index_key(struct inquiry *q, const struct updated *u, struct token target,
                      struct token token)
{
    struct span name = attribute_of(q, target);
    struct item set = {.len = 0};
    struct attr value;

    if (!name.at || token.kind != TOKEN_VALUE || !explain_entry_value(q, token.text, &value))
        return;
    item_set(q->arena, &set, name, value);
    explain_key_check_indexes(q, u->table, &set);
    if (q->reason.len)
        explain_expression_mark(q, "UpdateExpression", u->text, token.text);
}

static bool is_sign(enum token_kind kind)
{
    return kind == TOKEN_PLUS || kind == TOKEN_MINUS;
}

/* What the token is to the expression that is gone through. */
struct spot {
    struct token before, token, after;
    enum token_kind section;
    size_t depth;        /* of brackets */
    size_t list_depth;   /* of those of list_append; 0: outside */
    struct token target; /* that a value is set to */
};

static void look_at(struct inquiry *q, const struct updated *u, const struct spot *at)
{
    bool is_target = explain_syntax_is_section(at->before.kind) || at->before.kind == TOKEN_COMMA;
    bool in_list = at->list_depth && at->depth == at->list_depth;

    if (is_target && !at->depth) {
        if (u->sound)
            key_target(q, u, at->token);
        if (at->section == TOKEN_ADD && !q->reason.len)
            wrong_kind(q, u, at->token, at->after);
        if (at->section == TOKEN_DELETE && !q->reason.len)
            no_set(q, u, at->token, at->after);
        return;
    }
    if (!u->sound || q->reason.len)
        return;
    if (at->before.kind == TOKEN_EQ)
        index_key(q, u, at->target, at->token);
    if (q->reason.len)
        return;
    if (in_list && (is_target || at->before.kind == TOKEN_OPEN)) {
        absent(q, u, at->token, true);
        if (!q->reason.len)
            other_type(q, u, at->token, ATTR_L);
    } else if (is_sign(at->before.kind) || is_sign(at->after.kind)) {
        absent(q, u, at->token, false);
        if (!q->reason.len)
            other_type(q, u, at->token, ATTR_N);
    }
}

static void enter_function(struct spot *at)
{
    if (!at->list_depth && span_is(at->token.text, "list_append"))
        at->list_depth = at->depth + 1;
}

static void count_brackets(struct spot *at)
{
    at->depth += at->token.kind == TOKEN_OPEN;
    at->depth -= at->token.kind == TOKEN_CLOSE && at->depth;
    if (at->token.kind == TOKEN_CLOSE && at->depth < at->list_depth)
        at->list_depth = 0;
}

/* Goes through the expression, token by token. */
static void look(struct inquiry *q, const struct updated *u)
{
    struct lexer lexer = {GRAMMAR_UPDATE, u->text}, rest;
    struct spot at = {.before = {.kind = TOKEN_END}, .section = TOKEN_END};

    while (!q->reason.len && (at.token = expr_lex(&lexer)).kind != TOKEN_END) {
        rest = lexer;
        at.after = expr_lex(&rest);
        if (explain_syntax_is_section(at.token.kind))
            at.section = at.token.kind;
        else if (at.token.kind == TOKEN_IDENTIFIER && at.after.kind == TOKEN_OPEN)
            enter_function(&at);
        else
            look_at(q, u, &at);
        if (at.after.kind == TOKEN_EQ)
            at.target = at.token;
        count_brackets(&at);
        at.before = at.token;
    }
}

void explain_update(struct inquiry *q)
{
    struct updated u = {.table = NULL};

    if (!read_updated(q, &u))
        return;
    look(q, &u);
    if (!q->reason.len && u.sound)
        check_parents(q, &u);
}
