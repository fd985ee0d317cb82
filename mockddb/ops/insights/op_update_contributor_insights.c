#include "model/names.h"
#include "ops/insights/insights.h"
#include "ops/op_transition.h"
#include "ops/table/table_name.h"
#include "ops/table/table_state.h"

static const char *const actions[] = {"ENABLE", "DISABLE", NULL};

static const struct wire_shape action_shape = {.type = WIRE_STRING, .values = actions};
static const struct wire_shape mode_shape = {.type = WIRE_STRING, .values = names_insights_modes};

static const struct wire_member update_contributor_insights_members[] = {
    {"TableName", &wire_table_name, 0},
    {"IndexName", &wire_index_name, 0},
    {"ContributorInsightsAction", &action_shape, WIRE_REQUIRED},
    {"ContributorInsightsMode", &mode_shape, 0},
    {NULL, NULL, 0},
};

static const struct error *check_active(struct call *c, const struct insights_place *place)
{
    const char *what = place->table->status != STATUS_ACTIVE                   ? "Table"
                       : place->index && place->index->status != STATUS_ACTIVE ? "Index"
                                                                               : NULL;

    if (!what)
        return NULL;
    return error_validation(c->arena,
                            "Table or Index is not in a valid state to update Key Access Insights: "
                            "%sStatus must be ACTIVE to enable ContributorInsights.",
                            what);
}

static void switch_state(struct call *c, struct insights *insights, bool enable)
{
    int64_t now = clock_now_ms(c->clock);

    if (!enable && !insights->enabled)
        return;
    if (!insights->enabled)
        insights->since_ms = now;
    insights->enabled = enable;
    insights->mode = (enum insights_mode)names_find(
        names_insights_modes, wire_text(wire_get(c->body, "ContributorInsightsMode")),
        INSIGHTS_ALL_KEYS);
    insights->changed_ms = now;
    insights->until_ms = op_transition_end(c);
}

static const struct error *update_contributor_insights(struct call *c)
{
    bool enable = span_is(wire_text(wire_get(c->body, "ContributorInsightsAction")), "ENABLE");
    struct insights_place place;
    struct insights *insights;
    const struct error *e;
    struct table *t;

    if ((e = insights_find(c, &place)) || (e = check_active(c, &place)))
        return e;
    t = schema_copy(c->arena, place.table);
    insights = place.index ? &t->indexes[place.index - place.table->indexes].insights
                           : &t->insights;
    switch_state(c, insights, enable);
    insights_put_place(&c->reply, &place);
    insights_put_state(&c->reply, insights);
    return table_state_keep(c, t);
}

const struct op op_update_contributor_insights = {
    .name = "UpdateContributorInsights",
    .access = OP_WRITES,
    .members = update_contributor_insights_members,
    .precheck = table_name_required,
    .run = update_contributor_insights,
};
