#include "model/limits.h"
#include "ops/op.h"
#include "ops/policy/policy_slot.h"
#include "ops/table/table_resource.h"

static const struct wire_shape revision_id = {.type = WIRE_STRING,
                                              WIRE_BOUNDS(1, LIMIT_REVISION_ID)};

static const struct wire_member delete_resource_policy_members[] = {
    {"ResourceArn", &table_resource_shape, 0},
    {"ExpectedRevisionId", &revision_id, 0},
    {NULL, NULL, 0},
};

/* The service's answer is empty, although the model has a RevisionId. */
static const struct error *delete_resource_policy(struct call *c)
{
    struct policy_slot slot;
    const struct error *e;
    struct arn arn = {0};
    int64_t revision;

    if ((e = table_resource_read(c, false, &arn)) || (e = policy_slot_find(c, &arn, &slot)) ||
        (e = policy_slot_check(c, &slot)))
        return e;
    c->no_body = true;
    if (!policy_slot_get(&slot)->document.len)
        return NULL;
    return policy_slot_put(c, &slot, (struct span){NULL, 0}, &revision);
}

const struct op op_delete_resource_policy = {
    .name = "DeleteResourcePolicy",
    .access = OP_WRITES,
    .members = delete_resource_policy_members,
    .precheck = table_resource_required,
    .run = delete_resource_policy,
};
