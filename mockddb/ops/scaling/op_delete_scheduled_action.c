#include "ops/scaling/scaling.h"

static const struct wire_member delete_scheduled_action_members[] = {
    {"ScheduledActionName", &scaling_id, WIRE_REQUIRED},
    SCALING_TARGET_MEMBERS,
    {NULL, NULL, 0},
};

static const struct error *delete_scheduled_action(struct call *c)
{
    struct scaling_entry action = {.part = SCALING_ACTIONS,
                                   .name = wire_text(wire_get(c->body, "ScheduledActionName"))};
    const struct error *e;
    bool found;

    if ((e = scaling_read(c, &action.target)) || (e = scaling_delete(c, &action, &found)))
        return e;
    return found ? NULL
                 : scaling_not_found(c, &action.target,
                                     arena_printf(c->arena, "scheduled action named %.*s found",
                                                  SPAN_ARG(action.name)));
}

const struct op op_delete_scheduled_action = {
    .name = "DeleteScheduledAction",
    .service = OP_SCALING,
    .access = OP_WRITES,
    .members = delete_scheduled_action_members,
    .run = delete_scheduled_action,
};
