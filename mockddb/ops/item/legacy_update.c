#include "ops/item/legacy_update.h"

#include "ops/item/legacy_entry.h"
#include "ops/op_fault.h"

#define T(type)  (1u << ATTR_##type)
#define ANY_TYPE (~0u)

/* The actions, with the types of their values. */
static const struct action {
    enum expr_action action;
    unsigned types;
    const char *description;
} actions[] = {
    [ACTION_ADD] = {EXPR_ADD, T(N) | T(SS) | T(NS) | T(BS) | T(L), "ADD action"},
    [ACTION_PUT] = {EXPR_SET, ANY_TYPE, "PUT action"},
    [ACTION_DELETE] = {EXPR_DELETE, T(SS) | T(NS) | T(BS), "DELETE action with value"},
};

static const struct error *check_action_type(struct arena *a, const struct action *action,
                                             enum attr_type type)
{
    if (action->types & 1u << type)
        return NULL;
    return error_parameter(a, "%s is not supported for the type %s", action->description,
                           attr_type_code(type));
}

static const struct error *read_update(struct call *c, const wire_node *node,
                                       struct expr_update *update)
{
    struct span name = wire_text(wire_get(node, "Action"));
    const struct action *action = &actions[names_find(names_update_actions, name, ACTION_PUT)];
    const wire_node *value = wire_get(node, "Value");
    struct path_step *step = arena_alloc(c->arena, sizeof *step);
    struct path path = {step, 1};
    const struct error *e;
    struct attr *operand;

    step->name = wire_name(node);
    if ((e = wire_check_name(c->arena, step->name)))
        return e;
    if (!value) {
        if (action->action != EXPR_DELETE)
            return error_parameter(
                c->arena, "Only DELETE action is allowed when no attribute value is specified");
        expr_update_add(c->arena, update, EXPR_REMOVE, &path, NULL);
        return NULL;
    }
    operand = arena_alloc(c->arena, sizeof *operand);
    if ((e = legacy_entry_value(c, value, WIRE_LAYER_CURRENT, operand)) ||
        (e = check_action_type(c->arena, action, operand->type)))
        return e;
    expr_update_add(c->arena, update, action->action, &path, operand);
    return NULL;
}

const struct error *legacy_update_read(struct call *c, struct expr_update **out)
{
    const wire_node *map = wire_get(c->body, "AttributeUpdates");
    struct expr_update *update;
    const struct error *e = op_fault_check_entries(c->arena, "AttributeUpdates", wire_count(map));

    *out = NULL;
    if (e || !map)
        return e;
    update = expr_update_new(c->arena, "Type mismatch for attribute to update");
    for (const wire_node *n = wire_first(map); n; n = wire_next(n))
        if ((e = read_update(c, n, update)))
            return e;
    *out = update;
    return NULL;
}
