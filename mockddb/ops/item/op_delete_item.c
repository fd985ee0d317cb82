#include "ops/collection.h"
#include "ops/item/legacy.h"
#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_stored.h"
#include "ops/op_target.h"
#include "ops/op_write.h"
#include "wire/wire_shape.h"

static const struct wire_member delete_item_members[] = {
    {"ReturnConsumedCapacity", &wire_return_capacity, 0},
    {"TableName", &wire_data_table_name, WIRE_REQUIRED | WIRE_NEW_LENGTH},
    {"ReturnValues", &wire_return_values, WIRE_NEW_ENUM},
    {"ReturnItemCollectionMetrics", &wire_return_metrics, 0},
    {"Key", &wire_attr_map, WIRE_REQUIRED | WIRE_CLASSIC_DEEP},
    {"ConditionalOperator", &wire_logical_operator, WIRE_NEW_ENUM},
    {"Expected", &wire_expected, 0},
    {"ReturnValuesOnConditionCheckFailure", &wire_return_on_failure, 0},
    {"ConditionExpression", &wire_string, 0},
    {"ExpressionAttributeNames", &wire_free_name_map, 0},
    {"ExpressionAttributeValues", &wire_attr_map, 0},
    {NULL, NULL, 0},
};

static const struct op_styles delete_item_styles = {
    .legacy = {{.name = "Expected"}, {.name = "ConditionalOperator"}},
    .expressions = {{.name = "ConditionExpression", .takes_values = true}},
};

/* Reads the request and does the checks that need no table. */
static const struct error *read_request(struct call *c, struct item *key, struct expr_cond **cond)
{
    struct expr_vars vars;
    const struct error *e;

    if ((e = op_expression_check_styles(c, &delete_item_styles, c->body)) ||
        (e = op_write_read(c, "Key", key)) || (e = legacy_expected_read(c, cond)) ||
        (e = legacy_filter_check_operator(c, "Expected")) ||
        (e = op_expression_read_vars(c, &delete_item_styles, c->body, &vars)) ||
        (e = op_expression_read_condition(c, &vars, cond)))
        return e;
    return expr_check_unused(c->arena, &vars);
}

static const struct error *delete_item(struct call *c)
{
    const struct table *t;
    struct item key;
    struct expr_cond *cond = NULL;
    struct change ch;
    const struct error *e;

    if ((e = op_write_error(c, read_request(c, &key, &cond))) || (e = op_target_find(c, &t)) ||
        (e = key_check_parameter(c->arena, t, &key)) ||
        (e = op_expression_check_condition(c, t, cond)) || (e = change_begin(c, t, &key, &ch)) ||
        (e = op_write_check_condition(c, cond, &ch)))
        return e;
    if ((e = change_delete(c, &ch, capacity_of(c, t))))
        return e;
    op_stored_reply_old(c, &ch);
    capacity_reply(c);
    return collection_reply_metrics(c, t, &key);
}

const struct op op_delete_item = {
    .name = "DeleteItem",
    .access = OP_WRITES,
    .form = OP_DELETE,
    .compares = true,
    .members = delete_item_members,
    .run = delete_item,
};
