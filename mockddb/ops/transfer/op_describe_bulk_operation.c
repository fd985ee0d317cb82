#include "ops/transfer/bulk_describe.h"

static const struct error *describe_bulk_operation(struct call *c)
{
    struct task t;
    const struct error *e = bulk_describe_find(c, &t);

    return e ? e : bulk_describe(c, &t);
}

const struct op op_describe_bulk_operation = {
    .name = "DescribeBulkOperation",
    .members = WIRE_MEMBERS({"BulkOperationArn", &task_arn_shape, WIRE_REQUIRED}),
    .run = describe_bulk_operation,
};
