#include "ops/global/global_legacy.h"

static const struct wire_member describe_global_table_members[] = {
    {"GlobalTableName", &wire_index_name, WIRE_REQUIRED}, /* same bounds */
    {NULL, NULL, 0},
};

static const struct error *describe_global_table(struct call *c)
{
    return global_legacy_not_found(c, "Global table not found: ");
}

const struct op op_describe_global_table = {
    .name = "DescribeGlobalTable",
    .access = OP_READS,
    .members = describe_global_table_members,
    .run = describe_global_table,
};
