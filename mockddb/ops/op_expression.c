#include "ops/op_expression.h"

#include "ops/op_fault.h"

/* --- styles ----------------------------------------------------------------------------------- */

static bool is_present(const wire_node *const *parts, size_t count, const struct op_parameter *p)
{
    for (size_t i = 0; i < count; i++)
        if (wire_get(parts[i], p->name) && (!p->beside || wire_get(parts[i], p->beside)))
            return true;
    return false;
}

/* Lists the parameters that are present; false if all are absent. */
static bool list_present(struct buf *out, const struct op_parameter *list,
                         const wire_node *const *parts, size_t count)
{
    bool any = false;

    for (; list->name; list++) {
        if (!is_present(parts, count, list))
            continue;
        buf_add_text(out, any ? ", " : "");
        buf_add_text(out, list->name);
        any = true;
    }
    return any;
}

const struct error *op_expression_check_mixing(struct call *c, const struct op_styles *styles,
                                               const wire_node *const *parts, size_t count)
{
    struct buf legacy = buf_in(c->arena), expressions = buf_in(c->arena);

    if (!list_present(&legacy, styles->legacy, parts, count) ||
        !list_present(&expressions, styles->expressions, parts, count))
        return NULL;
    return error_caused(
        c->arena, ERROR_VALIDATION,
        ERROR_WHY(CAUSE_TWO_STYLES, .operand = buf_span(&legacy), .beside = buf_span(&expressions)),
        "Can not use both expression and non-expression parameters in the same "
        "request: Non-expression parameters: {%s} Expression parameters: {%s}",
        buf_text(&legacy), buf_text(&expressions));
}

/* Whether any expression of the operation (parameters NULL), or a present one, takes values. */
static bool takes_values(const struct op_styles *styles, const wire_node *parameters)
{
    for (const struct op_parameter *p = styles->expressions; p->name; p++)
        if (p->takes_values && (!parameters || wire_get(parameters, p->name)))
            return true;
    return false;
}

/* A map of placeholders without an expression that may have them. */
static struct error_why unused_map(const wire_node *map)
{
    const wire_node *first = wire_first(map);

    return ERROR_WHY(first ? CAUSE_UNUSED : CAUSE_EMPTY_MAP,
                     .operand = first ? wire_name(first) : (struct span){NULL, 0},
                     .beside = wire_name(map));
}

const struct error *op_expression_check_styles(struct call *c, const struct op_styles *styles,
                                               const wire_node *parameters)
{
    const wire_node *names = wire_get(parameters, "ExpressionAttributeNames");
    const wire_node *values = wire_get(parameters, "ExpressionAttributeValues");
    const struct error *e = op_expression_check_mixing(c, styles, &parameters, 1);
    struct buf unused = buf_in(c->arena);

    if (e)
        return e;
    if (names && !list_present(&unused, styles->expressions, &parameters, 1))
        return error_caused(
            c->arena, ERROR_VALIDATION, unused_map(names),
            "ExpressionAttributeNames can only be specified when using expressions");
    if (values && takes_values(styles, NULL) && !takes_values(styles, parameters))
        return error_caused(
            c->arena, ERROR_VALIDATION, unused_map(values),
            "ExpressionAttributeValues can only be specified when using expressions%s",
            styles->no_values_tail ? styles->no_values_tail : "");
    return NULL;
}

/* --- placeholders ----------------------------------------------------------------------------- */

static const struct error *read_names(struct call *c, const wire_node *map, struct expr_vars *out)
{
    if (!wire_count(map))
        return error_caused(c->arena, ERROR_VALIDATION, unused_map(map),
                            "ExpressionAttributeNames must not be empty");
    out->names = arena_array(c->arena, wire_count(map), sizeof *out->names);
    for (const wire_node *n = wire_first(map); n; n = wire_next(n))
        out->names[out->name_count++] = (struct expr_name){wire_name(n), wire_text(n), false};
    return expr_check_names(c->arena, out);
}

/* A value must not be larger than an item. The older value checker allows one level more. */
static const struct error *read_value(struct arena *a, const wire_node *node,
                                      const struct op_styles *styles, struct attr *out)
{
    bool older = styles->layer == WIRE_LAYER_OLDER;
    const struct error *e = wire_read_attr(a, node, styles->layer, out);

    if (e)
        return e;
    if (wire_is_deeper(node, older ? LIMIT_NESTING + 1 : LIMIT_NESTING))
        return wire_nesting_error(a);
    if (attr_size(out) <= LIMIT_ITEM_BYTES)
        return NULL;
    return error_bare(a, styles->updates ? op_fault_updated_size(a) : op_fault_size(a));
}

static const struct error *read_values(struct call *c, const wire_node *map,
                                       const struct op_styles *styles, struct expr_vars *out)
{
    struct expr_value *v;
    const struct error *e;

    if (!wire_count(map))
        return error_caused(c->arena, ERROR_VALIDATION, unused_map(map),
                            "ExpressionAttributeValues must not be empty");
    out->values = arena_array(c->arena, wire_count(map), sizeof *out->values);
    for (const wire_node *n = wire_first(map); n; n = wire_next(n))
        out->values[out->value_count++].key = wire_name(n);
    if ((e = expr_check_value_keys(c->arena, out)))
        return e;
    v = out->values;
    for (const wire_node *n = wire_first(map); n; n = wire_next(n), v++)
        if ((e = read_value(c->arena, n, styles, &v->value))) {
            struct buf text = buf_in(c->arena);

            /* The older value checker adds the place of the error. */
            e = error_about(c->arena, e, v->key);
            if (styles->layer == WIRE_LAYER_CURRENT)
                return e;
            buf_add_text(&text, "ExpressionAttributeValues contains invalid value: ");
            buf_add_span(&text, e->message);
            buf_add_text(&text, " for key ");
            buf_add_span(&text, v->key);
            return error_written(&text, e->why);
        }
    return NULL;
}

const struct error *op_expression_read_vars(struct call *c, const struct op_styles *styles,
                                            const wire_node *parameters, struct expr_vars *out)
{
    const wire_node *names = wire_get(parameters, "ExpressionAttributeNames");
    const wire_node *values = wire_get(parameters, "ExpressionAttributeValues");
    const struct error *e;

    *out = (struct expr_vars){0};
    if (names && (e = read_names(c, names, out)))
        return e;
    if (!values || !takes_values(styles, NULL))
        return NULL;
    return read_values(c, values, styles, out);
}

const struct error *op_expression_read_projection(struct call *c, const wire_node *parameters,
                                                  struct expr_vars *vars,
                                                  struct expr_projection *out)
{
    const wire_node *text = wire_get(parameters, "ProjectionExpression");

    return text ? expr_read_projection(c->arena, wire_text(text), vars, out) : NULL;
}

/* --- conditions ------------------------------------------------------------------------------- */

const struct error *op_expression_read_condition(struct call *c, struct expr_vars *vars,
                                                 struct expr_cond **out)
{
    const wire_node *text = wire_get(c->body, "ConditionExpression");

    if (!text)
        return NULL;
    return expr_read_condition(c->arena, "ConditionExpression", wire_text(text), vars, out);
}

const struct error *op_expression_check_condition(struct call *c, const struct table *t,
                                                  const struct expr_cond *cond)
{
    const struct path *const *paths;
    size_t count;

    if (!cond)
        return NULL;
    expr_condition_paths(c->arena, cond, &paths, &count);
    return expr_check_key_paths(c->arena, t, paths, count);
}

const struct error *op_expression_check_update(struct call *c, const struct table *t,
                                               const struct expr_update *update)
{
    const struct path *const *paths;
    size_t count;

    if (!update)
        return NULL;
    expr_update_paths(c->arena, update, &paths, &count);
    return expr_check_key_paths(c->arena, t, paths, count);
}

const struct error *op_expression_check_projection(struct call *c, const struct table *t,
                                                   const struct expr_projection *p)
{
    const struct path **paths = arena_array(c->arena, p->len, sizeof *paths);

    for (size_t i = 0; i < p->len; i++)
        paths[i] = &p->paths[i];
    return expr_check_key_paths(c->arena, t, paths, p->len);
}
