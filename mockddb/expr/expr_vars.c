#include "expr/expr_vars.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "model/limits.h"

#include <stdlib.h>

static bool well_formed(struct span key, char first)
{
    if (key.len < 2 || key.at[0] != first)
        return false;
    for (size_t i = 1; i < key.len; i++)
        if (!ascii_is_word(key.at[i]))
            return false;
    return true;
}

static const struct error *malformed_key(struct arena *a, const char *parameter, struct span key)
{
    struct buf message = buf_in(a);

    buf_printf(&message, "%s contains invalid key: Syntax error; key: \"", parameter);
    buf_add_span(&message, key);
    buf_add_char(&message, '"');
    return error_written(
        &message, ERROR_WHY(CAUSE_PLACEHOLDER, .operand = key, .beside = span_of(parameter)));
}

const struct error *expr_check_names(struct arena *a, const struct expr_vars *vars)
{
    for (size_t i = 0; i < vars->name_count; i++) {
        const struct expr_name *name = &vars->names[i];

        if (name->key.len > LIMIT_PLACEHOLDER)
            return error_validation(a,
                                    "ExpressionAttributeNames contains invalid key: The "
                                    "expression attribute map contains a key that is too long; "
                                    "size of key: %zu",
                                    name->key.len);
        if (!well_formed(name->key, '#'))
            return malformed_key(a, "ExpressionAttributeNames", name->key);
        if (name->name.len == 0)
            return error_caused(a, ERROR_VALIDATION,
                                ERROR_WHY(CAUSE_EMPTY_NAME, .operand = name->key),
                                "ExpressionAttributeNames contains invalid "
                                "value: Empty attribute name for key %.*s",
                                SPAN_ARG(name->key));
        if (name->name.len > LIMIT_ATTRIBUTE_NAME)
            return error_validation(a, ERROR_NAME_SIZE);
    }
    return NULL;
}

const struct error *expr_check_value_keys(struct arena *a, const struct expr_vars *vars)
{
    for (size_t i = 0; i < vars->value_count; i++) {
        struct span key = vars->values[i].key;

        if (key.len > LIMIT_PLACEHOLDER)
            return error_validation(a, "ExpressionAttributeValues contains invalid key: The "
                                       "expression attribute map contains a key that is too long;");
        if (!well_formed(key, ':'))
            return malformed_key(a, "ExpressionAttributeValues", key);
    }
    return NULL;
}

static int order_keys(const void *a, const void *b)
{
    return span_compare(*(const struct span *)a, *(const struct span *)b);
}

static const struct error *unused_error(struct arena *a, const char *parameter, struct span *keys,
                                        size_t count)
{
    struct error_why why = {CAUSE_UNUSED, .operand = count ? keys[0] : (struct span){NULL, 0},
                            .beside = span_of(parameter)};
    struct buf message = buf_in(a);

    if (!count)
        return NULL;
    qsort(keys, count, sizeof *keys, order_keys);
    buf_printf(&message, "Value provided in %s unused in expressions: keys: {", parameter);
    for (size_t i = 0; i < count; i++) {
        if (i)
            buf_add_text(&message, ", ");
        buf_add_span(&message, keys[i]);
    }
    buf_add_char(&message, '}');
    return error_written(&message, why);
}

const struct error *expr_check_unused(struct arena *a, const struct expr_vars *vars)
{
    struct span *names = arena_array(a, vars->name_count, sizeof *names);
    struct span *values = arena_array(a, vars->value_count, sizeof *values);
    size_t name_count = 0, value_count = 0;
    const struct error *e;

    for (size_t i = 0; i < vars->name_count; i++)
        if (!vars->names[i].used)
            names[name_count++] = vars->names[i].key;
    for (size_t i = 0; i < vars->value_count; i++)
        if (!vars->values[i].used)
            values[value_count++] = vars->values[i].key;
    e = unused_error(a, "ExpressionAttributeNames", names, name_count);
    return e ? e : unused_error(a, "ExpressionAttributeValues", values, value_count);
}
