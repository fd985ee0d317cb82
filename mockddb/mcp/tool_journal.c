/* journal, assert: which requests were sent, and rules for them. */
#include "base/cut.h"
#include "mcp/mcp_tool.h"

#define ENTRIES      20 /* that are shown without a limit */
#define MOST_ENTRIES 200

static const struct wire_shape any_object = {.type = WIRE_MAP};
static const struct wire_shape rules = {.type = WIRE_LIST, .element = &any_object};
static const struct wire_shape limit = {.type = WIRE_INTEGER, WIRE_BOUNDS(1, MOST_ENTRIES)};
static const struct wire_shape count = {
    .type = WIRE_LONG, WIRE_AT_LEAST(0), WIRE_AT_MOST(INT64_MAX)};

static const struct problem *show_journal(struct mcp_call *c)
{
    struct mcp_request request = {.method = "GET", .path = "journal"};
    struct buf data = buf_in(c->arena);
    struct wire_writer w = {&data, false};
    struct mcp_answer answer;
    struct span world, lines;
    const struct problem *p;
    size_t entries = 0;

    if ((p = mcp_call_world(c, &world)))
        return p;
    request.world = world;
    request.query = mcp_call_query(
        c, NAMES("operation", "table", "error", "since", "min_units", "after", "requests"));
    request.query = arena_printf(c->arena, "%s%slimit=%d", request.query, *request.query ? "&" : "",
                                 (int)mcp_call_number(c, "limit", ENTRIES));
    if ((p = mcp_call_ask(c, &request, &answer)))
        return p;
    if (answer.status != 200)
        return problem_invalid(c->arena, "%s", mcp_call_message(c, &answer));
    wire_open(&w, '[');
    for (lines = answer.body; lines.len; entries++)
        wire_put_raw(&w, cut_part(&lines, '\n'));
    wire_close(&w, ']');
    c->result.reason = arena_printf(c->arena, "the newest %zu requests that fit", entries);
    c->result.data = buf_span(&data);
    c->result.rest = "ask for more with limit and max_items, or filter";
    return NULL;
}

static const struct problem *check_rules(struct mcp_call *c)
{
    struct buf about = buf_in(c->arena);
    struct mcp_answer answer;
    struct span world;
    const wire_node *found;
    const struct problem *p;
    bool holds;

    if ((p = mcp_call_world(c, &world)) ||
        (p = mcp_call_ask(c,
                          &(struct mcp_request){.method = "POST",
                                                .path = "assert",
                                                .body = mcp_call_body(c, NAMES("assert")),
                                                .world = world},
                          &answer)))
        return p;
    if (!json_parse(c->arena, answer.body, &found) || !wire_get(found, "report"))
        return problem_invalid(c->arena, "%s", mcp_call_message(c, &answer));
    holds = wire_bool(wire_get(found, "holds"), false);
    for (const wire_node *n = wire_first(wire_get(found, "report")); n; n = wire_next(n))
        if (wire_text(wire_get(n, "why")).len && wire_get(n, "assert")) {
            buf_add_text(&about, "broken: ");
            json_write(&about, wire_get(n, "assert"));
            buf_add_text(&about, ": ");
            mcp_call_add(&about, wire_text(wire_get(n, "why")));
            buf_add_char(&about, '\n');
        }
    c->result.reason = arena_printf(c->arena, "the rules %s for %lld requests",
                                    answer.status == 200 ? "hold" : "do not hold",
                                    (long long)wire_integer(wire_get(found, "requests"), 0));
    if (holds && answer.status != 200)
        buf_add_text(&about, "the journal has lost requests, so this is not known\n");
    c->result.about = buf_span(&about);
    c->result.data = wire_raw(found);
    return NULL;
}

const struct mcp_tool tool_journal = {
    .name = "journal",
    .about = "The requests that were sent to a world: operation, table, expressions, cost, error, "
             "access pattern. Read here what the code under test asked for.",
    .members = MCP_MEMBERS({{"operation", &wire_string, 0}, "only this operation"},
                           {{"table", &wire_string, 0}, "only this table"},
                           {{"error", &wire_string, 0}, "only with this error, or any"},
                           {{"since", &wire_string, 0}, "only from this time on"},
                           {{"min_units", &wire_any_double, 0}, "only those that cost this much"},
                           {{"after", &count, 0}, "only those after this id"},
                           {{"requests", &wire_boolean, 0}, "also show the whole requests"},
                           {{"limit", &limit, 0}, "the newest N (20)"}, MCP_MEMBER_WORLD,
                           MCP_MEMBER_MAX_ITEMS),
    .run = show_journal,
};

const struct mcp_tool tool_assert = {
    .name = "assert",
    .about = "Check rules for the requests in the journal, such as {\"no\": \"Scan\"} or "
             "{\"max_read_units\": 20}: the proof that code does what it should.",
    .members = MCP_MEMBERS({{"assert", &rules, WIRE_REQUIRED}, "the rules, each an object"},
                           MCP_MEMBER_WORLD, MCP_MEMBER_MAX_ITEMS),
    .run = check_rules,
};
