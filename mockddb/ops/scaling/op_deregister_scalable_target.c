#include "ops/scaling/scaling.h"

static const struct wire_member deregister_scalable_target_members[] = {
    SCALING_TARGET_MEMBERS,
    {NULL, NULL, 0},
};

static const struct error *deregister_scalable_target(struct call *c)
{
    struct scaling_entry entry = {.part = SCALING_TARGETS};
    const struct error *e;
    bool found;

    if ((e = scaling_read(c, &entry.target)) || (e = scaling_delete(c, &entry, &found)))
        return e;
    return found ? NULL : scaling_not_found(c, &entry.target, "scalable target found");
}

const struct op op_deregister_scalable_target = {
    .name = "DeregisterScalableTarget",
    .service = OP_SCALING,
    .access = OP_WRITES,
    .members = deregister_scalable_target_members,
    .run = deregister_scalable_target,
};
