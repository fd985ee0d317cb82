#include "ops/scaling/scaling.h"
#include "wire/wire_print.h"

static const struct wire_member suspended_members[] = {
    {"DynamicScalingInSuspended", &wire_boolean, 0},
    {"DynamicScalingOutSuspended", &wire_boolean, 0},
    {"ScheduledScalingSuspended", &wire_boolean, 0},
    {NULL, NULL, 0},
};

/* A target to register. `before` is its current description, or NULL; absent members of the request
 * keep their values. */
struct registration {
    const struct scaling_target *target;
    const wire_node *before;
    int64_t least, most;
};

static const wire_node *member_of(const struct call *c, const struct registration *r,
                                  const char *name)
{
    const wire_node *given = wire_get(c->body, name);

    return given ? given : wire_get(r->before, name);
}

static const struct error *read_capacities(struct call *c, struct registration *r)
{
    const wire_node *least = member_of(c, r, "MinCapacity"), *most = member_of(c, r, "MaxCapacity");

    if (!least || !most)
        return error_validation(c->arena,
                                "%s capacity must be specified when registering a new scalable "
                                "target",
                                least ? "Maximum" : "Minimum");
    r->least = wire_integer(least, 0);
    r->most = wire_integer(most, 0);
    return scaling_check_capacities(c, least, most);
}

static struct span new_arn(struct call *c)
{
    return span_of(arena_printf(
        c->arena, "arn:aws:application-autoscaling:%.*s:%.*s:scalable-target/%s",
        SPAN_ARG(op_region(c)), SPAN_ARG(c->settings->account), clock_uuid(c->clock, c->arena)));
}

static void put_suspended(struct wire_writer *w, const wire_node *state)
{
    wire_open_member(w, "SuspendedState", '{');
    for (const struct wire_member *m = suspended_members; m->name; m++)
        wire_put_member_bool(w, m->name, wire_bool(wire_get(state, m->name), false));
    wire_close(w, '}');
}

/* Makes the new description of the target. */
static struct span describe_target(struct call *c, const struct registration *r, struct span arn)
{
    struct buf json = buf_in(c->arena), text = buf_in(c->arena);
    struct wire_writer w = {.out = &json};
    const wire_node *role = member_of(c, r, "RoleARN"),
                    *tags = wire_get(r->before ? r->before : c->body, "Tags");
    const wire_node *created = wire_get(r->before, "CreationTime");

    wire_open(&w, '{');
    wire_put_member_word(&w, "ServiceNamespace", "dynamodb");
    wire_put_member_text(&w, "ResourceId", r->target->resource);
    wire_put_member_text(&w, "ScalableDimension", r->target->dimension);
    wire_put_member_integer(&w, "MinCapacity", r->least);
    wire_put_member_integer(&w, "MaxCapacity", r->most);
    wire_put_member_text(
        &w, "RoleARN",
        role ? wire_text(role)
             : span_of(arena_printf(c->arena,
                                    "arn:aws:iam::%.*s:role/aws-service-role/"
                                    "dynamodb.application-autoscaling.amazonaws.com/"
                                    "AWSServiceRoleForApplicationAutoScaling_DynamoDBTable",
                                    SPAN_ARG(c->settings->account))));
    wire_put_member_time(&w, "CreationTime", wire_time(created, clock_now_ms(c->clock)));
    put_suspended(&w, member_of(c, r, "SuspendedState"));
    wire_put_member_text(&w, "ScalableTargetARN", arn);
    if (tags) {
        wire_print_json(&text, tags); /* as sent, a key may be repeated */
        wire_put_member_raw(&w, "Tags", buf_span(&text));
    }
    wire_close(&w, '}');
    return buf_span(&json);
}

static const struct error *register_scalable_target(struct call *c)
{
    struct scaling_entry entry = {.part = SCALING_TARGETS};
    struct registration r = {.target = &entry.target};
    const struct error *e;
    struct span arn;
    const wire_node *tags;

    if ((e = scaling_read(c, &entry.target)) || (e = scaling_check_exists(c, &entry.target)) ||
        (e = scaling_get(c, &entry, &r.before)))
        return e;
    /* Only a new target takes tags here; later they are changed by TagResource. */
    tags = wire_get(c->body, "Tags");
    if (wire_count(tags) && r.before)
        return error_validation(c->arena,
                                "The scalable target that you tried to tag already exists. To "
                                "update tags on an existing scalable target, use the TagResource "
                                "API.");
    if (wire_count(tags) > LIMIT_TAGS)
        return error_validation(c->arena, SCALING_TOO_MANY_TAGS);
    if ((e = scaling_check_tags(c, tags)) || (e = read_capacities(c, &r)))
        return e;
    arn = r.before ? wire_text(wire_get(r.before, "ScalableTargetARN")) : new_arn(c);
    wire_put_member_text(&c->reply, "ScalableTargetARN", arn);
    return scaling_put(c, &entry, describe_target(c, &r, arn));
}

const struct op op_register_scalable_target = {
    .name = "RegisterScalableTarget",
    .service = OP_SCALING,
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(SCALING_TARGET_MEMBERS, {"MinCapacity", &wire_any_integer, 0},
                            {"MaxCapacity", &wire_any_integer, 0}, {"RoleARN", &scaling_id, 0},
                            {"SuspendedState", WIRE_STRUCT("SuspendedState", suspended_members), 0},
                            {"Tags", &scaling_tags, 0}),
    .run = register_scalable_target,
};

const struct op op_deregister_scalable_target = {
    .name = "DeregisterScalableTarget",
    .service = OP_SCALING,
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(SCALING_TARGET_MEMBERS),
    .run = scaling_delete,
};

const struct op op_describe_scalable_targets = {
    .name = "DescribeScalableTargets",
    .service = OP_SCALING,
    .members = WIRE_MEMBERS({"ServiceNamespace", &scaling_namespace, WIRE_REQUIRED},
                            {"ResourceIds", &scaling_ids, 0},
                            {"ScalableDimension", &scaling_dimension, 0},
                            {"MaxResults", &wire_any_integer, 0}, {"NextToken", &wire_string, 0}),
    .run = scaling_list,
};

/* The list is always empty, since nothing scales here. So every token is invalid. */
static const struct error *describe_scaling_activities(struct call *c)
{
    if (wire_get(c->body, "NextToken"))
        return scaling_wrong_token(c);
    wire_open_member(&c->reply, "ScalingActivities", '[');
    wire_close(&c->reply, ']');
    return NULL;
}

const struct op op_describe_scaling_activities = {
    .name = "DescribeScalingActivities",
    .service = OP_SCALING,
    .members = WIRE_MEMBERS(
        {"ServiceNamespace", &scaling_namespace, WIRE_REQUIRED}, {"ResourceId", &scaling_id, 0},
        {"ScalableDimension", &scaling_dimension, 0}, {"MaxResults", &wire_any_integer, 0},
        {"NextToken", &wire_string, 0}, {"IncludeNotScaledActivities", &wire_boolean, 0}),
    .run = describe_scaling_activities,
};
