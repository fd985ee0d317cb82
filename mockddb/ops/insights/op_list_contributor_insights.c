#include "base/base64.h"
#include "model/limits.h"
#include "ops/insights/insights.h"
#include "ops/op_region.h"
#include "ops/table/table_name.h"
#include "ops/table/table_state.h"

static const struct wire_shape page_limit = {.type = WIRE_INTEGER,
                                             WIRE_AT_MOST(LIMIT_INSIGHTS_PAGE)};

static const struct wire_member list_contributor_insights_members[] = {
    {"TableName", &wire_table_name, WIRE_OPTIONAL},
    {"NextToken", &wire_string, 0},
    {"MaxResults", &page_limit, 0},
    {NULL, NULL, 0},
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

static void put_token(struct call *c, const struct insights_place *last)
{
    struct buf place = buf_in(c->arena), token = buf_in(c->arena);

    buf_add_span(&place, last->table->name);
    buf_add_char(&place, '/');
    if (last->index)
        buf_add_span(&place, last->index->name);
    base64_encode(&token, buf_span(&place));
    wire_put_member_text(&c->reply, "NextToken", buf_span(&token));
}

static void put_place(struct call *c, struct insights_page *page,
                      const struct insights_place *place)
{
    const struct insights *insights = insights_at(place);

    if (page->full || (!insights->enabled && !insights->until_ms))
        return;
    page->full = page->room == 0;
    if (page->full)
        return;
    page->room--;
    page->last = *place;
    wire_open(&c->reply, '{');
    insights_put_place(&c->reply, place);
    insights_put_state(&c->reply, insights);
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
    struct span name = page->table;
    const struct table *t = name.len ? op_region_table(c, name) : NULL;

    if (!t)
        t = op_region_table_after(c, name);
    while (t && !page->full) {
        const struct error *e;

        name = arena_span(c->arena, t->name);
        if ((e = table_state_look_up(c, name, &t)))
            return e;
        if (t)
            put_table(c, page, t);
        t = op_region_table_after(c, name);
    }
    return NULL;
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
    wire_key(&c->reply, "ContributorInsightsSummaries");
    wire_open(&c->reply, '[');
    if (t)
        put_table(c, &page, t);
    else if ((e = put_all(c, &page)))
        return e;
    wire_close(&c->reply, ']');
    if (page.full)
        put_token(c, &page.last);
    return NULL;
}

const struct op op_list_contributor_insights = {
    .name = "ListContributorInsights",
    .access = OP_READS,
    .members = list_contributor_insights_members,
    .run = list_contributor_insights,
};
