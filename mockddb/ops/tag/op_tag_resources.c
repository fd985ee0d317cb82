#include "ops/table/table_check.h"
#include "ops/tag/tag_list.h"
#include "ops/tag/tag_resource.h"

static const struct wire_member tag_resources_members[] = {
    {"ResourceARNList", &tag_list_arns, WIRE_REQUIRED},
    {"Tags", &tag_list_tags, WIRE_REQUIRED},
    {NULL, NULL, 0},
};

static const struct error *merge_tags(struct call *c, struct table *t, const void *tags)
{
    tag_resource_merge(t, tags);
    return table_check_tag_set(c->arena, t->tags, t->tag_count);
}

static const struct error *tag_resources(struct call *c)
{
    const wire_node *map = wire_get(c->body, "Tags");
    struct tag_list tags = {.at = arena_array(c->arena, wire_count(map), sizeof *tags.at)};
    const struct error *e;

    for (const wire_node *n = wire_first(map); n; n = wire_next(n))
        tags.at[tags.len++] = (struct tag){wire_name(n), wire_text(n)};
    if ((e = table_check_tags(c->arena, &tags)))
        return e;
    return tag_list_apply(c, merge_tags, &tags);
}

const struct op op_tag_resources = {
    .name = "TagResources",
    .service = OP_TAGGING,
    .access = OP_WRITES,
    .members = tag_resources_members,
    .run = tag_resources,
};
