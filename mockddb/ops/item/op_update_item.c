#include "base/ascii.h"
#include "ops/collection.h"
#include "ops/item/legacy.h"
#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_fault.h"
#include "ops/op_stored.h"
#include "ops/op_target.h"
#include "ops/op_write.h"

static const struct op_styles update_item_styles = {
    .legacy = {{.name = "AttributeUpdates"}, {.name = "Expected"}, {.name = "ConditionalOperator"}},
    .expressions = {{.name = "UpdateExpression", .takes_values = true},
                    {.name = "ConditionExpression", .takes_values = true}},
    .updates = true,
};

struct update_request {
    struct item key;
    struct expr_cond *cond;     /* NULL: no condition */
    struct expr_update *update; /* NULL: no update */
    bool is_expression;         /* the update comes from UpdateExpression */
};

/* Reads the request and does the checks that need no table. */
static const struct error *read_request(struct call *c, struct update_request *r)
{
    struct expr_vars vars;
    const struct error *e;
    const wire_node *text;

    /* Errors of the condition come before errors of the update, except for an empty update. */
    if ((e = op_expression_check_styles(c, &update_item_styles, c->body)) ||
        (e = wire_read_item(c->arena, wire_get(c->body, "Key"), WIRE_LAYER_CURRENT, &r->key)) ||
        (e = legacy_update_read(c, &r->update)) || (e = legacy_expected_read(c, &r->cond)) ||
        (e = legacy_filter_check_operator(c, "Expected")) ||
        (e = op_expression_read_vars(c, &update_item_styles, c->body, &vars)))
        return e;
    text = wire_get(c->body, "UpdateExpression");
    r->is_expression = text != NULL;
    if ((!text || !span_is_all(wire_text(text), ascii_is_blank)) &&
        (e = op_expression_read_condition(c, &vars, &r->cond)))
        return e;
    if (text && (e = expr_read_update(c->arena, wire_text(text), &vars, &r->update)))
        return e;
    return expr_check_unused(c->arena, &vars);
}

/* Applies the update to the stored item, or to the key alone if there is no item. */
static const struct error *finish_item(struct call *c, const struct table *t,
                                       const struct update_request *r, const struct item *old,
                                       struct item *out)
{
    const struct error *e;

    if (!r->update) {
        *out = old ? *old : r->key;
        return NULL;
    }
    if ((e = expr_apply(c->arena, r->update, old ? old : &r->key, out)) ||
        (e = op_write_check_updated(c->arena, t, out)))
        return e;
    return key_check_updated_indexes(c->arena, t, r->is_expression ? r->update : NULL, old, out);
}

static void put_updated_part(struct call *c, const struct expr_update *update,
                             const struct item *it)
{
    struct item part = {.len = 0};

    if (update)
        part = expr_updated_part(c->arena, update, it);
    if (!part.len)
        return;
    wire_key(&c->reply, "Attributes");
    op_stored_put_item(c, &part);
}

/* Changes the item and writes the requested values into the reply. */
static const struct error *change_item(struct call *c, const struct update_request *r,
                                       struct change *ch, struct capacity *used)
{
    const struct error *e;
    struct item now;

    if (r->update && !ch->old.found && expr_update_only_takes(r->update)) {
        change_keep(ch, used);
        return NULL;
    }
    if ((e = finish_item(c, ch->table, r, change_old(c, ch), &now)) ||
        (e = change_put(c, ch, &now, used)))
        return e;
    switch (op_write_return_values(c)) {
    case RETURN_NONE:
        break;
    case RETURN_ALL_OLD:
        op_stored_reply_old(c, ch);
        break;
    case RETURN_ALL_NEW:
        wire_put_member_raw(&c->reply, "Attributes", ch->body);
        break;
    case RETURN_UPDATED_OLD:
        put_updated_part(c, r->update, change_old(c, ch));
        break;
    case RETURN_UPDATED_NEW:
        put_updated_part(c, r->update, &now);
        break;
    }
    return NULL;
}

static const struct error *update_item(struct call *c)
{
    const struct table *t;
    struct update_request r = {.is_expression = false};
    struct change ch;
    const struct error *e;

    if ((e = op_write_error(c, read_request(c, &r))))
        return e;
    /* The statement itself has a limit in bytes, whatever the item becomes. */
    if (r.is_expression && expr_update_charge(r.update) > LIMIT_UPDATE_CHARGE)
        return op_fault_updated_size(c->arena);
    if ((e = op_target_find(c, &t)) || (e = key_check_parameter(c->arena, t, &r.key)) ||
        (r.update && (e = key_check_targets(c->arena, t, r.update))) ||
        (e = op_expression_check_update(c, t, r.update)) ||
        (e = op_expression_check_condition(c, t, r.cond)) ||
        (e = change_begin(c, t, &r.key, &ch)) || (e = op_write_check_condition(c, r.cond, &ch)))
        return e;
    if ((e = change_item(c, &r, &ch, capacity_of(c, t))))
        return e;
    capacity_reply(c);
    return collection_reply_metrics(c, t, &r.key);
}

const struct op op_update_item = {
    .name = "UpdateItem",
    .access = OP_WRITES,
    .form = OP_UPDATE,
    .compares = true,
    .members = WIRE_MEMBERS(
        {"ReturnConsumedCapacity", &wire_return_capacity, 0},
        {"TableName", &wire_data_table_name, WIRE_REQUIRED | WIRE_NEW_LENGTH},
        {"ReturnItemCollectionMetrics", &wire_return_metrics, 0},
        {"ReturnValues", &wire_return_values, WIRE_NEW_ENUM | WIRE_ALONE},
        {"ConditionalOperator", &wire_logical_operator, WIRE_NEW_ENUM},
        {"Key", &wire_attr_map, WIRE_REQUIRED | WIRE_CLASSIC_WITHOUT | WIRE_CLASSIC_DEEP},
        {"Expected", &wire_expected, 0}, {"AttributeUpdates", &wire_attr_updates, 0},
        {"ReturnValuesOnConditionCheckFailure", &wire_return_on_failure, 0},
        {"UpdateExpression", &wire_string, 0}, {"ConditionExpression", &wire_string, 0},
        {"ExpressionAttributeNames", &wire_free_name_map, 0},
        {"ExpressionAttributeValues", &wire_attr_map, 0}),
    .run = update_item,
};
