/* unit_expr.h: what the tests of expressions share: placeholders written as an item, and reading
 * an expression of any kind to see what is wrong with it. */
#pragma once

#include "expr/expr.h"
#include "unit.h"

/* Names and values from text such as {"#n":{"S":"name"},":v":{"N":"1"}}; NULL gives none. */
static inline struct expr_vars unit_vars(const char *text)
{
    struct item it = unit_item(text ? text : "{}");
    struct expr_vars vars = {0};

    vars.names = arena_array(arena, it.len, sizeof *vars.names);
    vars.values = arena_array(arena, it.len, sizeof *vars.values);
    for (size_t i = 0; i < it.len; i++) {
        const struct field *f = &it.at[i];

        if (f->name.at[0] == '#')
            vars.names[vars.name_count++] = (struct expr_name){f->name, f->value.bytes, false};
        else
            vars.values[vars.value_count++] = (struct expr_value){f->name, f->value, false};
    }
    return vars;
}

/* Reads, and for a key condition also reduces. The first letter of the parameter says which. */
static inline const struct error *unit_read(const char *parameter, const char *text,
                                            struct expr_vars *vars)
{
    struct expr_projection projection;
    struct expr_update *update;
    struct expr_cond *cond;
    struct node *tree;
    struct expr_key key;
    const struct error *e;

    switch (parameter[0]) {
    case 'P':
        return expr_read_projection(arena, span_of(text), vars, &projection);
    case 'U':
        return expr_read_update(arena, span_of(text), vars, &update);
    case 'K':
        e = expr_read_key_condition(arena, span_of(text), vars, &tree);
        return e ? e : expr_reduce_key_condition(arena, tree, &key);
    default:
        return expr_read_condition(arena, parameter, span_of(text), vars, &cond);
    }
}

struct unit_fault {
    const char *parameter; /* without "Expression" */
    const char *text;
    const char *vars;
    const char *message; /* after "Invalid <parameter>: "; NULL: nothing is wrong */
};

static inline void unit_check_fault(const struct unit_fault *row)
{
    struct expr_vars vars = unit_vars(row->vars);
    const char *parameter = arena_printf(arena, "%sExpression", row->parameter);
    const struct error *e = unit_read(parameter, row->text, &vars);
    const char *expected;

    if (!row->message) {
        ck_assert_msg(!e, "%s: %.*s", row->text, SPAN_ARG(e->message));
        return;
    }
    expected = arena_printf(arena, "Invalid %s: %s", parameter, row->message);
    ck_assert_msg(e != NULL, "%s: nothing wrong, not \"%s\"", row->text, expected);
    ck_assert_msg(e->kind == ERROR_VALIDATION && !e->bare, "%s: wrong kind", row->text);
    ck_assert_msg(span_is(e->message, expected), "%s: \"%.*s\", not \"%s\"", row->text,
                  SPAN_ARG(e->message), expected);
}

/* `text` written `count` times. */
static inline const char *unit_repeat(const char *text, size_t count)
{
    struct buf out = buf_in(arena);

    for (size_t i = 0; i < count; i++)
        buf_add_text(&out, text);
    return buf_text(&out);
}
