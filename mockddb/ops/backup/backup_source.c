#include "ops/backup/backup_source.h"

#include "ops/table/table_name.h"
#include "ops/table/table_state.h"

const struct error *backup_source_not_found(struct call *c, struct span name)
{
    return error_new(c->arena, ERROR_TABLE_NOT_FOUND, "Table not found: %.*s", SPAN_ARG(name));
}

const struct error *backup_source_named(struct call *c, struct span name, const struct table **out)
{
    const struct error *e = table_state_look_up(c, name, out);

    return e || *out ? e
                     : error_because(c->arena, backup_source_not_found(c, name),
                                     ERROR_WHY(CAUSE_NO_TABLE, .operand = name));
}

const struct error *backup_source_find(struct call *c, const struct table **out)
{
    struct span name;
    const struct error *e = table_name_read(c, wire_text(wire_get(c->body, "TableName")), &name);

    return e ? e : backup_source_named(c, name, out);
}

const struct error *backup_source_made(struct call *c, const struct table **out)
{
    const struct error *e = backup_source_find(c, out);

    if (e || !*out || (*out)->status != STATUS_CREATING)
        return e;
    return error_because(c->arena, backup_source_not_found(c, (*out)->name),
                         ERROR_WHY(CAUSE_NO_TABLE, .operand = (*out)->name));
}
