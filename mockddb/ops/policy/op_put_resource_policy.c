#include "model/limits.h"
#include "ops/op.h"
#include "ops/policy/policy_document.h"
#include "ops/policy/policy_slot.h"
#include "ops/table/table_resource.h"

static const struct wire_shape revision_id = {.type = WIRE_STRING,
                                              WIRE_BOUNDS(1, LIMIT_REVISION_ID)};

static const struct wire_member put_resource_policy_members[] = {
    {"ResourceArn", &table_resource_shape, 0},
    {"Policy", &wire_string, WIRE_REQUIRED},
    {"ExpectedRevisionId", &revision_id, 0},
    {"ConfirmRemoveSelfResourceAccess", &wire_boolean, 0},
    {NULL, NULL, 0},
};

static const struct error *check_policy(struct call *c, struct span text)
{
    return policy_document_check(
        c, text, wire_text(wire_get(c->body, "ResourceArn")),
        wire_bool(wire_get(c->body, "ConfirmRemoveSelfResourceAccess"), false));
}

static const struct error *put_resource_policy(struct call *c)
{
    struct span text = wire_text(wire_get(c->body, "Policy")), document;
    struct policy_slot slot;
    const struct policy *now;
    const struct error *e;
    struct arn arn = {0};
    int64_t revision;

    if ((e = table_resource_read(c, false, &arn)) || (e = check_policy(c, text)) ||
        (e = policy_slot_find(c, &arn, &slot)) || (e = policy_slot_check(c, &slot)))
        return e;
    document = policy_document_compact(c->arena, text);
    now = policy_slot_get(&slot);
    revision = now->revision_ms;
    if (!span_equal(now->document, document) &&
        (e = policy_slot_put(c, &slot, document, &revision)))
        return e;
    policy_slot_put_revision(c, revision);
    return NULL;
}

const struct op op_put_resource_policy = {
    .name = "PutResourcePolicy",
    .access = OP_WRITES,
    .members = put_resource_policy_members,
    .precheck = table_resource_required,
    .run = put_resource_policy,
};
