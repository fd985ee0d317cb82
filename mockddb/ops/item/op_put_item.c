/* op_put_item.c: PutItem and DeleteItem. */
#include "ops/collection.h"
#include "ops/item/legacy.h"
#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_stored.h"
#include "ops/op_target.h"
#include "ops/op_write.h"

static const struct op_styles styles = {
    .legacy = {{.name = "Expected"}, {.name = "ConditionalOperator"}},
    .expressions = {{.name = "ConditionExpression", .takes_values = true}},
};

static const struct error *check_return_values(struct call *c)
{
    enum return_values values = op_write_return_values(c);

    if (values == RETURN_NONE || values == RETURN_ALL_OLD)
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION,
                        ERROR_WHY(CAUSE_MEMBER_WORD, .operand = SPAN_LIT("ReturnValues"),
                                  .place = wire_raw(wire_get(c->body, "ReturnValues")),
                                  .beside = SPAN_LIT("NONE, ALL_OLD")),
                        "ReturnValues can only be ALL_OLD or NONE");
}

/* Reads the member `name`, and checks that ReturnValues is ALL_OLD or NONE. */
static const struct error *read_item(struct call *c, const char *name, struct item *out)
{
    const struct error *e;

    if (wire_is_classic(c->op->members, c->body) && (e = check_return_values(c)))
        return e;
    if ((e = wire_read_item(c->arena, wire_get(c->body, name), WIRE_LAYER_CURRENT, out)))
        return e;
    return check_return_values(c);
}

/* Reads the request, with the item in its member `name`, and does the checks that need no table. */
static const struct error *read_request(struct call *c, const char *name, struct item *item,
                                        struct expr_cond **cond)
{
    bool puts = c->op->form == OP_PUT;
    struct expr_vars vars;
    const struct error *e;

    if ((e = op_expression_check_styles(c, &styles, c->body)) || (e = read_item(c, name, item)) ||
        (puts && (e = op_write_check_size(c->arena, item))) ||
        (e = legacy_expected_read(c, cond)) || (e = legacy_filter_check_operator(c, "Expected")) ||
        (e = op_expression_read_vars(c, &styles, c->body, &vars)) ||
        (e = op_expression_read_condition(c, &vars, cond)))
        return e;
    return expr_check_unused(c->arena, &vars);
}

static const struct error *put_item(struct call *c)
{
    const struct table *t;
    struct item item;
    struct expr_cond *cond = NULL;
    struct change ch;
    const struct error *e;

    if ((e = op_write_error(c, read_request(c, "Item", &item, &cond))) ||
        (e = op_target_find(c, &t)) || (e = key_check_item(c->arena, t, &item)) ||
        (e = op_write_check_indexes(c->arena, t, &item)) ||
        (e = op_expression_check_condition(c, t, cond)) || (e = change_begin(c, t, &item, &ch)) ||
        (e = op_write_check_condition(c, cond, &ch)))
        return e;
    if ((e = change_put(c, &ch, &item, capacity_of(c, t))))
        return e;
    op_stored_reply_old(c, &ch);
    capacity_reply(c);
    return collection_reply_metrics(c, t, &item);
}

const struct op op_put_item = {
    .name = "PutItem",
    .access = OP_WRITES,
    .form = OP_PUT,
    .compares = true,
    .members = WIRE_MEMBERS({"ReturnConsumedCapacity", &wire_return_capacity, 0},
                            {"TableName", &wire_data_table_name, WIRE_REQUIRED | WIRE_NEW_LENGTH},
                            {"Item", &wire_attr_map, WIRE_REQUIRED | WIRE_CLASSIC_DEEP},
                            {"ConditionalOperator", &wire_logical_operator, WIRE_NEW_ENUM},
                            {"Expected", &wire_expected, 0},
                            {"ReturnValues", &wire_return_values, WIRE_NEW_ENUM},
                            {"ReturnItemCollectionMetrics", &wire_return_metrics, 0},
                            {"ReturnValuesOnConditionCheckFailure", &wire_return_on_failure, 0},
                            {"ConditionExpression", &wire_string, 0},
                            {"ExpressionAttributeNames", &wire_free_name_map, 0},
                            {"ExpressionAttributeValues", &wire_attr_map, 0}),
    .run = put_item,
};

static const struct error *delete_item(struct call *c)
{
    const struct table *t;
    struct item key;
    struct expr_cond *cond = NULL;
    struct change ch;
    const struct error *e;

    if ((e = op_write_error(c, read_request(c, "Key", &key, &cond))) ||
        (e = op_target_find(c, &t)) || (e = key_check_parameter(c->arena, t, &key)) ||
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
    .members = WIRE_MEMBERS({"ReturnConsumedCapacity", &wire_return_capacity, 0},
                            {"TableName", &wire_data_table_name, WIRE_REQUIRED | WIRE_NEW_LENGTH},
                            {"ReturnValues", &wire_return_values, WIRE_NEW_ENUM},
                            {"ReturnItemCollectionMetrics", &wire_return_metrics, 0},
                            {"Key", &wire_attr_map, WIRE_REQUIRED | WIRE_CLASSIC_DEEP},
                            {"ConditionalOperator", &wire_logical_operator, WIRE_NEW_ENUM},
                            {"Expected", &wire_expected, 0},
                            {"ReturnValuesOnConditionCheckFailure", &wire_return_on_failure, 0},
                            {"ConditionExpression", &wire_string, 0},
                            {"ExpressionAttributeNames", &wire_free_name_map, 0},
                            {"ExpressionAttributeValues", &wire_attr_map, 0}),
    .run = delete_item,
};
