#include "model/limits.h"
#include "ops/op.h"
#include "ops/read/read_request.h"
#include "ops/statement/statement_select.h"
#include "ops/statement/statement_write.h"

static const struct wire_shape next_token_shape = {.type = WIRE_STRING,
                                                   WIRE_BOUNDS(1, LIMIT_NEXT_TOKEN)};

static const struct wire_member execute_statement_members[] = {
    {"Statement", &statement_text_shape, WIRE_REQUIRED},
    {"Parameters", &statement_parameters_shape, 0},
    {"ConsistentRead", &wire_boolean, 0},
    {"NextToken", &next_token_shape, 0},
    {"ReturnConsumedCapacity", &wire_return_capacity, 0},
    {"Limit", &read_request_limit_shape, 0},
    {"ReturnValuesOnConditionCheckFailure", &wire_return_on_failure, 0},
    {NULL, NULL, 0},
};

static const struct error *check_token(struct call *c, const struct statement *s)
{
    if (statement_is_write(s) && wire_get(c->body, "NextToken"))
        return error_validation(c->arena, "NextToken is only valid on a SELECT statement");
    return NULL;
}

static const struct error *write_item(struct call *c, struct statement *s)
{
    struct statement_shown shown;
    const struct error *e = statement_write(c, s, &shown, capacity_of(c, s->table));

    if (e)
        return e;
    wire_open_member(&c->reply, "Items", '[');
    if (statement_write_shows(&shown))
        statement_write_put_shown(c, &shown);
    wire_close(&c->reply, ']');
    capacity_reply(c);
    return NULL;
}

static const struct error *execute_statement(struct call *c)
{
    struct statement s;
    const struct error *e;

    if ((e = statement_read_entry(c, c->body, &s)) || (e = statement_parse_text(c, &s)) ||
        (e = statement_refuse_exists(c, &s)) || (e = check_token(c, &s)) ||
        (e = statement_find_table(c, &s)) || (e = statement_find_key(c, &s)))
        return e;
    return statement_is_write(&s) ? write_item(c, &s) : statement_select(c, &s);
}

const struct op op_execute_statement = {
    .name = "ExecuteStatement",
    .access = OP_MAY_WRITE,
    .form = OP_STATEMENT,
    .members = execute_statement_members,
    .run = execute_statement,
};
