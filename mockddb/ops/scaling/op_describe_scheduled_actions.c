#include "ops/scaling/scaling.h"

static const struct wire_member describe_scheduled_actions_members[] = {
    {"ScheduledActionNames", &scaling_ids, 0},
    SCALING_LIST_MEMBERS,
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
