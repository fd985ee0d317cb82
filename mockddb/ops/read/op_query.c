#include "ops/item/legacy.h"
#include "ops/read/query_key.h"
#include "ops/read/read_plan.h"
#include "ops/read/read_request.h"

/* An unknown ConditionalOperator with two or more conditions is the service's first error. */
static const struct error *precheck_query(struct call *c)
{
    struct span operator= wire_text(wire_get(c->body, "ConditionalOperator"));

    if (!operator.at || span_is(operator, "AND") || span_is(operator, "OR") ||
        wire_count(wire_get(c->body, "QueryFilter")) < 2)
        return NULL;
    return error_caused(
        c->arena, ERROR_VALIDATION,
        ERROR_WHY(CAUSE_MEMBER_WORD, .operand = SPAN_LIT("ConditionalOperator"),
                  .place = wire_raw(wire_get(c->body, "ConditionalOperator")),
                  .beside = SPAN_LIT("AND, OR")),
        "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]");
}

/* KeyConditionExpression as a tree, or KeyConditions as clauses. */
struct key_condition {
    struct node *tree; /* NULL: see clauses */
    struct expr_key clauses;
};

static const struct error *read_key_condition(struct call *c, struct read_request *r,
                                              struct key_condition *key)
{
    const wire_node *text = wire_get(c->body, "KeyConditionExpression");

    if (!text)
        return legacy_filter_read_keys(c, read_request_layer(r), &key->clauses);
    return expr_read_key_condition(c->arena, wire_text(text), &r->vars, &key->tree);
}

const struct error *read_plan_query(struct call *c, struct read_plan *out)
{
    struct read_request r = {.filter_name = "QueryFilter", .is_query = true};
    struct key_condition key = {.tree = NULL};
    const struct table *t;
    const struct index *ix;
    const struct error *e;

    if ((e = read_request_options(c, &r)) || (e = read_request_select(c, &r)))
        return e;
    if (!wire_get(c->body, "KeyConditionExpression") && !wire_get(c->body, "KeyConditions"))
        return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_CONDITION_NONE),
                            "Either the KeyConditions or KeyConditionExpression "
                            "parameter must be specified in the request.");
    if ((e = read_request_expressions(c, &r)) || (e = read_key_condition(c, &r, &key)) ||
        (e = expr_check_unused(c->arena, &r.vars)))
        return e;
    if (key.tree && (e = expr_reduce_key_condition(c->arena, key.tree, &key.clauses)))
        return e;
    if ((e = read_request_target(c, &r, &t, &ix)))
        return e;
    out->key = key.clauses;
    out->page = read_request_page(c, &r, t, ix);
    out->page.range.backwards = !wire_bool(wire_get(c->body, "ScanIndexForward"), true);
    if ((e = query_key_range(c, t, ix, &key.clauses, r.has_start ? &r.start : NULL,
                             &out->page.range)))
        return e;
    return read_request_check_names(c, &r, t, ix);
}

static const struct error *run_query(struct call *c)
{
    struct read_plan plan;
    const struct error *e = read_plan_query(c, &plan);

    return e ? e : read_page(c, &plan.page);
}

const struct op op_query = {
    .name = "Query",
    .form = OP_QUERY,
    .paging = &op_pages_of_items,
    .members = WIRE_MEMBERS(
        {"Select", &read_request_select_shape, 0},
        {"ReturnConsumedCapacity", &wire_return_capacity, 0},
        {"AttributesToGet", &wire_name_list, 0},
        {"TableName", &wire_data_table_name, WIRE_REQUIRED}, {"IndexName", &wire_index_name, 0},
        {"Limit", &read_request_limit_shape, WIRE_NEW_LENGTH}, {"ConsistentRead", &wire_boolean, 0},
        {"KeyConditions", &wire_condition_map, 0}, {"QueryFilter", &wire_condition_map, 0},
        {"ConditionalOperator", &wire_logical_operator, WIRE_UNCHECKED},
        {"ScanIndexForward", &wire_boolean, 0}, {"ExclusiveStartKey", &wire_attr_map, 0},
        {"ProjectionExpression", &wire_string, 0}, {"FilterExpression", &wire_string, 0},
        {"KeyConditionExpression", &wire_string, 0},
        {"ExpressionAttributeNames", &wire_name_map, 0},
        {"ExpressionAttributeValues", &wire_attr_map, 0}),
    .precheck = precheck_query,
    .run = run_query,
};
