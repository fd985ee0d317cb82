#include "ops/collection.h"
#include "ops/op_expression.h"
#include "ops/op_write.h"
#include "ops/transaction/transact.h"

#define ACTIONS "TransactItems"

static const struct op_styles styles = {
    .expressions = {{.name = "UpdateExpression", .takes_values = true},
                    {.name = "ConditionExpression", .takes_values = true}},
    .layer = WIRE_LAYER_OLDER,
};

/* --- members ---------------------------------------------------------------------------------- */

/* The members of all four besides the item or key. */
/* clang-format off */
#define CONDITION_MEMBERS(flags)                                                                   \
    {"TableName", &wire_data_table_name, WIRE_REQUIRED},                                           \
    {"ConditionExpression", &wire_string, flags},                                                  \
    {"ExpressionAttributeNames", &wire_name_map, 0},                                               \
    {"ExpressionAttributeValues", &wire_attr_map, 0},                                              \
    {"ReturnValuesOnConditionCheckFailure", &wire_return_on_failure, 0}
/* clang-format on */

static const struct wire_shape check_shape = WIRE_STRUCT_OF(
    "ConditionCheck", {"Key", &wire_attr_map, WIRE_REQUIRED}, CONDITION_MEMBERS(WIRE_REQUIRED));
static const struct wire_shape put_shape = WIRE_STRUCT_OF(
    "Put", {"Item", &wire_attr_map, WIRE_REQUIRED}, CONDITION_MEMBERS(0));
static const struct wire_shape delete_shape = WIRE_STRUCT_OF(
    "Delete", {"Key", &wire_attr_map, WIRE_REQUIRED}, CONDITION_MEMBERS(0));
static const struct wire_shape update_shape = WIRE_STRUCT_OF(
    "Update", {"Key", &wire_attr_map, WIRE_REQUIRED},
    {"UpdateExpression", &wire_string, WIRE_REQUIRED}, CONDITION_MEMBERS(0));
static const struct wire_shape action_shape = WIRE_STRUCT_OF(
    "TransactWriteItem", {"ConditionCheck", &check_shape, 0}, {"Put", &put_shape, 0},
    {"Delete", &delete_shape, 0}, {"Update", &update_shape, 0});

/* --- actions ---------------------------------------------------------------------------------- */

static const struct {
    const char *member;
    enum transact_kind kind;
    const char *item; /* the member that holds the item or its key */
} kinds[] = {
    {"ConditionCheck", TRANSACT_CHECK, "Key"},
    {"Put", TRANSACT_PUT, "Item"},
    {"Delete", TRANSACT_DELETE, "Key"},
    {"Update", TRANSACT_UPDATE, "Key"},
};

/* Finds the entry's kind; it must have exactly one. */
static const struct error *find_kind(struct call *c, const wire_node *entry, size_t *kind)
{
    size_t found = 0;

    for (size_t i = 0; i < COUNT(kinds); i++)
        if (wire_get(entry, kinds[i].member)) {
            *kind = i;
            found++;
        }
    if (found == 1)
        return NULL;
    return error_because(
        c->arena,
        error_of(c->arena, ERROR_VALIDATION,
                 found ? SPAN_LIT("TransactItems can only contain one of Check, Put, Update or "
                                  "Delete")
                       : SPAN_LIT("Invalid Request: TransactWriteRequest should contain Delete or "
                                  "Put or Update request")),
        ERROR_WHY(found || !wire_first(entry) ? CAUSE_ENTRY_ACTIONS : CAUSE_UNKNOWN,
                  .operand = SPAN_LIT("TransactItems"), .count = found,
                  .beside = SPAN_LIT("Put, Update, Delete and ConditionCheck")));
}

static const struct error *read_request_expressions(struct call *c, const wire_node *parameters,
                                                    struct expr_vars *vars,
                                                    struct transact_action *action)
{
    const wire_node *update = wire_get(parameters, "UpdateExpression");
    const wire_node *condition = wire_get(parameters, "ConditionExpression");
    struct expr_cond *cond;
    const struct error *e;

    if (action->kind == TRANSACT_UPDATE &&
        (e = expr_read_update(c->arena, wire_text(update), vars, &action->update)))
        return e;
    if (condition) {
        if ((e = expr_read_condition(c->arena, "ConditionExpression", wire_text(condition), vars,
                                     &cond)))
            return e;
        action->cond = cond;
    }
    if (!update && !condition)
        return NULL; /* only here, placeholders without an expression are accepted */
    return expr_check_unused(c->arena, vars);
}

static const struct error *read_action(struct call *c, const wire_node *entry, size_t kind,
                                       struct transact_action *action)
{
    struct expr_vars vars;
    const wire_node *parameters = wire_get(entry, kinds[kind].member);
    const struct error *e;
    size_t size = 0;

    action->kind = kinds[kind].kind;
    action->table_name = wire_text(wire_get(parameters, "TableName"));
    action->show_on_failure = op_write_shows_on_failure(parameters);
    if ((e = op_expression_read_vars(c, &styles, parameters, &vars)) ||
        (e = read_request_expressions(c, parameters, &vars, action)) ||
        (e = wire_read_item(c->arena, wire_get(parameters, kinds[kind].item), WIRE_LAYER_OLDER,
                            &action->item)))
        return e;
    for (size_t i = 0; i < vars.value_count; i++)
        size += attr_size(&vars.values[i].value);
    action->values_size = size;
    return action->kind == TRANSACT_PUT ? op_write_check_size(c->arena, &action->item) : NULL;
}

/* --- the request ------------------------------------------------------------------------------ */

static bool is_write_to(const struct transact_action *action, const struct table *table)
{
    return action->table == table && action->kind != TRANSACT_CHECK;
}

/* Whether no earlier action writes to the action's table. */
static bool is_first_write(const struct transact *t, size_t i)
{
    const struct table *table = t->actions[i].table;
    size_t first = 0;

    while (first < i && !is_write_to(&t->actions[first], table))
        first++;
    return first == i && is_write_to(&t->actions[i], table);
}

/* Writes ItemCollectionMetrics: a list for each written table with an LSI. */
static const struct error *reply_metrics(struct call *c, const struct transact *t)
{
    const struct error *e;
    bool open = false;

    for (size_t i = 0; i < t->len; i++) {
        const struct table *table = t->actions[i].table;

        if (!is_first_write(t, i) || !collection_metrics_asked(c, table))
            continue;
        if (!open) {
            wire_open_member(&c->reply, "ItemCollectionMetrics", '{');
            open = true;
        }
        wire_key_span(&c->reply, t->actions[i].table_name);
        wire_open(&c->reply, '[');
        for (size_t k = i; k < t->len; k++)
            if (is_write_to(&t->actions[k], table) &&
                (e = collection_put_metrics(c, table, &t->actions[k].item)))
                return e;
        wire_close(&c->reply, ']');
    }
    if (open)
        wire_close(&c->reply, '}');
    return NULL;
}

static const struct error *transact_write_items(struct call *c)
{
    struct transact t = {.len = 0};
    const struct error *e;
    bool replayed;
    const wire_node *entries = wire_get(c->body, ACTIONS);
    size_t *kind = arena_array(c->arena, wire_count(entries), sizeof *kind), count = 0;

    for (const wire_node *n = wire_first(entries); n; n = wire_next(n))
        if ((e = find_kind(c, n, &kind[count++])))
            return e;
    t.actions = arena_array(c->arena, count, sizeof *t.actions);
    for (const wire_node *n = wire_first(entries); n; n = wire_next(n), t.len++)
        if ((e = read_action(c, n, kind[t.len], &t.actions[t.len])))
            return error_in(c->arena, e, t.len + 1);
    if ((e = transact_write_once(c, &t, ACTIONS, &replayed)))
        return e;
    capacity_reply_list(c);
    return replayed ? NULL : reply_metrics(c, &t);
}

const struct op op_transact_write_items = {
    .name = "TransactWriteItems",
    .access = OP_WRITES,
    .form = OP_TRANSACT_WRITE,
    .members = WIRE_MEMBERS(
        {"ClientRequestToken", &transact_token_shape, 0},
        {"ReturnConsumedCapacity", &wire_return_capacity, 0},
        {"ReturnItemCollectionMetrics", &wire_return_metrics, 0},
        {ACTIONS, WIRE_SHAPE(WIRE_LIST, .element = &action_shape, WIRE_BOUNDS(1, LIMIT_ACTIONS)),
         WIRE_REQUIRED}),
    .run = transact_write_items,
};
