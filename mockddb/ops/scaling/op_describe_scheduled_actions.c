#include "ops/scaling/scaling.h"

static const struct wire_member describe_scheduled_actions_members[] = {
    {"ScheduledActionNames", &scaling_ids, 0},
    {"ServiceNamespace", &scaling_namespace, WIRE_REQUIRED},
    {"ResourceId", &scaling_id, 0},
    {"ScalableDimension", &scaling_dimension, 0},
    {"MaxResults", &scaling_integer, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
};

static const struct error *describe_scheduled_actions(struct call *c)
{
    return scaling_list(c, "ScheduledActions", SCALING_ACTIONS);
}

const struct op op_describe_scheduled_actions = {
    .name = "DescribeScheduledActions",
    .service = OP_SCALING,
    .access = OP_READS,
    .members = describe_scheduled_actions_members,
    .run = describe_scheduled_actions,
};
