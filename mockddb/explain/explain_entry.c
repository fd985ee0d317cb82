#include "explain/explain_entry.h"

#include "base/ascii.h"
#include "explain/explain_near.h"
#include "explain/say.h"
#include "model/item_codec.h"
#include "model/key.h"
#include "ops/item/legacy.h"
#include "ops/key_check.h"
#include "ops/op_target.h"

bool explain_entry_key(struct inquiry *q, const wire_node *entry, const struct table **t,
                       struct item *key)
{
    struct span name = wire_text(wire_get(entry, "TableName"));

    return name.len && explain_entry_key_of(q, name, entry, t, key);
}

bool explain_entry_key_of(struct inquiry *q, struct span table, const wire_node *entry,
                          const struct table **t, struct item *key)
{
    const wire_node *put = wire_get(entry, "Item");

    if (op_target_find_named(&q->call, table, t) ||
        !inquiry_read_item(q, put ? put : wire_get(entry, "Key"), key) ||
        (put && key_check_item(q->arena, *t, key)))
        return false;
    if (put)
        *key = schema_key_of(q->arena, *t, key);
    return !key_check_parameter(q->arena, *t, key);
}

bool explain_entry_stored(struct inquiry *q, const struct table *t, const struct item *key,
                          struct item *out)
{
    struct buf position = buf_in(q->arena);
    struct store_row row;

    key_of_item(&position, t, key);
    if (unit_get(q->call.unit, buf_span(&position), &row) || !row.found)
        return false;
    *out = item_decode(q->arena, row.body);
    return true;
}

const char *explain_entry_near_name(struct inquiry *q, const struct item *it, struct span name)
{
    for (size_t i = 0; i < it->len; i++)
        if (explain_near_names(q, name, it->at[i].name))
            return say_text(q, "%%", it->at[i].name, explain_near_case(name, it->at[i].name));
    return NULL;
}

bool explain_entry_table(struct inquiry *q, const struct table **out)
{
    struct span name = wire_text(wire_get(q->entry, "TableName"));

    return name.len && !op_target_find_named(&q->call, name, out);
}

struct expr_vars explain_entry_vars(struct inquiry *q)
{
    const wire_node *names = wire_get(q->entry, "ExpressionAttributeNames");
    const wire_node *values = wire_get(q->entry, "ExpressionAttributeValues");
    struct expr_vars vars = {.name_count = 0};

    vars.names = arena_array(q->arena, wire_count(names), sizeof *vars.names);
    for (const wire_node *n = wire_first(names); n; n = wire_next(n))
        vars.names[vars.name_count++] = (struct expr_name){.key = wire_name(n),
                                                           .name = wire_text(n)};
    vars.values = arena_array(q->arena, wire_count(values), sizeof *vars.values);
    for (const wire_node *n = wire_first(values); n; n = wire_next(n)) {
        struct expr_value *v = &vars.values[vars.value_count];

        v->key = wire_name(n);
        vars.value_count += inquiry_read_attr(q, n, &v->value);
    }
    return vars;
}

bool explain_entry_value(struct inquiry *q, struct span placeholder, struct attr *out)
{
    const wire_node *values = wire_get(q->entry, "ExpressionAttributeValues");

    return inquiry_read_attr(q, wire_get_span(values, placeholder), out);
}

struct expr_cond *explain_entry_condition(struct inquiry *q)
{
    static const char name[] = "ConditionExpression";
    struct span text = wire_text(wire_get(q->entry, name));
    struct expr_vars vars = explain_entry_vars(q);
    struct expr_cond *out = NULL;

    if (text.len)
        return expr_read_condition(q->arena, name, text, &vars, &out) ? NULL : out;
    return q->entry != q->call.body || legacy_expected_read(&q->call, &out) ? NULL : out;
}

/* --- tokens ---------------------------------------------------------------------------------- */

#define AHEAD 6 /* TOKEN_ENDs */

struct token *explain_tokens(struct inquiry *q, enum expr_grammar grammar, struct span text)
{
    struct lexer ahead = {grammar, text}, lexer = ahead;
    struct token *all;
    size_t count = 0;

    while (text.at && expr_lex(&ahead).kind != TOKEN_END)
        count++;
    all = arena_array(q->arena, count + AHEAD, sizeof *all);
    for (size_t i = 0; i < count + AHEAD; i++)
        all[i] = i < count ? expr_lex(&lexer) : (struct token){TOKEN_END, {span_end(text), 0}};
    return all;
}

bool explain_tokens_name(const struct inquiry *q, const struct token *t, struct span attribute)
{
    const wire_node *names = wire_get(q->entry, "ExpressionAttributeNames");

    return span_equal(t->text, attribute) ||
           (t->kind == TOKEN_NAME &&
            span_equal(wire_text(wire_get_span(names, t->text)), attribute));
}

static bool is_of_word(char c, const char *marks)
{
    return ascii_is_digit(c) || ascii_is_letter(c) || (c && strchr(marks, c));
}

struct span explain_tokens_around(struct span text, struct span place, const char *marks)
{
    const char *from = place.at, *to = span_end(place);

    while (from > text.at && is_of_word(from[-1], marks))
        from--;
    while (to < span_end(text) && is_of_word(*to, marks))
        to++;
    return (struct span){from, (size_t)(to - from)};
}

const char *explain_tokens_instead(struct inquiry *q, const struct foreign *rows, size_t count,
                                   struct span word)
{
    char *lower = arena_printf(q->arena, " %s ", inquiry_lower(q, word).at);

    for (char *at = lower + 1; *at && at[1]; at++)
        *at = (char)(*at == ' ' ? '_' : *at);
    for (size_t i = 0; i < count && word.len; i++)
        if (strstr(rows[i].words, lower))
            return rows[i].instead;
    return NULL;
}
