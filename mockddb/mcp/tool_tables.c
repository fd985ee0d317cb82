/* tables: tables and their indexes, in words. */
#include "mcp/mcp_tool.h"

#define MOST_TABLES 20 /* that one call describes */

/* Runs an operation with one member, or none if the value is empty. */
static const struct problem *look(struct mcp_call *c, struct span world, const char *operation,
                                  const char *member, struct span value, const wire_node **out)
{
    struct buf request = buf_in(c->arena);
    struct wire_writer w = {&request, false};

    wire_open(&w, '{');
    if (value.len)
        wire_put_member_text(&w, member, value);
    wire_close(&w, '}');
    return mcp_call_aside(c, world, operation, buf_span(&request), out);
}

/* "key pk (S), sk (N)" */
static void say_key(struct buf *out, const wire_node *schema, const wire_node *definitions)
{
    const char *before = "key ";

    for (const wire_node *k = wire_first(schema); k; k = wire_next(k), before = ", ") {
        struct span name = wire_text(wire_get(k, "AttributeName"));
        const wire_node *d = wire_first(definitions);

        while (d && !span_equal(wire_text(wire_get(d, "AttributeName")), name))
            d = wire_next(d);
        buf_add_text(out, before);
        mcp_call_add(out, name);
        buf_printf(out, " (%.*s)", SPAN_ARG(wire_text(wire_get(d, "AttributeType"))));
    }
}

static void say_indexes(struct buf *out, const wire_node *table, const char *list, const char *what)
{
    for (const wire_node *i = wire_first(wire_get(table, list)); i; i = wire_next(i)) {
        const wire_node *projection = wire_get(i, "Projection");
        const char *before = ": ";

        buf_printf(out, "  %s index %.*s: ", what, SPAN_ARG(wire_text(wire_get(i, "IndexName"))));
        say_key(out, wire_get(i, "KeySchema"), wire_get(table, "AttributeDefinitions"));
        buf_printf(out, "; it has %.*s",
                   SPAN_ARG(wire_text(wire_get(projection, "ProjectionType"))));
        for (const wire_node *n = wire_first(wire_get(projection, "NonKeyAttributes")); n;
             n = wire_next(n), before = ", ") {
            buf_add_text(out, before);
            mcp_call_add(out, wire_text(n));
        }
        buf_add_char(out, '\n');
    }
}

static void say_table(struct buf *out, const wire_node *table)
{
    struct span status = wire_text(wire_get(table, "TableStatus"));

    buf_printf(out, "%.*s: ", SPAN_ARG(wire_text(wire_get(table, "TableName"))));
    say_key(out, wire_get(table, "KeySchema"), wire_get(table, "AttributeDefinitions"));
    buf_printf(out, "; %lld items, %lld bytes%s%.*s\n",
               (long long)wire_integer(wire_get(table, "ItemCount"), 0),
               (long long)wire_integer(wire_get(table, "TableSizeBytes"), 0),
               span_is(status, "ACTIVE") ? "" : "; ",
               span_is(status, "ACTIVE") ? 0 : (int)status.len, span_printable(status));
    say_indexes(out, table, "GlobalSecondaryIndexes", "global");
    say_indexes(out, table, "LocalSecondaryIndexes", "local");
}

static const struct problem *run_tables(struct mcp_call *c)
{
    struct span one = mcp_call_text(c, "table"), world;
    struct buf about = buf_in(c->arena), data = buf_in(c->arena);
    struct wire_writer w = {&data, false};
    const wire_node *list = NULL, *described, *name;
    const struct problem *p;
    size_t count = 0;

    if ((p = mcp_call_world(c, &world)))
        return p;
    if (!one.len && (p = look(c, world, "ListTables", "ExclusiveStartTableName",
                              mcp_call_text(c, "after"), &list)))
        return p;
    name = wire_first(wire_get(list, "TableNames"));
    wire_open(&w, '[');
    for (; one.len ? !count : name && count < MOST_TABLES; count++, name = wire_next(name)) {
        struct span table = one.len ? one : wire_text(name);

        if ((p = look(c, world, "DescribeTable", "TableName", table, &described)))
            return p;
        if (!wire_get(described, "Table"))
            return problem_new(c->arena, PROBLEM_FAILED, "the server's answer has no table");
        say_table(&about, wire_get(described, "Table"));
        wire_put_raw(&w, wire_raw(wire_get(described, "Table")));
        if (one.len)
            break;
    }
    wire_close(&w, ']');
    if (one.len)
        c->result.data = buf_span(&data);
    if (name && !one.len)
        buf_add_text(&about, "there are more tables: call again with the last name as after\n");
    c->result.reason = one.len
                           ? "the table, its indexes, and its description"
                           : arena_printf(c->arena, "%zu table%s", count, count == 1 ? "" : "s");
    c->result.about = buf_span(&about);
    return NULL;
}

const struct mcp_tool tool_tables = {
    .name = "tables",
    .about = "The tables: keys, indexes and what these contain, numbers of items. Look here before "
             "you write a query.",
    .members = MCP_MEMBERS({{"table", &wire_string, 0}, "one table, with its whole description"},
                           {{"after", &wire_string, 0}, "list the tables after this name"},
                           MCP_MEMBER_WORLD, MCP_MEMBER_MAX_ITEMS),
    .run = run_tables,
};
