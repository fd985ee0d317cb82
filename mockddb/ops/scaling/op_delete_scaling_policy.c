#include "ops/scaling/scaling.h"

static const struct wire_member delete_scaling_policy_members[] = {
    {"PolicyName", &scaling_id, WIRE_REQUIRED},
    SCALING_TARGET_MEMBERS,
    {NULL, NULL, 0},
};

static const struct error *delete_scaling_policy(struct call *c)
{
    struct scaling_entry policy = {.part = SCALING_POLICIES,
                                   .name = wire_text(wire_get(c->body, "PolicyName"))};
    const struct error *e;
    bool found;

    if ((e = scaling_read(c, &policy.target)) || (e = scaling_delete(c, &policy, &found)))
        return e;
    return found ? NULL
                 : scaling_not_found(c, &policy.target,
                                     arena_printf(c->arena, "scaling policy named %.*s found",
                                                  SPAN_ARG(policy.name)));
}

const struct op op_delete_scaling_policy = {
    .name = "DeleteScalingPolicy",
    .service = OP_SCALING,
    .access = OP_WRITES,
    .members = delete_scaling_policy_members,
    .run = delete_scaling_policy,
};
