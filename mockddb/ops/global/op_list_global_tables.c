#include "model/names.h"
#include "ops/global/global_legacy.h"

static const struct wire_shape limit = {.type = WIRE_INTEGER, WIRE_AT_LEAST(1)};

static const struct wire_member list_global_tables_members[] = {
    {"ExclusiveStartGlobalTableName", &wire_index_name, 0}, /* same bounds */
    {"Limit", &limit, 0},
    {"RegionName", &wire_string, 0},
    {NULL, NULL, 0},
};

/* The list is always empty, but the service refuses an unknown region. */
static const struct error *list_global_tables(struct call *c)
{
    struct span region = wire_text(wire_get(c->body, "RegionName"));

    if (region.at && names_find(names_regions, region, -1) < 0)
        return error_internal(c->arena);
    wire_key(&c->reply, "GlobalTables");
    wire_open(&c->reply, '[');
    wire_close(&c->reply, ']');
    return NULL;
}

const struct op op_list_global_tables = {
    .name = "ListGlobalTables",
    .access = OP_READS,
    .members = list_global_tables_members,
    .run = list_global_tables,
};
