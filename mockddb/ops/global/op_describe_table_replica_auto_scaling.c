#include "ops/global/scaling_describe.h"
#include "ops/table/table_name.h"

static const struct error *describe_scaling(struct call *c)
{
    const struct table *t;
    const struct error *e = scaling_describe_find(c, &t);

    if (!e)
        scaling_describe(c, t);
    return e;
}

const struct op op_describe_table_replica_auto_scaling = {
    .name = "DescribeTableReplicaAutoScaling",
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0}),
    .precheck = table_name_required,
    .run = describe_scaling,
};
