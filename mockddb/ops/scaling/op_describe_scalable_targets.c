#include "ops/scaling/scaling.h"

static const struct wire_member describe_scalable_targets_members[] = {
    {"ServiceNamespace", &scaling_namespace, WIRE_REQUIRED},
    {"ResourceIds", &scaling_ids, 0},
    {"ScalableDimension", &scaling_dimension, 0},
    {"MaxResults", &scaling_integer, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
};

static const struct error *describe_scalable_targets(struct call *c)
{
    return scaling_list(c, "ScalableTargets", SCALING_TARGETS);
}

const struct op op_describe_scalable_targets = {
    .name = "DescribeScalableTargets",
    .service = OP_SCALING,
    .access = OP_READS,
    .members = describe_scalable_targets_members,
    .run = describe_scalable_targets,
};
