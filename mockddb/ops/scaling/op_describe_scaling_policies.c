#include "ops/scaling/scaling.h"

static const struct wire_member describe_scaling_policies_members[] = {
    {"PolicyNames", &scaling_ids, 0},
    SCALING_LIST_MEMBERS,
};

static const struct error *describe_scaling_policies(struct call *c)
{
    return scaling_list(c, "ScalingPolicies", SCALING_POLICIES);
}

const struct op op_describe_scaling_policies = {
    .name = "DescribeScalingPolicies",
    .service = OP_SCALING,
    .access = OP_READS,
    .members = describe_scaling_policies_members,
    .run = describe_scaling_policies,
};
