#include "ops/scaling/scaling.h"

static const struct wire_member deregister_scalable_target_members[] = {
    SCALING_TARGET_MEMBERS,
    {NULL, NULL, 0},
};

static const struct error *deregister_scalable_target(struct call *c)
{
    struct scaling_target target;
    const struct error *e;
    bool found;

    if ((e = scaling_read(c, &target)) ||
        (e = scaling_delete(c, &target, (struct span){"", 0}, &found)))
        return e;
    return found ? NULL : scaling_not_found(c, &target, "scalable target found");
}

const struct op op_deregister_scalable_target = {
    .name = "DeregisterScalableTarget",
    .service = OP_SCALING,
    .access = OP_WRITES,
    .members = deregister_scalable_target_members,
    .run = deregister_scalable_target,
};
