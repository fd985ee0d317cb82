#include "ops/op.h"
#include "ops/table/table_check.h"
#include "ops/table/table_resource.h"
#include "ops/table/table_state.h"
#include "ops/tag/tag_resource.h"

static const struct wire_shape tag_keys = {.type = WIRE_LIST, .element = &wire_string};

static const struct wire_member untag_resource_members[] = {
    {"ResourceArn", &table_resource_shape, 0},
    {"TagKeys", &tag_keys, WIRE_REQUIRED},
    {NULL, NULL, 0},
};

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
    .members = untag_resource_members,
    .precheck = table_resource_required,
    .run = untag_resource,
};
