/* op_resource_policy.c: the policies of a table: one for the table and one for its newest stream.
 *
 * Source: docs/behaviour/policies.md. */
#include "ops/policy/policy_document.h"
#include "ops/table/table_resource.h"
#include "ops/table/table_state.h"

#define NO_POLICY "Resource-based policy not found for the provided ResourceArn: "

/* One policy of a table. */
struct policy_slot {
    const struct table *table;
    bool of_stream; /* the policy of its newest stream, not its own */
};

/* Finds the slot of the request's resource, whose ARN is `arn`. */
static const struct error *find_slot(struct call *c, const struct arn *arn, struct policy_slot *out)
{
    const struct error *e = table_state_look_up(c, arn->table, &out->table);

    if (e)
        return e;
    if (!out->table)
        return table_state_not_found(c, arn->table);
    out->of_stream = arn->rest.len != 0;
    if (out->of_stream &&
        (!out->table->stream_label.len ||
         !span_equal(span_from(arn->rest, sizeof "/stream/" - 1), out->table->stream_label)))
        return error_caused(c->arena, ERROR_RESOURCE_NOT_FOUND, ERROR_WHY(CAUSE_NO_STREAM),
                            "Requested resource not found: Stream: %.*s not found",
                            SPAN_ARG(wire_text(wire_get(c->body, "ResourceArn"))));
    return NULL;
}

/* Without a policy its document is "". */
static const struct policy *slot_policy(const struct policy_slot *slot)
{
    return slot->of_stream ? &slot->table->stream_policy : &slot->table->policy;
}

static const struct error *check_revision(struct call *c, const struct policy_slot *slot)
{
    struct span expected = wire_text(wire_get(c->body, "ExpectedRevisionId"));
    const struct policy *now = slot_policy(slot);
    struct span revision = span_of(arena_printf(c->arena, "%lld", (long long)now->revision_ms));
    struct span name = slot->table->name;
    const struct error *e;

    if (!expected.at || (now->document.len && span_equal(expected, revision)))
        return NULL;
    if (!now->document.len && span_is(expected, "NO_POLICY"))
        return NULL;
    if (!now->document.len)
        e = error_new(c->arena, ERROR_POLICY_NOT_FOUND,
                      NO_POLICY "Requested update for policy with revision id %.*s, but table %.*s "
                                "has no associated policy",
                      SPAN_ARG(expected), SPAN_ARG(name));
    else if (span_is(expected, "NO_POLICY"))
        e = error_new(c->arena, ERROR_POLICY_NOT_FOUND,
                      NO_POLICY "Requested policy update expecting none to be present for table "
                                "%.*s, but a policy exists with revision id %.*s.",
                      SPAN_ARG(name), SPAN_ARG(revision));
    else
        e = error_new(c->arena, ERROR_POLICY_NOT_FOUND,
                      NO_POLICY "Requested update for policy with revision id %.*s, but the policy "
                                "associated to target table %.*s has revision id %.*s.",
                      SPAN_ARG(expected), SPAN_ARG(name), SPAN_ARG(revision));
    return error_because(c->arena, e,
                         now->document.len ? ERROR_WHY(CAUSE_POLICY_REVISION, .operand = expected,
                                                       .beside = revision)
                                           : ERROR_WHY(CAUSE_NO_POLICY, .operand = name));
}

/* Checks that the table can be changed and that ExpectedRevisionId is the policy's revision. */
static const struct error *check_slot(struct call *c, const struct policy_slot *slot)
{
    if (slot->table->status == STATUS_CREATING)
        return table_state_being_created(c, slot->table->name);
    if (slot->table->status == STATUS_DELETING)
        return table_state_being_deleted(c, slot->table->name);
    return check_revision(c, slot);
}

/* Replaces the policy, with a new revision. A document of length 0 empties the slot. */
static const struct error *fill_slot(struct call *c, const struct policy_slot *slot,
                                     struct span document, int64_t *revision)
{
    int64_t before = slot_policy(slot)->revision_ms, now = clock_now_ms(c->clock);
    struct table *t = schema_copy(c->arena, slot->table);
    struct policy *policy = slot->of_stream ? &t->stream_policy : &t->policy;

    *revision = now > before ? now : before + 1;
    policy->document = arena_span(t->arena, document);
    policy->revision_ms = *revision;
    return table_state_keep(c, t);
}

static void put_revision(struct call *c, int64_t revision)
{
    wire_put_member_text(&c->reply, "RevisionId",
                         span_of(arena_printf(c->arena, "%lld", (long long)revision)));
}

static const struct error *get_resource_policy(struct call *c)
{
    struct policy_slot slot;
    const struct policy *policy;
    const struct error *e;
    struct arn arn = {0};

    if ((e = table_resource_read(c, false, &arn)) || (e = find_slot(c, &arn, &slot)))
        return e;
    policy = slot_policy(&slot);
    if (!policy->document.len)
        return error_caused(c->arena, ERROR_POLICY_NOT_FOUND,
                            ERROR_WHY(CAUSE_NO_POLICY, .operand = slot.table->name),
                            NO_POLICY "%.*s",
                            SPAN_ARG(wire_text(wire_get(c->body, "ResourceArn"))));
    wire_put_member_text(&c->reply, "Policy", policy->document);
    put_revision(c, policy->revision_ms);
    return NULL;
}

const struct op op_get_resource_policy = {
    .name = "GetResourcePolicy",
    .members = WIRE_MEMBERS({"ResourceArn", &table_resource_shape, 0}),
    .precheck = table_resource_required,
    .run = get_resource_policy,
};

static const struct wire_shape revision_id = {.type = WIRE_STRING,
                                              WIRE_BOUNDS(1, LIMIT_REVISION_ID)};

static const struct error *put_resource_policy(struct call *c)
{
    struct span text = wire_text(wire_get(c->body, "Policy")), document;
    struct policy_slot slot;
    const struct policy *now;
    const struct error *e;
    struct arn arn = {0};
    int64_t revision;

    if ((e = table_resource_read(c, false, &arn)) ||
        (e = policy_document_check(
             c, text, wire_text(wire_get(c->body, "ResourceArn")),
             wire_bool(wire_get(c->body, "ConfirmRemoveSelfResourceAccess"), false))) ||
        (e = find_slot(c, &arn, &slot)) || (e = check_slot(c, &slot)))
        return e;
    document = policy_document_compact(c->arena, text);
    now = slot_policy(&slot);
    revision = now->revision_ms;
    if (!span_equal(now->document, document) && (e = fill_slot(c, &slot, document, &revision)))
        return e;
    put_revision(c, revision);
    return NULL;
}

const struct op op_put_resource_policy = {
    .name = "PutResourcePolicy",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"ResourceArn", &table_resource_shape, 0},
                            {"Policy", &wire_string, WIRE_REQUIRED},
                            {"ExpectedRevisionId", &revision_id, 0},
                            {"ConfirmRemoveSelfResourceAccess", &wire_boolean, 0}),
    .precheck = table_resource_required,
    .run = put_resource_policy,
};

/* The service's answer is empty, although the model has a RevisionId. */
static const struct error *delete_resource_policy(struct call *c)
{
    struct policy_slot slot;
    const struct error *e;
    struct arn arn = {0};
    int64_t revision;

    if ((e = table_resource_read(c, false, &arn)) || (e = find_slot(c, &arn, &slot)) ||
        (e = check_slot(c, &slot)))
        return e;
    c->no_body = true;
    if (!slot_policy(&slot)->document.len)
        return NULL;
    return fill_slot(c, &slot, (struct span){NULL, 0}, &revision);
}

const struct op op_delete_resource_policy = {
    .name = "DeleteResourcePolicy",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"ResourceArn", &table_resource_shape, 0},
                            {"ExpectedRevisionId", &revision_id, 0}),
    .precheck = table_resource_required,
    .run = delete_resource_policy,
};
