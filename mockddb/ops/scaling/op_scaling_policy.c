#include "ops/scaling/scaling.h"

static const struct wire_shape metric = WIRE_STRUCT_OF(
    "PredefinedMetricSpecification", {"PredefinedMetricType", &wire_string, WIRE_REQUIRED},
    {"ResourceLabel", &wire_string, 0});
static const struct wire_shape real = {.type = WIRE_DOUBLE};
static const struct wire_member tracking_members[] = {
    {"TargetValue", &real, WIRE_REQUIRED},      {"PredefinedMetricSpecification", &metric, 0},
    {"ScaleOutCooldown", &wire_any_integer, 0}, {"ScaleInCooldown", &wire_any_integer, 0},
    {"DisableScaleIn", &wire_boolean, 0},       {NULL, NULL, 0},
};
static const struct wire_shape tracking = WIRE_STRUCT_FROM(
    "TargetTrackingScalingPolicyConfiguration", tracking_members);

static const char *const policy_types[] = {"StepScaling", "TargetTrackingScaling",
                                           "PredictiveScaling", NULL};

static struct span new_arn(struct call *c, const struct scaling_target *t, struct span name)
{
    return span_of(
        arena_printf(c->arena,
                     "arn:aws:autoscaling:%.*s:%.*s:scalingPolicy:%s:resource/dynamodb/%.*s:"
                     "policyName/%.*s",
                     SPAN_ARG(op_region(c)), SPAN_ARG(c->settings->account),
                     clock_uuid(c->clock, c->arena), SPAN_ARG(t->resource), SPAN_ARG(name)));
}

static void put_alarms(struct wire_writer *w)
{
    wire_key(w, "Alarms"); /* always empty: nothing scales here */
    wire_open(w, '[');
    wire_close(w, ']');
}

static struct span describe_policy(struct call *c, const struct scaling_target *t, struct span name,
                                   struct span arn, const wire_node *before)
{
    const wire_node *configuration = wire_get(c->body, "TargetTrackingScalingPolicyConfiguration");
    struct buf json = buf_in(c->arena);
    struct wire_writer w = {.out = &json};

    wire_open(&w, '{');
    wire_put_member_text(&w, "PolicyARN", arn);
    wire_put_member_text(&w, "PolicyName", name);
    wire_put_member_word(&w, "ServiceNamespace", "dynamodb");
    wire_put_member_text(&w, "ResourceId", t->resource);
    wire_put_member_text(&w, "ScalableDimension", t->dimension);
    wire_put_member_word(&w, "PolicyType", "TargetTrackingScaling");
    wire_put_member_raw(&w, "TargetTrackingScalingPolicyConfiguration", wire_raw(configuration));
    put_alarms(&w);
    wire_put_member_time(&w, "CreationTime",
                         wire_time(wire_get(before, "CreationTime"), clock_now_ms(c->clock)));
    wire_close(&w, '}');
    return buf_span(&json);
}

static const struct error *check_kind(struct call *c)
{
    struct span type = wire_text(wire_get(c->body, "PolicyType"));

    if ((!type.len || span_is(type, "TargetTrackingScaling")) &&
        wire_get(c->body, "TargetTrackingScalingPolicyConfiguration"))
        return NULL;
    return error_validation(c->arena, "Only target tracking policies are supported for DynamoDB");
}

/* A target has at most one policy for each metric. */
static const struct error *check_metric(struct call *c, const struct scaling_target *t,
                                        struct span name)
{
    const wire_node *configuration = wire_get(c->body, "TargetTrackingScalingPolicyConfiguration");
    struct span type = wire_text(
        wire_get(wire_get(configuration, "PredefinedMetricSpecification"), "PredefinedMetricType"));
    const struct error *e;
    bool taken;

    if (!type.len)
        return NULL;
    if ((e = scaling_follows(c, t, name, type, &taken)))
        return e;
    return taken ? error_validation(c->arena, "Only one TargetTrackingScaling policy for a given "
                                              "metric specification is allowed.")
                 : NULL;
}

static const struct error *put_scaling_policy(struct call *c)
{
    struct span name = wire_text(wire_get(c->body, "PolicyName")), arn;
    struct scaling_entry target = {.part = SCALING_TARGETS}, policy;
    const wire_node *registered, *before;
    const struct error *e;

    if ((e = scaling_read(c, &target.target)) || (e = check_kind(c)) ||
        (e = scaling_get(c, &target, &registered)))
        return e;
    if (!registered)
        return scaling_not_found(c, &target.target, "scalable target registered");
    policy = (struct scaling_entry){
        .part = SCALING_POLICIES, .target = target.target, .name = name};
    if ((e = check_metric(c, &target.target, name)) || (e = scaling_get(c, &policy, &before)))
        return e;
    arn = before ? wire_text(wire_get(before, "PolicyARN")) : new_arn(c, &target.target, name);
    wire_put_member_text(&c->reply, "PolicyARN", arn);
    put_alarms(&c->reply);
    return scaling_put(c, &policy, describe_policy(c, &target.target, name, arn, before));
}

const struct op op_put_scaling_policy = {
    .name = "PutScalingPolicy",
    .service = OP_SCALING,
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"PolicyName", &scaling_policy_name, WIRE_REQUIRED},
                            SCALING_TARGET_MEMBERS,
                            {"PolicyType", WIRE_SHAPE(WIRE_STRING, .values = policy_types), 0},
                            {"TargetTrackingScalingPolicyConfiguration", &tracking, 0}),
    .run = put_scaling_policy,
};

const struct op op_delete_scaling_policy = {
    .name = "DeleteScalingPolicy",
    .service = OP_SCALING,
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"PolicyName", &scaling_id, WIRE_REQUIRED}, SCALING_TARGET_MEMBERS),
    .run = scaling_delete,
};

const struct op op_describe_scaling_policies = {
    .name = "DescribeScalingPolicies",
    .service = OP_SCALING,
    .members = WIRE_MEMBERS({"PolicyNames", &scaling_ids, 0}, SCALING_LIST_MEMBERS),
    .run = scaling_list,
};
