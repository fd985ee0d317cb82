#include "ops/op.h"
#include "ops/table/table_resource.h"
#include "ops/tag/tag_resource.h"

/* All tags fit one page: a NextToken is taken and means nothing. */
static const struct wire_member list_tags_members[] = {
    {"ResourceArn", &table_resource_shape, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
};

static const struct error *list_tags(struct call *c)
{
    struct wire_writer *w = &c->reply;
    const struct table *t;
    const struct error *e = tag_resource_find(c, &t);

    if (e)
        return e;
    wire_key(w, "Tags");
    wire_open(w, '[');
    for (size_t i = 0; i < t->tag_count; i++) {
        wire_open(w, '{');
        wire_put_member_text(w, "Key", t->tags[i].key);
        wire_put_member_text(w, "Value", t->tags[i].value);
        wire_close(w, '}');
    }
    wire_close(w, ']');
    return NULL;
}

const struct op op_list_tags_of_resource = {
    .name = "ListTagsOfResource",
    .access = OP_READS,
    .members = list_tags_members,
    .precheck = table_resource_required,
    .run = list_tags,
};
