#include "ops/op_target.h"

#include "ops/table/table_name.h"
#include "ops/table/table_state.h"

const struct error *op_target_find_named(struct call *c, struct span name, const struct table **out)
{
    const struct table *t;
    const struct error *e;

    if ((e = table_name_read(c, name, &name)) || (e = table_state_look_up(c, name, &t)))
        return e;
    if (!t || t->status == STATUS_CREATING || t->status == STATUS_DELETING)
        return error_caused(c->arena, ERROR_RESOURCE_NOT_FOUND,
                            ERROR_WHY(CAUSE_NO_TABLE, .operand = name),
                            "Requested resource not found");
    *out = t;
    return NULL;
}

const struct error *op_target_find(struct call *c, const struct table **out)
{
    return op_target_find_named(c, wire_text(wire_get(c->body, "TableName")), out);
}
