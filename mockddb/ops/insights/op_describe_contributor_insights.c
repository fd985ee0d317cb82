#include "ops/insights/insights.h"
#include "ops/table/table_name.h"

static const struct wire_member describe_contributor_insights_members[] = {
    {"TableName", &wire_table_name, 0},
    {"IndexName", &wire_index_name, 0},
    {NULL, NULL, 0},
};

static void put_rule(struct call *c, const struct insights_place *place, const char *kind)
{
    struct span table = place->table->name;
    struct span index = place->index ? place->index->name : (struct span){"", 0};

    wire_put_text(&c->reply,
                  span_of(arena_printf(c->arena, "DynamoDBContributorInsights-%s-%.*s%s%.*s-%lld",
                                       kind, SPAN_ARG(table), index.len ? "-" : "", SPAN_ARG(index),
                                       (long long)insights_at(place)->since_ms)));
}

/* Writes the rules for accessed and for throttled keys, each by partition key and by whole key. */
static void put_rules(struct call *c, const struct insights_place *place)
{
    const struct key_schema *keys = place->index ? &place->index->keys : &place->table->keys;
    bool accessed = insights_at(place)->mode == INSIGHTS_ALL_KEYS;

    wire_key(&c->reply, "ContributorInsightsRuleList");
    wire_open(&c->reply, '[');
    if (accessed)
        put_rule(c, place, "PKC");
    if (accessed && keys->range_count)
        put_rule(c, place, "SKC");
    put_rule(c, place, "PKT");
    if (keys->range_count)
        put_rule(c, place, "SKT");
    wire_close(&c->reply, ']');
}

static const struct error *describe_contributor_insights(struct call *c)
{
    const struct insights *insights;
    struct insights_place place;
    const struct error *e = insights_find(c, &place);

    if (e)
        return e;
    insights = insights_at(&place);
    insights_put_place(&c->reply, &place);
    if (insights->enabled)
        put_rules(c, &place);
    insights_put_state(&c->reply, insights);
    if (insights->changed_ms) {
        wire_key(&c->reply, "LastUpdateDateTime");
        wire_put_time(&c->reply, insights->changed_ms);
    }
    return NULL;
}

const struct op op_describe_contributor_insights = {
    .name = "DescribeContributorInsights",
    .access = OP_READS,
    .members = describe_contributor_insights_members,
    .precheck = table_name_required,
    .run = describe_contributor_insights,
};
