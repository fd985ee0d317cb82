#include "model/key.h"
#include "ops/item/legacy.h"
#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_stored.h"
#include "ops/op_target.h"

static const struct op_styles get_item_styles = {
    .legacy = {{.name = "AttributesToGet"}},
    .expressions = {{.name = "ProjectionExpression"}},
};

static const struct error *get_item(struct call *c)
{
    const struct table *t;
    struct item key;
    struct expr_projection projection;
    struct buf position = buf_in(c->arena);
    bool consistent = wire_bool(wire_get(c->body, "ConsistentRead"), false);
    struct store_row row;
    const struct error *e;
    struct expr_vars vars;

    /* Reads the request and does the checks that need no table. */
    if ((e = op_expression_check_styles(c, &get_item_styles, c->body)) ||
        (e = wire_read_item(c->arena, wire_get(c->body, "Key"), WIRE_LAYER_CURRENT, &key)) ||
        (e = legacy_attributes_read(c, c->body, &projection)) ||
        (e = op_expression_read_vars(c, &get_item_styles, c->body, &vars)) ||
        (e = op_expression_read_projection(c, c->body, &vars, &projection)))
        return e;
    if ((e = expr_check_unused(c->arena, &vars)) || (e = op_target_find(c, &t)) ||
        (e = key_check_parameter(c->arena, t, &key)) ||
        (e = op_expression_check_projection(c, t, &projection)))
        return e;
    key_of_item(&position, t, &key);
    if ((e = op_stored_get(c, buf_span(&position), consistent, &row)))
        return e;
    if (row.found) {
        wire_key(&c->reply, "Item");
        op_stored_put(c, row.body, &projection);
    }
    capacity_add_get(capacity_of(c, t), capacity_at(buf_span(&position)), row.size, consistent,
                     true);
    capacity_reply(c);
    return NULL;
}

const struct op op_get_item = {
    .name = "GetItem",
    .form = OP_GET,
    .members = WIRE_MEMBERS(
        {"ReturnConsumedCapacity", &wire_return_capacity, 0},
        {"AttributesToGet", &wire_name_list, 0},
        {"TableName", &wire_data_table_name, WIRE_REQUIRED}, {"Key", &wire_attr_map, WIRE_REQUIRED},
        {"ConsistentRead", &wire_boolean, 0}, {"ProjectionExpression", &wire_string, 0},
        {"ExpressionAttributeNames", &wire_name_map, 0}),
    .run = get_item,
};
