#include "ops/op.h"
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
    table_describe(c, t, TABLE_DESCRIBED);
    return NULL;
}

const struct op op_describe_table = {
    .name = "DescribeTable",
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0}),
    .precheck = table_name_required,
    .run = describe_table,
};
