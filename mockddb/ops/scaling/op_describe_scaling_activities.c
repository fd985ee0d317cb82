#include "ops/scaling/scaling.h"

static const struct wire_member describe_scaling_activities_members[] = {
    {"ServiceNamespace", &scaling_namespace, WIRE_REQUIRED},
    {"ResourceId", &scaling_id, 0},
    {"ScalableDimension", &scaling_dimension, 0},
    {"MaxResults", &scaling_integer, 0},
    {"NextToken", &wire_string, 0},
    {"IncludeNotScaledActivities", &wire_boolean, 0},
    {NULL, NULL, 0},
};

/* The list is always empty, since nothing scales here. So every token is invalid. */
static const struct error *describe_scaling_activities(struct call *c)
{
    if (wire_get(c->body, "NextToken"))
        return scaling_wrong_token(c);
    wire_key(&c->reply, "ScalingActivities");
    wire_open(&c->reply, '[');
    wire_close(&c->reply, ']');
    return NULL;
}

const struct op op_describe_scaling_activities = {
    .name = "DescribeScalingActivities",
    .service = OP_SCALING,
    .access = OP_READS,
    .members = describe_scaling_activities_members,
    .run = describe_scaling_activities,
};
