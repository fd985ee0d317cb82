#include "ops/tag/tag_resource.h"

#include "ops/op.h"
#include "ops/table/table_check.h"
#include "ops/table/table_resource.h"
#include "ops/table/table_shapes.h"
#include "ops/table/table_state.h"

static const struct error *not_found(struct call *c, struct span text)
{
    return error_new(c->arena, ERROR_RESOURCE_NOT_FOUND,
                     "Requested resource not found: ResourceArn: %.*s not found", SPAN_ARG(text));
}

/* Only tables have tags. The service accepts the ARN of a stream, which has no tags. */
const struct error *tag_resource_find(struct call *c, const struct table **out)
{
    struct span text = wire_text(wire_get(c->body, "ResourceArn"));
    struct arn arn = {0};
    const struct table *t;
    const struct error *e;

    if ((e = table_resource_read(c, c->op->access == OP_READS, &arn)) ||
        (e = table_state_look_up(c, arn.table, &t)))
        return e;
    if (!t || t->status == STATUS_CREATING || arn.rest.len)
        return not_found(c, text);
    if (t->status == STATUS_DELETING && c->op->access == OP_WRITES)
        return table_state_being_deleted(c, t->name);
    *out = t;
    return NULL;
}

void tag_resource_merge(struct table *t, const struct tag_list *list)
{
    struct tag *tags = arena_array(t->arena, t->tag_count + list->len, sizeof *tags);

    if (t->tag_count)
        memcpy(tags, t->tags, t->tag_count * sizeof *tags);
    t->tags = tags;
    for (size_t i = 0; i < list->len; i++) {
        size_t at = 0;

        while (at < t->tag_count && !span_equal(tags[at].key, list->at[i].key))
            at++;
        tags[at] = (struct tag){arena_span(t->arena, list->at[i].key),
                                arena_span(t->arena, list->at[i].value)};
        t->tag_count += at == t->tag_count;
    }
}

static bool is_listed(const wire_node *keys, struct span key)
{
    for (const wire_node *n = wire_first(keys); n; n = wire_next(n))
        if (span_equal(wire_text(n), key))
            return true;
    return false;
}

void tag_resource_remove(struct table *t, const wire_node *keys)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->tag_count; i++)
        if (!is_listed(keys, t->tags[i].key))
            t->tags[kept++] = t->tags[i];
    t->tag_count = kept;
}

void tag_resource_put(struct wire_writer *w, const struct table *t)
{
    wire_open_member(w, "Tags", '[');
    for (size_t i = 0; i < t->tag_count; i++) {
        wire_open(w, '{');
        wire_put_member_text(w, "Key", t->tags[i].key);
        wire_put_member_text(w, "Value", t->tags[i].value);
        wire_close(w, '}');
    }
    wire_close(w, ']');
}

/* All tags fit on one page, so a NextToken is accepted and ignored. */
static const struct wire_member list_tags_members[] = {
    {"ResourceArn", &table_resource_shape, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
};

static const struct error *list_tags(struct call *c)
{
    const struct table *t;
    const struct error *e = tag_resource_find(c, &t);

    if (e)
        return e;
    tag_resource_put(&c->reply, t);
    return NULL;
}

static const struct op_paging paging = {"NextToken", "NextToken", NULL, {"Tags"}, NULL};

const struct op op_list_tags_of_resource = {
    .name = "ListTagsOfResource",
    .paging = &paging,
    .members = list_tags_members,
    .precheck = table_resource_required,
    .run = list_tags,
};

static const struct error *tag_resource(struct call *c)
{
    struct tag_list tags = table_spec_tags(c->arena, wire_get(c->body, "Tags"));
    const struct table *old;
    struct table *t;
    const struct error *e;

    if (!tags.len)
        return error_validation(c->arena, "Atleast one Tag needs to be provided as Input.");
    if ((e = table_check_tags(c->arena, &tags)) || (e = tag_resource_find(c, &old)))
        return e;
    t = schema_copy(c->arena, old);
    tag_resource_merge(t, &tags);
    if ((e = table_check_tag_set(c->arena, t->tags, t->tag_count)))
        return e;
    c->no_body = true;
    return table_state_keep(c, t);
}

const struct op op_tag_resource = {
    .name = "TagResource",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"ResourceArn", &table_resource_shape, 0},
                            {"Tags", &table_shapes_tags, WIRE_REQUIRED}),
    .precheck = table_resource_required,
    .run = tag_resource,
};

static const struct wire_shape tag_keys = {.type = WIRE_LIST, .element = &wire_string};

static const struct error *check_keys(struct call *c, const wire_node *keys)
{
    const struct error *e = NULL;

    if (!wire_count(keys))
        return error_validation(c->arena, "Atleast one Tag Key needs to be provided as Input.");
    for (const wire_node *n = wire_first(keys); n && !e; n = wire_next(n))
        e = table_check_tag_key(c->arena, wire_text(n));
    return e ? e : table_check_tag_count(c->arena, wire_count(keys));
}

static const struct error *untag_resource(struct call *c)
{
    const wire_node *keys = wire_get(c->body, "TagKeys");
    const struct table *old;
    struct table *t;
    const struct error *e;

    if ((e = check_keys(c, keys)) || (e = tag_resource_find(c, &old)))
        return e;
    t = schema_copy(c->arena, old);
    tag_resource_remove(t, keys);
    c->no_body = true;
    return table_state_keep(c, t);
}

const struct op op_untag_resource = {
    .name = "UntagResource",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"ResourceArn", &table_resource_shape, 0},
                            {"TagKeys", &tag_keys, WIRE_REQUIRED}),
    .precheck = table_resource_required,
    .run = untag_resource,
};
