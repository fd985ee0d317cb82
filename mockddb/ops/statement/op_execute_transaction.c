#include "ops/statement/statement.h"
#include "ops/transaction/transact.h"

#define STATEMENTS "TransactStatements"

static const struct wire_shape entry_shape = WIRE_STRUCT_OF(
    "ParameterizedStatement", {"Statement", &statement_text_shape, WIRE_REQUIRED},
    {"Parameters", &statement_parameters_shape, 0},
    {"ReturnValuesOnConditionCheckFailure", &wire_return_on_failure, 0});

/* Adds the statement's number to its error; a missing table fails the whole request. */
static const struct error *fault_in(struct call *c, size_t i, const struct error *e)
{
    struct buf message = buf_in(c->arena);

    if (!e || e->kind != ERROR_VALIDATION)
        return error_in(c->arena, e, i + 1);
    buf_printf(&message, "Validation failed in " STATEMENTS "[%zu]: ", i);
    buf_add_span(&message, e->message);
    return error_in(c->arena, error_written(&message, e->why), i + 1);
}

/* --- statements ------------------------------------------------------------------------------- */

static const struct error *parse_statement(struct call *c, struct statement *s)
{
    const struct error *e = statement_parse_text(c, s);

    if (e)
        return e;
    if (s->parsed.returning != PARTIQL_RETURNING_NOTHING)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_MEMBER_BARRED, .operand = SPAN_LIT("RETURNING"),
                                      .beside = SPAN_LIT("ExecuteTransaction")),
                            "RETURNING clause is not supported in ExecuteTransaction.");
    if (s->parsed.index.at)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_MEMBER_BARRED, .operand = s->parsed.index,
                                      .beside = SPAN_LIT("ExecuteTransaction")),
                            "Reads on indices are not supported within transactions.");
    return NULL;
}

static const struct error *resolve_statement(struct call *c, struct statement *s)
{
    const struct error *e;

    if ((e = statement_find_table(c, s)) || (e = statement_find_key(c, s)))
        return e;
    if (s->parsed.kind == PARTIQL_EXISTS && (!s->has_key || !s->rest))
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_MEMBER_NEEDS, .operand = SPAN_LIT("EXISTS"),
                                      .beside = SPAN_LIT("the whole key and one more condition")),
                            "EXISTS() must contain a single item read with additional condition");
    if (!statement_is_write(s) && !statement_is_key_read(s))
        return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_STATEMENT_READ),
                            "Select statements within ExecuteTransaction must "
                            "specify the primary key in the where clause.");
    return statement_check_order(c, s);
}

static struct transact_action action_of(const struct statement *s)
{
    static const enum transact_kind kinds[] = {
        [PARTIQL_SELECT] = TRANSACT_GET,    [PARTIQL_INSERT] = TRANSACT_INSERT,
        [PARTIQL_UPDATE] = TRANSACT_UPDATE, [PARTIQL_DELETE] = TRANSACT_DELETE,
        [PARTIQL_EXISTS] = TRANSACT_CHECK,
    };

    return (struct transact_action){
        .kind = kinds[s->parsed.kind],
        .table_name = s->parsed.table,
        .item = s->key,
        .cond = s->rest,
        .must_exist = s->parsed.kind == PARTIQL_UPDATE || s->parsed.kind == PARTIQL_EXISTS,
        .may_be_absent = s->parsed.kind == PARTIQL_DELETE,
        .update = s->parsed.update,
        .projection = s->parsed.columns,
        .columns = s->parsed.columns.len ? s->parsed.column_names : NULL,
        .show_on_failure = s->show_on_failure,
    };
}

/* --- the transaction -------------------------------------------------------------------------- */

static const struct error *read_items(struct call *c, struct transact *t)
{
    const struct error *e;

    if ((e = transact_resolve(c, t)) || (e = transact_read(c, t)))
        return e;
    for (size_t i = 0; i < t->len; i++)
        if ((e = transact_put_item(c, &t->actions[i])))
            return e;
    return NULL;
}

static const struct error *execute_transaction(struct call *c)
{
    struct transact t = {.len = 0};
    bool writes = false, replayed;
    const struct error *e;
    const wire_node *entries = wire_get(c->body, STATEMENTS);
    struct statement *statements = arena_array(c->arena, wire_count(entries), sizeof *statements);
    size_t len = 0;

    for (const wire_node *n = wire_first(entries); n; n = wire_next(n))
        if ((e = statement_read_entry(c, n, &statements[len++])))
            return e;
    for (size_t i = 0; i < len; i++)
        if ((e = fault_in(c, i, parse_statement(c, &statements[i]))))
            return e;
    for (size_t i = 1; i < len; i++)
        if (statement_is_write(&statements[i]) != statement_is_write(&statements[0]))
            return error_caused(c->arena, ERROR_VALIDATION,
                                ERROR_WHY(CAUSE_CHANGES_APART, .operand = SPAN_LIT("reads"),
                                          .beside = SPAN_LIT("writes")),
                                "ExecuteTransaction API does not support both read and "
                                "write operations in the same request.");
    writes = statement_is_write(&statements[0]);
    t.actions = arena_array(c->arena, len, sizeof *t.actions);
    for (size_t i = 0; i < len; i++) {
        if ((e = fault_in(c, i, resolve_statement(c, &statements[i]))))
            return e;
        t.actions[t.len++] = action_of(&statements[i]);
    }
    wire_open_member(&c->reply, "Responses", '[');
    if ((e = writes ? transact_write_once(c, &t, STATEMENTS, &replayed) : read_items(c, &t)))
        return e;
    wire_close(&c->reply, ']');
    capacity_reply_list(c);
    return NULL;
}

const struct op op_execute_transaction = {
    .name = "ExecuteTransaction",
    .access = OP_MAY_WRITE,
    .form = OP_TRANSACT_STATEMENT,
    .members = WIRE_MEMBERS(
        {"ClientRequestToken", &transact_token_shape, 0},
        {"ReturnConsumedCapacity", &wire_return_capacity, 0},
        {STATEMENTS, WIRE_SHAPE(WIRE_LIST, .element = &entry_shape, WIRE_BOUNDS(1, LIMIT_ACTIONS)),
         WIRE_REQUIRED}),
    .run = execute_transaction,
};
