#include "ops/op_expression.h"
#include "ops/transaction/transact.h"

static const struct op_styles styles = {
    .expressions = {{.name = "ProjectionExpression"}},
    .layer = WIRE_LAYER_OLDER,
};

static const struct wire_shape get_shape = WIRE_STRUCT_OF(
    "Get", {"Key", &wire_attr_map, WIRE_REQUIRED},
    {"TableName", &wire_data_table_name, WIRE_REQUIRED}, {"ProjectionExpression", &wire_string, 0},
    {"ExpressionAttributeNames", &wire_name_map, 0});
static const struct wire_shape entry_shape = WIRE_STRUCT_OF("TransactGetItem",
                                                            {"Get", &get_shape, WIRE_REQUIRED});

static const struct error *transact_get_items(struct call *c)
{
    const wire_node *entries = wire_get(c->body, "TransactItems");
    struct transact t = {.len = 0};
    const struct error *e;

    t.actions = arena_array(c->arena, wire_count(entries), sizeof *t.actions);
    for (const wire_node *n = wire_first(entries); n; n = wire_next(n)) {
        struct transact_action *action = &t.actions[t.len++];
        const wire_node *get = wire_get(n, "Get");
        struct expr_vars vars;

        action->kind = TRANSACT_GET;
        action->table_name = wire_text(wire_get(get, "TableName"));
        if ((e = op_expression_read_vars(c, &styles, get, &vars)) ||
            (e = op_expression_read_projection(c, get, &vars, &action->projection)) ||
            (wire_get(get, "ProjectionExpression") && (e = expr_check_unused(c->arena, &vars))) ||
            (e = wire_read_item(c->arena, wire_get(get, "Key"), styles.layer, &action->item)))
            return error_in(c->arena, e, t.len);
    }
    if ((e = transact_resolve(c, &t)) || (e = transact_read(c, &t)))
        return e;
    wire_open_member(&c->reply, "Responses", '[');
    for (size_t i = 0; i < t.len; i++)
        if ((e = transact_put_item(c, &t.actions[i])))
            return e;
    wire_close(&c->reply, ']');
    capacity_reply_list(c);
    return NULL;
}

const struct op op_transact_get_items = {
    .name = "TransactGetItems",
    .form = OP_TRANSACT_GET,
    .members = WIRE_MEMBERS(
        {"ReturnConsumedCapacity", &wire_return_capacity, 0},
        {"TransactItems",
         WIRE_SHAPE(WIRE_LIST, .element = &entry_shape, WIRE_BOUNDS(1, LIMIT_ACTIONS)),
         WIRE_REQUIRED}),
    .run = transact_get_items,
};
