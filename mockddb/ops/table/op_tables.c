/* op_tables.c: DescribeTable, ListTables and DeleteTable. */
#include "ops/global/global_group.h"
#include "ops/stream/stream.h"
#include "ops/table/table_describe.h"
#include "ops/table/table_name.h"
#include "ops/table/table_state.h"

static const struct error *describe_table(struct call *c)
{
    const struct table *t;
    const struct error *e = table_state_find(c, &t);

    if (e)
        return e;
    wire_key(&c->reply, "Table");
    return table_describe(c, t, TABLE_DESCRIBED);
}

const struct op op_describe_table = {
    .name = "DescribeTable",
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0}),
    .precheck = table_name_required,
    .run = describe_table,
};

static const struct error *list_tables(struct call *c)
{
    int64_t limit = wire_integer(wire_get(c->body, "Limit"), LIMIT_TABLES_PAGE);
    struct span last = {NULL, 0};
    const struct table *t;
    const struct error *e = table_state_next(
        c, wire_text(wire_get(c->body, "ExclusiveStartTableName")), &t);

    wire_open_member(&c->reply, "TableNames", '[');
    for (; !e && t && limit; limit--) {
        last = arena_span(c->arena, t->name);
        wire_put_text(&c->reply, last);
        e = table_state_next(c, last, &t);
    }
    wire_close(&c->reply, ']');
    if (!e && t)
        wire_put_member_text(&c->reply, "LastEvaluatedTableName", last);
    return e;
}

static const struct op_paging paging = {
    "ExclusiveStartTableName", "LastEvaluatedTableName", "Limit", {"TableNames"}, NULL};

const struct op op_list_tables = {
    .name = "ListTables",
    .paging = &paging,
    .members = WIRE_MEMBERS(
        {"ExclusiveStartTableName", &wire_index_name,
         0}, /* same bounds; an ARN is not a name here */
        {"Limit", WIRE_SHAPE(WIRE_INTEGER, WIRE_BOUNDS(1, LIMIT_TABLES_PAGE)), 0}),
    .run = list_tables,
};

static bool has_busy_index(const struct table *t)
{
    for (size_t i = 0; i < t->index_count; i++)
        if (t->indexes[i].status != STATUS_ACTIVE)
            return true;
    return false;
}

static const struct error *delete_table(struct call *c)
{
    const struct table *old;
    struct table *t;
    const struct error *e;

    if ((e = table_state_find(c, &old)))
        return e;
    if (old->deletion_protection)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_PROTECTED, .operand = old->name),
                            "Resource cannot be deleted as it is currently protected against "
                            "deletion. Disable deletion protection first.");
    if (old->restore.source_arn.len)
        return table_state_being_used(c, old->name);
    if ((e = table_state_check_there(c, old)))
        return e;
    if (has_busy_index(old))
        return table_state_in_use(
            c, "Cannot delete table while indexes are being created, updated, or deleted.");
    if (old->change == CHANGE_STREAM)
        return table_state_in_use(c, "Cannot delete table while stream is being enabled/disabled.");
    if (old->status == STATUS_UPDATING || old->sse_until_ms || old->warm_until_ms)
        return table_state_in_use(c, "Table: %.*s is in the process of being updated.",
                                  SPAN_ARG(old->name));
    if ((e = global_group_check_leave(c, old)) || (e = stream_close(c, old)))
        return e;
    t = schema_copy(c->arena, old);
    t->status = STATUS_DELETING;
    t->transition_until_ms = op_transition_end(c);
    wire_key(&c->reply, "TableDescription");
    if ((e = table_describe(c, t, TABLE_DELETED)) || (e = global_group_leave(c, t)))
        return e;
    return table_state_keep(c, t);
}

const struct op op_delete_table = {
    .name = "DeleteTable",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0}),
    .precheck = table_name_required,
    .run = delete_table,
};
