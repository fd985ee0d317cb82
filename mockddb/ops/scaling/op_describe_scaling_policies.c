#include "ops/scaling/scaling.h"

static const struct wire_member describe_scaling_policies_members[] = {
    {"PolicyNames", &scaling_ids, 0},
    {"ServiceNamespace", &scaling_namespace, WIRE_REQUIRED},
    {"ResourceId", &scaling_id, 0},
    {"ScalableDimension", &scaling_dimension, 0},
    {"MaxResults", &scaling_integer, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
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
