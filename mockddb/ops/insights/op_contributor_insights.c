/* op_contributor_insights.c: contributor insights: which keys of a table or global index are used
 * most.
 *
 * Only the state is stored. The figures would be in CloudWatch's rules, which this server does not
 * have.
 * Source: docs/behaviour/insights.md. */
#include "base/base64.h"
#include "ops/table/table_name.h"
#include "ops/table/table_state.h"

/* The table or global index of a request. */
struct insights_place {
    const struct table *table;
    const struct index *index; /* NULL: the table itself */
};

/* Finds the place that TableName and IndexName name. */
static const struct error *find_place(struct call *c, struct insights_place *out)
{
    struct span name = wire_text(wire_get(c->body, "IndexName"));
    const struct error *e = table_state_find(c, &out->table);

    out->index = NULL;
    if (e || !name.at)
        return e;
    out->index = schema_find_index(out->table, name);
    if (out->index && schema_kind(out->index) == KIND_GLOBAL)
        return NULL;
    return error_caused(c->arena, ERROR_RESOURCE_NOT_FOUND,
                        ERROR_WHY(CAUSE_NO_INDEX, .operand = name, .beside = out->table->name),
                        "Requested resource not found: Index: %.*s not found", SPAN_ARG(name));
}

static const struct insights *insights_of(const struct insights_place *place)
{
    return place->index ? &place->index->insights : &place->table->insights;
}

static const char *status_of(const struct insights *insights)
{
    if (insights->until_ms)
        return insights->enabled ? "ENABLING" : "DISABLING";
    return names_on_off[insights->enabled];
}

static void put_names(struct wire_writer *w, const struct insights_place *place)
{
    wire_put_member_text(w, "TableName", place->table->name);
    if (place->index)
        wire_put_member_text(w, "IndexName", place->index->name);
}

static void put_state(struct wire_writer *w, const struct insights *insights)
{
    wire_put_member_word(w, "ContributorInsightsStatus", status_of(insights));
    if (insights->enabled)
        wire_put_member_word(w, "ContributorInsightsMode", names_insights_modes[insights->mode]);
}

static void put_rule(struct call *c, const struct insights_place *place, const char *kind)
{
    struct span table = place->table->name;
    struct span index = place->index ? place->index->name : (struct span){"", 0};

    wire_put_text(&c->reply,
                  span_of(arena_printf(c->arena, "DynamoDBContributorInsights-%s-%.*s%s%.*s-%lld",
                                       kind, SPAN_ARG(table), index.len ? "-" : "", SPAN_ARG(index),
                                       (long long)insights_of(place)->since_ms)));
}

/* Writes the rules for accessed and for throttled keys, each by partition key and by whole key. */
static void put_rules(struct call *c, const struct insights_place *place)
{
    const struct key_schema *keys = place->index ? &place->index->keys : &place->table->keys;
    bool accessed = insights_of(place)->mode == INSIGHTS_ALL_KEYS;

    wire_open_member(&c->reply, "ContributorInsightsRuleList", '[');
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
    const struct error *e = find_place(c, &place);

    if (e)
        return e;
    insights = insights_of(&place);
    put_names(&c->reply, &place);
    if (insights->enabled)
        put_rules(c, &place);
    put_state(&c->reply, insights);
    wire_put_set_time(&c->reply, "LastUpdateDateTime", insights->changed_ms);
    return NULL;
}

const struct op op_describe_contributor_insights = {
    .name = "DescribeContributorInsights",
    .members = WIRE_MEMBERS({"TableName", &wire_table_name, 0}, {"IndexName", &wire_index_name, 0}),
    .precheck = table_name_required,
    .run = describe_contributor_insights,
};

static const char *const actions[] = {"ENABLE", "DISABLE", NULL};

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

    if ((e = find_place(c, &place)) || (e = check_active(c, &place)))
        return e;
    t = schema_copy(c->arena, place.table);
    insights = place.index ? &t->indexes[place.index - place.table->indexes].insights
                           : &t->insights;
    switch_state(c, insights, enable);
    put_names(&c->reply, &place);
    put_state(&c->reply, insights);
    return table_state_keep(c, t);
}

const struct op op_update_contributor_insights = {
    .name = "UpdateContributorInsights",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"TableName", &wire_table_name, 0}, {"IndexName", &wire_index_name, 0},
        {"ContributorInsightsAction", WIRE_SHAPE(WIRE_STRING, .values = actions), WIRE_REQUIRED},
        {"ContributorInsightsMode", WIRE_SHAPE(WIRE_STRING, .values = names_insights_modes), 0}),
    .precheck = table_name_required,
    .run = update_contributor_insights,
};

/* A page that is being written. Places are in the order of table names; a table comes before its
 * indexes. */
struct insights_page {
    struct span table; /* the last table of the previous page; "": this is the first page */
    struct span index; /* the last index; "": the table itself */
    int64_t room;
    bool full; /* another place did not fit */
    struct insights_place last;
};

/* The token is the last place of the page: table name, '/', index name. */
static const struct error *read_token(struct call *c, struct insights_page *page)
{
    struct span text = wire_text(wire_get(c->body, "NextToken")), place;
    const char *slash;

    if (!text.at)
        return NULL;
    if (!base64_decode(c->arena, text, &place) || !place.len || !(slash = span_find(place, '/')))
        return error_parameter(c->arena, "Invalid NextToken: %.*s", SPAN_ARG(text));
    page->table = (struct span){place.at, (size_t)(slash - place.at)};
    page->index = span_from(place, page->table.len + 1);
    return NULL;
}

static void put_place(struct call *c, struct insights_page *page,
                      const struct insights_place *place)
{
    const struct insights *insights = insights_of(place);

    if (page->full || (!insights->enabled && !insights->until_ms))
        return;
    page->full = page->room == 0;
    if (page->full)
        return;
    page->room--;
    page->last = *place;
    wire_open(&c->reply, '{');
    put_names(&c->reply, place);
    put_state(&c->reply, insights);
    wire_close(&c->reply, '}');
}

/* Writes the places of a table behind the last page. If its last index was deleted since, the rest
 * of the table is skipped. */
static void put_table(struct call *c, struct insights_page *page, const struct table *t)
{
    struct insights_place place = {.table = t};
    bool behind = !span_equal(t->name, page->table);

    if (behind)
        put_place(c, page, &place);
    behind = behind || !page->index.len;
    for (size_t i = 0; i < t->index_count; i++) {
        place.index = &t->indexes[i];
        if (behind)
            put_place(c, page, &place);
        behind = behind || span_equal(place.index->name, page->index);
    }
}

static const struct error *put_all(struct call *c, struct insights_page *page)
{
    const struct table *t = NULL;
    const struct error *e = NULL;

    if (page->table.len)
        e = table_state_look_up(c, page->table, &t);
    if (!e && !t)
        e = table_state_next(c, page->table, &t);
    while (!e && t && !page->full) {
        struct span name = arena_span(c->arena, t->name);

        put_table(c, page, t);
        e = table_state_next(c, name, &t);
    }
    return e;
}

static const struct error *list_contributor_insights(struct call *c)
{
    int64_t limit = wire_integer(wire_get(c->body, "MaxResults"), LIMIT_INSIGHTS_PAGE);
    struct insights_page page = {.room = limit > 0 ? limit : LIMIT_INSIGHTS_PAGE};
    const struct table *t = NULL;
    const struct error *e;

    if ((wire_get(c->body, "TableName") && (e = table_state_find(c, &t))) ||
        (e = read_token(c, &page)))
        return e;
    wire_open_member(&c->reply, "ContributorInsightsSummaries", '[');
    if (t)
        put_table(c, &page, t);
    else if ((e = put_all(c, &page)))
        return e;
    wire_close(&c->reply, ']');
    if (page.full) {
        struct buf place = buf_in(c->arena), token = buf_in(c->arena);

        buf_add_span(&place, page.last.table->name);
        buf_add_char(&place, '/');
        if (page.last.index)
            buf_add_span(&place, page.last.index->name);
        base64_encode(&token, buf_span(&place));
        wire_put_member_text(&c->reply, "NextToken", buf_span(&token));
    }
    return NULL;
}

const struct op op_list_contributor_insights = {
    .name = "ListContributorInsights",
    .members = WIRE_MEMBERS(
        {"TableName", &wire_table_name, WIRE_OPTIONAL}, {"NextToken", &wire_string, 0},
        {"MaxResults", WIRE_SHAPE(WIRE_INTEGER, WIRE_AT_MOST(LIMIT_INSIGHTS_PAGE)), 0}),
    .run = list_contributor_insights,
};
