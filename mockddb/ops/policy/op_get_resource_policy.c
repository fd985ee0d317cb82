#include "ops/op.h"
#include "ops/policy/policy_slot.h"
#include "ops/table/table_resource.h"

static const struct wire_member get_resource_policy_members[] = {
    {"ResourceArn", &table_resource_shape, 0},
    {NULL, NULL, 0},
};

static const struct error *get_resource_policy(struct call *c)
{
    struct policy_slot slot;
    const struct policy *policy;
    const struct error *e;
    struct arn arn = {0};

    if ((e = table_resource_read(c, false, &arn)) || (e = policy_slot_find(c, &arn, &slot)))
        return e;
    policy = policy_slot_get(&slot);
    if (!policy->document.len)
        return policy_slot_not_found(c, "%.*s",
                                     SPAN_ARG(wire_text(wire_get(c->body, "ResourceArn"))));
    wire_put_member_text(&c->reply, "Policy", policy->document);
    policy_slot_put_revision(c, policy->revision_ms);
    return NULL;
}

const struct op op_get_resource_policy = {
    .name = "GetResourcePolicy",
    .access = OP_READS,
    .members = get_resource_policy_members,
    .precheck = table_resource_required,
    .run = get_resource_policy,
};
