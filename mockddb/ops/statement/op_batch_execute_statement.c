#include "model/key.h"
#include "ops/op_batch.h"
#include "ops/op_fault.h"
#include "ops/statement/statement_write.h"
#include "ops/throttle/throttle.h"

static const struct wire_shape entry_shape = WIRE_STRUCT_OF(
    "BatchStatementRequest", {"Statement", &statement_text_shape, WIRE_REQUIRED},
    {"Parameters", &statement_parameters_shape, 0}, {"ConsistentRead", &wire_boolean, 0},
    {"ReturnValuesOnConditionCheckFailure", &wire_return_on_failure, 0});
struct batch_member {
    struct statement statement;
    const struct error *fault; /* its error, or NULL */
    struct span position;      /* the key of its item; empty if the statement has no valid key */
};

struct statement_batch {
    struct batch_member *members;
    size_t len;
};

/* --- checks before the first statement runs --------------------------------------------------- */

/* A parameter that is not a value fails its statement; one that is not base64 fails the request. */
static const struct error *read_batch(struct call *c, struct statement_batch *batch)
{
    const wire_node *entries = wire_get(c->body, "Statements");
    const struct error *e;

    batch->members = arena_array(c->arena, wire_count(entries), sizeof *batch->members);
    for (const wire_node *n = wire_first(entries); n; n = wire_next(n)) {
        struct batch_member *m = &batch->members[batch->len++];

        if ((e = statement_read_entry(c, n, &m->statement)) && e->kind != ERROR_VALIDATION)
            return e;
        m->fault = e;
        m->statement.show_on_failure = false; /* the setting has no effect in batches */
    }
    return NULL;
}

/* --- running the members ---------------------------------------------------------------------- */

static struct capacity *account_of(struct call *c, const struct statement *s)
{
    return capacity_named(c, s->table, s->parsed.table);
}

static const struct error *get_item(struct call *c, const struct statement *s)
{
    const struct error *e;
    struct item it;
    bool found;

    if ((e = statement_get(c, s, account_of(c, s), &it, &found)) || (e = throttle_charge(c)))
        return e;
    if (found) {
        wire_key(&c->reply, "Item");
        statement_put_columns(c, s, &it);
    }
    return NULL;
}

/* Does the write and charges it. A write whose condition fails is charged as well. */
static const struct error *write_item(struct call *c, struct statement *s)
{
    struct statement_shown shown;
    const struct error *e = statement_write(c, s, &shown, account_of(c, s));
    const struct error *refusal = throttle_charge(c);

    if (refusal)
        return refusal;
    if (!e && statement_write_shows(&shown)) {
        wire_key(&c->reply, "Item");
        statement_write_put_shown(c, &shown);
    }
    return e;
}

/* Refuses valid members outside of the share that a disturbance allows. */
static void leave_some(struct call *c, struct statement_batch *batch)
{
    struct op_batch_range now = op_batch_share(c, batch->len);

    for (size_t i = 0; i < batch->len; i++)
        if (!batch->members[i].fault && (i < now.from || i >= now.to))
            batch->members[i].fault = op_fault_throughput(c->arena);
}

/* Runs a member and writes its response. Only internal errors fail the whole request. */
static const struct error *run_member(struct call *c, struct batch_member *m)
{
    struct statement *s = &m->statement;

    wire_open(&c->reply, '{');
    if (!m->fault)
        m->fault = statement_is_write(s) ? write_item(c, s) : get_item(c, s);
    if (m->fault && m->fault->kind == ERROR_INTERNAL)
        return m->fault;
    if (m->fault) {
        wire_open_member(&c->reply, "Error", '{');
        wire_put_member_word(&c->reply, "Code", op_fault_code(m->fault->kind));
        wire_put_member_text(&c->reply, "Message", m->fault->message);
        wire_close(&c->reply, '}');
    }
    if (!m->fault || m->fault->kind != ERROR_VALIDATION)
        wire_put_member_text(&c->reply, "TableName", s->parsed.table);
    wire_close(&c->reply, '}');
    return NULL;
}

static const struct error *batch_execute_statement(struct call *c)
{
    struct statement_batch batch = {.len = 0};
    const struct error *e;
    bool reads = false, writes = false;

    if ((e = read_batch(c, &batch)))
        return e;
    for (size_t i = 0; i < batch.len; i++)
        if (!batch.members[i].fault &&
            !(batch.members[i].fault = statement_parse_text(c, &batch.members[i].statement)))
            batch.members[i].fault = statement_refuse_exists(c, &batch.members[i].statement);
    for (size_t i = 0; i < batch.len; i++)
        if (!batch.members[i].fault) {
            bool write = statement_is_write(&batch.members[i].statement);

            writes |= write;
            reads |= !write;
        }
    if (reads && writes)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_CHANGES_APART, .operand = SPAN_LIT("reads"),
                                      .beside = SPAN_LIT("writes")),
                            "Read and write requests together in the same batch is not supported.");
    for (size_t i = 0; i < batch.len; i++) {
        struct batch_member *m = &batch.members[i];
        struct buf position = buf_in(c->arena);

        if (m->fault || (m->fault = statement_resolve_member(c, &m->statement)))
            continue;
        key_of_item(&position, m->statement.table, &m->statement.key);
        m->position = buf_span(&position);
    }
    for (size_t i = 1; i < batch.len; i++)
        for (size_t k = 0; k < i; k++)
            if (batch.members[i].position.len &&
                span_equal(batch.members[i].position, batch.members[k].position))
                return op_fault_repeated_keys(c->arena, (struct span){NULL, 0}, k, i);
    leave_some(c, &batch);
    wire_open_member(&c->reply, "Responses", '[');
    for (size_t i = 0; i < batch.len; i++)
        if ((e = run_member(c, &batch.members[i])))
            return e;
    wire_close(&c->reply, ']');
    capacity_reply_list(c);
    return NULL;
}

const struct op op_batch_execute_statement = {
    .name = "BatchExecuteStatement",
    .access = OP_MAY_WRITE,
    .form = OP_BATCH_STATEMENT,
    .members = WIRE_MEMBERS(
        {"Statements",
         WIRE_SHAPE(WIRE_LIST, .element = &entry_shape, WIRE_BOUNDS(1, LIMIT_BATCH_STATEMENTS)),
         WIRE_REQUIRED},
        {"ReturnConsumedCapacity", &wire_return_capacity, 0}),
    .run = batch_execute_statement,
};
