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

/* The tags of t and, in their place or after them, those of the list. */
static void merge_tags(struct table *t, const struct tag_list *list)
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
    merge_tags(t, &tags);
    if ((e = table_check_tag_count(c->arena, t->tag_count)))
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
