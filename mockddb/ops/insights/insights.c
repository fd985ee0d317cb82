#include "ops/insights/insights.h"

#include "model/names.h"
#include "ops/table/table_state.h"

const struct error *insights_find(struct call *c, struct insights_place *out)
{
    struct span name = wire_text(wire_get(c->body, "IndexName"));
    const struct error *e = table_state_find(c, &out->table);

    out->index = NULL;
    if (e || !name.at)
        return e;
    out->index = schema_find_index(out->table, name);
    if (out->index && schema_kind(out->index) == KIND_GLOBAL)
        return NULL;
    return error_new(c->arena, ERROR_RESOURCE_NOT_FOUND,
                     "Requested resource not found: Index: %.*s not found", SPAN_ARG(name));
}

const struct insights *insights_at(const struct insights_place *place)
{
    return place->index ? &place->index->insights : &place->table->insights;
}

static const char *status_of(const struct insights *insights)
{
    if (insights->until_ms)
        return insights->enabled ? "ENABLING" : "DISABLING";
    return names_on_off[insights->enabled];
}

void insights_put_place(struct wire_writer *w, const struct insights_place *place)
{
    wire_put_member_text(w, "TableName", place->table->name);
    if (place->index)
        wire_put_member_text(w, "IndexName", place->index->name);
}

void insights_put_state(struct wire_writer *w, const struct insights *insights)
{
    wire_put_member_word(w, "ContributorInsightsStatus", status_of(insights));
    if (insights->enabled)
        wire_put_member_word(w, "ContributorInsightsMode", names_insights_modes[insights->mode]);
}
