#include "ops/scaling/scaling.h"

static const struct wire_shape names = {.type = WIRE_LIST, .element = &wire_string};

static const struct wire_member describe_scalable_targets_members[] = {
    {"ServiceNamespace", &wire_string, WIRE_REQUIRED},
    {"ResourceIds", &names, 0},
    {"ScalableDimension", &wire_string, 0},
    {"MaxResults", &scaling_integer, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
};

static const struct error *describe_scalable_targets(struct call *c)
{
    return scaling_list(c, "ScalableTargets", false);
}

const struct op op_describe_scalable_targets = {
    .name = "DescribeScalableTargets",
    .service = OP_SCALING,
    .access = OP_READS,
    .members = describe_scalable_targets_members,
    .run = describe_scalable_targets,
};
