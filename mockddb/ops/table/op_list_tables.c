#include "model/limits.h"
#include "ops/op.h"
#include "ops/op_region.h"
#include "ops/table/table_state.h"

static const struct wire_shape page_limit = {.type = WIRE_INTEGER,
                                             WIRE_BOUNDS(1, LIMIT_TABLES_PAGE)};

static const struct wire_member list_tables_members[] = {
    {"ExclusiveStartTableName", &wire_index_name, 0}, /* same bounds; an ARN is not a name here */
    {"Limit", &page_limit, 0},
    {NULL, NULL, 0},
};

/* Finds the next table by name, skipping tables whose deletion is due. */
static const struct error *next_table(struct call *c, struct span after, const struct table **out)
{
    const struct table *t = op_region_table_after(c, after);

    *out = NULL;
    while (t && !*out) {
        struct span name = arena_span(c->arena, t->name);
        const struct error *e = table_state_look_up(c, name, out);

        if (e)
            return e;
        t = op_region_table_after(c, name);
    }
    return NULL;
}

static const struct error *list_tables(struct call *c)
{
    int64_t limit = wire_integer(wire_get(c->body, "Limit"), LIMIT_TABLES_PAGE);
    struct span last = {NULL, 0};
    const struct table *t;
    const struct error *e = next_table(c, wire_text(wire_get(c->body, "ExclusiveStartTableName")),
                                       &t);

    wire_open_member(&c->reply, "TableNames", '[');
    for (; !e && t && limit; limit--) {
        last = arena_span(c->arena, t->name);
        wire_put_text(&c->reply, last);
        e = next_table(c, last, &t);
    }
    wire_close(&c->reply, ']');
    if (!e && t) {
        wire_put_member_text(&c->reply, "LastEvaluatedTableName", last);
    }
    return e;
}

static const struct op_paging paging = {
    "ExclusiveStartTableName", "LastEvaluatedTableName", "Limit", {"TableNames"}, NULL};

const struct op op_list_tables = {
    .name = "ListTables",
    .paging = &paging,
    .members = list_tables_members,
    .run = list_tables,
};
