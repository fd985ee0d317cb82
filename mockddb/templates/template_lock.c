/* A lock file, which mockddb pull --schema-only writes: tables as CreateTable takes them. */
#include "templates/template_core.h"

const struct problem *template_of_lock(struct template *t, const struct template_node *root)
{
    const struct template_node *version = template_node_get(root, "mockddb_lock");
    const struct template_node *tables = template_node_get(root, "tables");

    if (!span_is(template_node_text(version), "1"))
        return template_node_problem(t->arena, version, "this lock file is of a newer mockddb");
    if (tables->kind != TEMPLATE_LIST)
        return template_node_problem(t->arena, tables, "tables is not a list");
    for (size_t i = 0; i < tables->count; i++) {
        const struct template_node *table = tables->members[i].value;
        const struct span name = template_node_text(template_node_get(table, "TableName"));

        if (!name.len)
            return template_node_problem(t->arena, table, "it has no TableName");
        template_add_table(t, &(struct template_table){.id = name,
                                                       .name = name,
                                                       .is_named = true,
                                                       .at = table,
                                                       .properties = table,
                                                       .form = template_form_as_it_is});
    }
    return NULL;
}
