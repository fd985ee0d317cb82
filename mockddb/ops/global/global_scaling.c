#include "ops/global/global_scaling.h"

#include "base/one_more.h"
#include "ops/scaling/scaling.h"

/* --- shapes ----------------------------------------------------------------------------------- */

static const struct wire_shape tracking = WIRE_STRUCT_OF(
    "AutoScalingTargetTrackingScalingPolicyConfigurationUpdate",
    {"DisableScaleIn", &wire_boolean, 0}, {"ScaleInCooldown", &wire_any_integer, 0},
    {"ScaleOutCooldown", &wire_any_integer, 0}, {"TargetValue", &wire_any_double, WIRE_REQUIRED});
static const struct wire_shape policy = WIRE_STRUCT_OF(
    "AutoScalingPolicyUpdate", {"PolicyName", &scaling_policy_name, 0},
    {"TargetTrackingScalingPolicyConfiguration", &tracking, WIRE_REQUIRED});
const struct wire_shape global_scaling_settings = WIRE_STRUCT_OF(
    "AutoScalingSettingsUpdate", {"MinimumUnits", &wire_positive, 0},
    {"MaximumUnits", &wire_positive, 0}, {"AutoScalingDisabled", &wire_boolean, 0},
    {"AutoScalingRoleArn", &scaling_id, 0}, {"ScalingPolicyUpdate", &policy, 0});

/* --- settings --------------------------------------------------------------------------------- */

struct scaling *global_scaling_find(const struct table *t, struct span region, struct span index)
{
    for (size_t i = 0; i < t->global.scaling_count; i++)
        if (span_equal(t->global.scalings[i].region, region) &&
            span_equal(t->global.scalings[i].index, index))
            return &t->global.scalings[i];
    return NULL;
}

static struct scaling *find_or_add(struct table *draft, struct span region, struct span index)
{
    struct global *g = &draft->global;
    struct scaling *s = global_scaling_find(draft, region, index);

    if (s)
        return s;
    g->scalings = one_more_exactly(draft->arena, g->scalings, g->scaling_count, sizeof *s);
    s = &g->scalings[g->scaling_count++];
    *s = (struct scaling){.region = arena_span(draft->arena, region),
                          .index = arena_span(draft->arena, index)};
    return s;
}

static void take_policy(struct table *draft, struct scaling *s, const wire_node *update)
{
    const wire_node *config = wire_get(update, "TargetTrackingScalingPolicyConfiguration");
    const wire_node *name = wire_get(update, "PolicyName");

    if (!update)
        return;
    if (name)
        s->policy = arena_span(draft->arena, wire_text(name));
    s->target = arena_span(draft->arena, wire_raw(wire_get(config, "TargetValue")));
    s->keeps_in = wire_bool(wire_get(config, "DisableScaleIn"), s->keeps_in);
    s->in_cooldown = wire_integer(wire_get(config, "ScaleInCooldown"), s->in_cooldown);
    s->out_cooldown = wire_integer(wire_get(config, "ScaleOutCooldown"), s->out_cooldown);
}

const struct error *global_scaling_update(struct call *c, struct table *draft, struct span region,
                                          struct span index, const wire_node *update)
{
    struct scaling *s;

    if (!update)
        return NULL;
    s = find_or_add(draft, region, index);
    s->min = wire_integer(wire_get(update, "MinimumUnits"), s->min);
    s->max = wire_integer(wire_get(update, "MaximumUnits"), s->max);
    s->disabled = wire_bool(wire_get(update, "AutoScalingDisabled"), s->disabled);
    if (wire_get(update, "AutoScalingRoleArn"))
        s->role = arena_span(draft->arena, wire_text(wire_get(update, "AutoScalingRoleArn")));
    take_policy(draft, s, wire_get(update, "ScalingPolicyUpdate"));
    if (s->disabled || s->min <= s->max)
        return NULL;
    return error_validation(c->arena,
                            "Failed to update settings for global table with name: "
                            "\u2018%.*s\u2019: MinimumUnits must not be greater than MaximumUnits",
                            SPAN_ARG(draft->name));
}

/* On-demand tables always scale. */
const struct error *global_scaling_covers(struct call *c, const struct table *t,
                                          const struct index *ix, bool *covered)
{
    struct span index = ix ? ix->name : (struct span){"", 0};
    const struct scaling *s = global_scaling_find(t, (struct span){"", 0}, index);

    *covered = t->on_demand || (s && !s->disabled);
    return *covered ? NULL : scaling_covers(c, t->name, index, covered);
}

/* --- description ------------------------------------------------------------------------------ */

void global_scaling_describe(struct wire_writer *w, const char *member, const struct scaling *s)
{
    wire_open_member(w, member, '{');
    if (!s || s->disabled) {
        wire_put_member_bool(w, "AutoScalingDisabled", true);
        wire_close(w, '}');
        return;
    }
    wire_put_set_integer(w, "MinimumUnits", s->min);
    wire_put_set_integer(w, "MaximumUnits", s->max);
    wire_put_member_bool(w, "AutoScalingDisabled", false);
    wire_put_set_text(w, "AutoScalingRoleArn", s->role);
    if (s->target.len) {
        wire_open_member(w, "ScalingPolicies", '[');
        wire_open(w, '{');
        wire_put_set_text(w, "PolicyName", s->policy);
        wire_open_member(w, "TargetTrackingScalingPolicyConfiguration", '{');
        if (s->keeps_in)
            wire_put_member_bool(w, "DisableScaleIn", true);
        wire_put_set_integer(w, "ScaleInCooldown", s->in_cooldown);
        wire_put_set_integer(w, "ScaleOutCooldown", s->out_cooldown);
        wire_put_member_raw(w, "TargetValue", s->target);
        wire_close(w, '}');
        wire_close(w, '}');
        wire_close(w, ']');
    }
    wire_close(w, '}');
}
