#include "ops/op.h"
#include "ops/table/table_resource.h"
#include "ops/tag/tag_resource.h"

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
    .access = OP_READS,
    .paging = &paging,
    .members = list_tags_members,
    .precheck = table_resource_required,
    .run = list_tags,
};
