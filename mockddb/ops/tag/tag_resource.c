#include "ops/tag/tag_resource.h"

#include "ops/table/table_resource.h"
#include "ops/table/table_state.h"

static const struct error *not_found(struct call *c, struct span text)
{
    return error_new(c->arena, ERROR_RESOURCE_NOT_FOUND,
                     "Requested resource not found: ResourceArn: %.*s not found", SPAN_ARG(text));
}

/* Tables have tags; a stream can be named, but has none of its own. */
const struct error *tag_resource_find(struct call *c, const struct table **out)
{
    struct span text = wire_text(wire_get(c->body, "ResourceArn"));
    struct arn arn = {0};
    const struct table *t;
    const struct error *e;

    if ((e = table_resource_read(c, &arn)) || (e = table_state_look_up(c, arn.table, &t)))
        return e;
    if (!t || t->status == STATUS_CREATING || arn.rest.len)
        return not_found(c, text);
    if (t->status == STATUS_DELETING && c->op->access == OP_WRITES)
        return table_state_being_deleted(c, t->name);
    *out = t;
    return NULL;
}
