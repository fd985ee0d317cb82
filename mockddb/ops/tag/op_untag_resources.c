#include "ops/tag/tag_list.h"
#include "ops/tag/tag_resource.h"

static const struct wire_member untag_resources_members[] = {
    {"ResourceARNList", &tag_list_arns, WIRE_REQUIRED},
    {"TagKeys", &tag_list_keys, WIRE_REQUIRED},
    {NULL, NULL, 0},
};

static const struct error *drop_keys(struct call *c, struct table *t, const void *keys)
{
    arena_charge(c->arena, t->tag_count);
    tag_resource_remove(t, keys);
    return NULL;
}

static const struct error *untag_resources(struct call *c)
{
    return tag_list_apply(c, drop_keys, wire_get(c->body, "TagKeys"));
}

const struct op op_untag_resources = {
    .name = "UntagResources",
    .service = OP_TAGGING,
    .access = OP_WRITES,
    .members = untag_resources_members,
    .run = untag_resources,
};
