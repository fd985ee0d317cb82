/* op_scaling_tags.c: the three operations on tags of scalable targets. Scaling policies and
 * scheduled actions have no tags. */
#include "base/ascii.h"
#include "ops/scaling/scaling.h"
#include "ops/table/table_arn.h"

/* --- the target ------------------------------------------------------------------------------- */

static bool is_id(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_letter(text.at[i]) && !ascii_is_digit(text.at[i]) && text.at[i] != '-')
            return false;
    return text.len > 0;
}

static bool is_target(struct span text)
{
    static const struct span kind = SPAN_LIT_INIT(":scalable-target/");
    struct span resource;
    struct arn arn;

    if (!table_arn_parse(text, &arn) || !arn.partition.len || !arn.region.len ||
        !span_is(arn.service, "application-autoscaling") || !arn.account.len ||
        !span_is_all(arn.account, ascii_is_digit))
        return false;
    resource = span_from(text, (size_t)(arn.account.at - text.at) + arn.account.len);
    return span_starts_with(resource, kind) && is_id(span_from(resource, kind.len));
}

static const struct wire_shape arn_shape = {
    .type = WIRE_STRING,
    WIRE_BOUNDS(1, LIMIT_SCALING_ARN),
    .pattern = "^arn:.+:application-autoscaling:.+:[0-9]+:scalable-target\\/[a-zA-Z0-9-]+$",
    .keeps = is_target};

/* Makes an error about a target, whose ARN is in its member ResourceName. */
static const struct error *error_of_target(struct call *c, enum error_kind kind, const char *text)
{
    struct span arn = wire_text(wire_get(c->body, "ResourceARN"));
    struct error *e = arena_alloc(c->arena, sizeof *e);
    struct buf members = buf_in(c->arena);
    struct wire_writer w = {.out = &members};

    wire_put_member_text(&w, "ResourceName", arn);
    *e = (struct error){.kind = kind, .message = span_of(text), .members = buf_span(&members)};
    return e;
}

static const struct error *find_target(struct call *c, struct scaling_entry *entry,
                                       const wire_node **target)
{
    struct span arn = wire_text(wire_get(c->body, "ResourceARN"));
    const struct error *e = scaling_find_arn(c, arn, entry, target);

    if (e || *target)
        return e;
    return error_of_target(
        c, ERROR_TARGET_NOT_FOUND,
        arena_printf(c->arena, "The specified resource does not exist: %.*s", SPAN_ARG(arn)));
}

/* --- tags ------------------------------------------------------------------------------------- */

static void put_tag(struct wire_writer *w, const wire_node *tag)
{
    wire_key_span(w, wire_name(tag));
    wire_put_raw(w, wire_raw(tag));
}

/* Stores the target with new tags. */
static const struct error *keep_tags(struct call *c, const struct scaling_entry *entry,
                                     const wire_node *target, const struct buf *tags)
{
    struct buf json = buf_in(c->arena);
    struct wire_writer w = {.out = &json};

    wire_open(&w, '{');
    scaling_put_described(&w, target);
    wire_put_member_raw(&w, "Tags", buf_span(tags));
    wire_close(&w, '}');
    return scaling_put(c, entry, buf_span(&json));
}

static const struct error *list_tags_for_resource(struct call *c)
{
    struct scaling_entry entry;
    const wire_node *target, *tags;
    const struct error *e = find_target(c, &entry, &target);

    if (e)
        return e;
    tags = wire_get(target, "Tags");
    wire_put_member_raw(&c->reply, "Tags", tags ? wire_raw(tags) : SPAN_LIT("{}"));
    return NULL;
}

const struct op op_list_tags_for_resource = {
    .name = "ListTagsForResource",
    .service = OP_SCALING,
    .members = WIRE_MEMBERS({"ResourceARN", &arn_shape, WIRE_REQUIRED}),
    .run = list_tags_for_resource,
};

static const struct error *scaling_tag_resource(struct call *c)
{
    const wire_node *given = wire_get(c->body, "Tags"), *target, *n;
    size_t count = wire_count(given);
    struct buf tags = buf_in(c->arena);
    struct wire_writer w = {.out = &tags};
    struct scaling_entry entry;
    const struct error *e;

    if ((e = scaling_check_tags(c, given)) || (e = find_target(c, &entry, &target)))
        return e;
    wire_open(&w, '{');
    for (n = wire_first(wire_get(target, "Tags")); n && count <= LIMIT_TAGS; n = wire_next(n))
        if (!wire_get_span(given, wire_name(n))) {
            put_tag(&w, n);
            count++;
        }
    if (count > LIMIT_TAGS)
        return error_of_target(c, ERROR_TOO_MANY_TAGS, SCALING_TOO_MANY_TAGS);
    for (n = wire_first(given); n; n = wire_next(n))
        put_tag(&w, n);
    wire_close(&w, '}');
    return keep_tags(c, &entry, target, &tags);
}

const struct op op_scaling_tag_resource = {
    .name = "TagResource",
    .service = OP_SCALING,
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"ResourceARN", &arn_shape, WIRE_REQUIRED},
                            {"Tags", &scaling_tags, WIRE_REQUIRED}),
    .run = scaling_tag_resource,
};

static const struct error *scaling_untag_resource(struct call *c)
{
    const wire_node *keys = wire_get(c->body, "TagKeys"), *target;
    struct buf tags = buf_in(c->arena);
    struct wire_writer w = {.out = &tags};
    struct scaling_entry entry;
    const struct error *e = find_target(c, &entry, &target);

    if (e)
        return e;
    wire_open(&w, '{');
    for (const wire_node *n = wire_first(wire_get(target, "Tags")); n; n = wire_next(n))
        if (!wire_has_text(keys, wire_name(n)))
            put_tag(&w, n);
    wire_close(&w, '}');
    return keep_tags(c, &entry, target, &tags);
}

const struct op op_scaling_untag_resource = {
    .name = "UntagResource",
    .service = OP_SCALING,
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"ResourceARN", &arn_shape, WIRE_REQUIRED},
        {"TagKeys",
         WIRE_SHAPE(WIRE_LIST, WIRE_BOUNDS(0, LIMIT_SCALING_KEYS), .element = &scaling_tag_key),
         WIRE_REQUIRED}),
    .run = scaling_untag_resource,
};
