#include "model/limits.h"
#include "ops/op.h"

static const struct wire_member describe_limits_members[] = {
    {NULL, NULL, 0},
};

/* The default quotas of an account. */
static const struct {
    const char *name;
    int64_t units;
} quotas[] = {
    {"AccountMaxReadCapacityUnits", LIMIT_ACCOUNT_UNITS},
    {"AccountMaxWriteCapacityUnits", LIMIT_ACCOUNT_UNITS},
    {"TableMaxReadCapacityUnits", LIMIT_TABLE_UNITS},
    {"TableMaxWriteCapacityUnits", LIMIT_TABLE_UNITS},
};

static const struct error *describe_limits(struct call *c)
{
    for (size_t i = 0; i < COUNT(quotas); i++) {
        wire_put_member_integer(&c->reply, quotas[i].name, quotas[i].units);
    }
    return NULL;
}

const struct op op_describe_limits = {
    .name = "DescribeLimits",
    .access = OP_READS,
    .members = describe_limits_members,
    .run = describe_limits,
};
