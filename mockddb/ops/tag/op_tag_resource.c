#include "ops/op.h"
#include "ops/table/table_check.h"
#include "ops/table/table_resource.h"
#include "ops/table/table_shapes.h"
#include "ops/table/table_state.h"
#include "ops/tag/tag_resource.h"

static const struct wire_member tag_resource_members[] = {
    {"ResourceArn", &table_resource_shape, 0},
    {"Tags", &table_shapes_tags, WIRE_REQUIRED},
    {NULL, NULL, 0},
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
    .members = tag_resource_members,
    .precheck = table_resource_required,
    .run = tag_resource,
};
