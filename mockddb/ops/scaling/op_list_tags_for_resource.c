#include "base/ascii.h"
#include "model/limits.h"
#include "ops/scaling/scaling.h"
#include "ops/table/table_arn.h"

static bool is_id(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_letter(text.at[i]) && !ascii_is_digit(text.at[i]) && text.at[i] != '-')
            return false;
    return text.len > 0;
}

static bool is_number(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_digit(text.at[i]))
            return false;
    return text.len > 0;
}

static bool is_target(struct span text)
{
    static const struct span kind = SPAN_LIT_INIT(":scalable-target/");
    struct span resource;
    struct arn arn;

    if (!table_arn_parse(text, &arn) || !arn.partition.len || !arn.region.len ||
        !span_is(arn.service, "application-autoscaling") || !is_number(arn.account))
        return false;
    resource = span_from(text, (size_t)(arn.account.at - text.at) + arn.account.len);
    return span_starts_with(resource, kind) && is_id(span_from(resource, kind.len));
}

static const struct wire_shape arn_shape = {
    .type = WIRE_STRING,
    WIRE_BOUNDS(1, LIMIT_SCALING_ARN),
    .pattern = "^arn:.+:application-autoscaling:.+:[0-9]+:scalable-target\\/[a-zA-Z0-9-]+$",
    .keeps = is_target};

static const struct wire_member list_tags_for_resource_members[] = {
    {"ResourceARN", &arn_shape, WIRE_REQUIRED},
    {NULL, NULL, 0},
};

static const struct error *list_tags_for_resource(struct call *c)
{
    struct span arn = wire_text(wire_get(c->body, "ResourceARN"));
    const wire_node *target, *tags;
    const struct error *e = scaling_find_arn(c, arn, &target);

    if (e)
        return e;
    if (!target)
        return error_new(c->arena, ERROR_RESOURCE_NOT_FOUND,
                         "The specified resource does not exist: %.*s", SPAN_ARG(arn));
    tags = wire_get(target, "Tags");
    wire_key(&c->reply, "Tags");
    wire_put_raw(&c->reply, tags ? wire_raw(tags) : SPAN_LIT("{}"));
    return NULL;
}

const struct op op_list_tags_for_resource = {
    .name = "ListTagsForResource",
    .service = OP_SCALING,
    .access = OP_READS,
    .members = list_tags_for_resource_members,
    .run = list_tags_for_resource,
};
