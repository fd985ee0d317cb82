#include "ops/transfer/bulk_describe.h"

static const struct wire_member describe_members[] = {
    {"BulkOperationArn", &task_arn_shape, WIRE_REQUIRED},
    {NULL, NULL, 0},
};

static const struct error *describe_bulk_operation(struct call *c)
{
    struct task t;
    const struct error *e = bulk_describe_find(c, &t);

    return e ? e : bulk_describe(c, &t);
}

const struct op op_describe_bulk_operation = {
    .name = "DescribeBulkOperation",
    .access = OP_READS,
    .members = describe_members,
    .run = describe_bulk_operation,
};
