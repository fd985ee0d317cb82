#include "ops/policy/policy_slot.h"

#include <stdarg.h>

#include "ops/table/table_state.h"

const struct error *policy_slot_not_found(struct call *c, const char *fmt, ...)
{
    va_list args;
    const char *text;

    va_start(args, fmt);
    text = arena_vprintf(c->arena, fmt, args);
    va_end(args);
    return error_new(c->arena, ERROR_POLICY_NOT_FOUND,
                     "Resource-based policy not found for the provided ResourceArn: %s", text);
}

static bool is_newest_stream(const struct table *t, struct span rest)
{
    return t->stream_label.len &&
           span_equal(span_from(rest, sizeof "/stream/" - 1), t->stream_label);
}

const struct error *policy_slot_find(struct call *c, const struct arn *arn, struct policy_slot *out)
{
    const struct error *e = table_state_look_up(c, arn->table, &out->table);

    if (e)
        return e;
    if (!out->table)
        return table_state_not_found(c, arn->table);
    out->of_stream = arn->rest.len != 0;
    if (out->of_stream && !is_newest_stream(out->table, arn->rest))
        return error_new(c->arena, ERROR_RESOURCE_NOT_FOUND,
                         "Requested resource not found: Stream: %.*s not found",
                         SPAN_ARG(wire_text(wire_get(c->body, "ResourceArn"))));
    return NULL;
}

const struct policy *policy_slot_get(const struct policy_slot *slot)
{
    return slot->of_stream ? &slot->table->stream_policy : &slot->table->policy;
}

static const struct error *check_revision(struct call *c, const struct policy_slot *slot)
{
    struct span expected = wire_text(wire_get(c->body, "ExpectedRevisionId"));
    const struct policy *now = policy_slot_get(slot);
    struct span revision = span_of(arena_printf(c->arena, "%lld", (long long)now->revision_ms));
    struct span name = slot->table->name;

    if (!expected.at || (now->document.len && span_equal(expected, revision)))
        return NULL;
    if (span_is(expected, "NO_POLICY")) {
        if (!now->document.len)
            return NULL;
        return policy_slot_not_found(
            c,
            "Requested policy update expecting none to be present for table "
            "%.*s, but a policy exists with revision id %.*s.",
            SPAN_ARG(name), SPAN_ARG(revision));
    }
    if (!now->document.len)
        return policy_slot_not_found(
            c,
            "Requested update for policy with revision id %.*s, but table %.*s "
            "has no associated policy",
            SPAN_ARG(expected), SPAN_ARG(name));
    return policy_slot_not_found(
        c,
        "Requested update for policy with revision id %.*s, but the policy "
        "associated to target table %.*s has revision id %.*s.",
        SPAN_ARG(expected), SPAN_ARG(name), SPAN_ARG(revision));
}

const struct error *policy_slot_check(struct call *c, const struct policy_slot *slot)
{
    if (slot->table->status == STATUS_CREATING)
        return table_state_being_created(c, slot->table->name);
    if (slot->table->status == STATUS_DELETING)
        return table_state_being_deleted(c, slot->table->name);
    return check_revision(c, slot);
}

const struct error *policy_slot_put(struct call *c, const struct policy_slot *slot,
                                    struct span document, int64_t *revision)
{
    int64_t before = policy_slot_get(slot)->revision_ms, now = clock_now_ms(c->clock);
    struct table *t = schema_copy(c->arena, slot->table);
    struct policy *policy = slot->of_stream ? &t->stream_policy : &t->policy;

    *revision = now > before ? now : before + 1;
    policy->document = arena_span(t->arena, document);
    policy->revision_ms = *revision;
    return table_state_keep(c, t);
}

void policy_slot_put_revision(struct call *c, int64_t revision)
{
    wire_put_member_text(&c->reply, "RevisionId",
                         span_of(arena_printf(c->arena, "%lld", (long long)revision)));
}
