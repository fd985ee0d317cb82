/* clock, faults: time and failures in a world. */
#include "mcp/mcp_tool.h"

static const struct wire_shape any_object = {.type = WIRE_MAP};
static const struct wire_shape rules = {.type = WIRE_LIST, .element = &any_object};
static const struct wire_shape id = {.type = WIRE_LONG, WIRE_AT_LEAST(0), WIRE_AT_MOST(INT64_MAX)};

/* freeze is a moment or "now", which the verb calls true. */
static struct span clock_body(struct mcp_call *c)
{
    if (span_is(mcp_call_text(c, "freeze"), "now"))
        return SPAN_LIT("{\"freeze\":true}");
    return mcp_call_body(c, NAMES("freeze", "advance", "set", "rate", "resume", "real"));
}

static const struct problem *run_clock(struct mcp_call *c)
{
    struct mcp_request request = {.method = "GET", .path = "clock"};
    struct span body = clock_body(c), world;
    const bool changes = !span_is(body, "{}");
    const wire_node *answer;
    const struct problem *p;

    if ((p = changes ? mcp_call_own_world(c, &world) : mcp_call_world(c, &world)))
        return p;
    request.world = world;
    if (changes) {
        request.method = "POST";
        request.body = body;
    }
    if ((p = mcp_call_get(c, &request, &answer)))
        return p;
    c->result.reason = arena_printf(c->arena, "the world's time is %.*s",
                                    SPAN_ARG(wire_text(wire_get(answer, "now"))));
    c->result.data = wire_raw(answer);
    return NULL;
}

static const struct problem *run_faults(struct mcp_call *c)
{
    struct span action = mcp_call_text(c, "action"), world;
    const bool lists = !action.len || span_is(action, "list");
    struct mcp_request request = {.method = "GET", .path = "faults"};
    const wire_node *answer;
    const struct problem *p;

    if (span_is(action, "add") && !wire_get(c->arguments, "rules"))
        return problem_invalid(c->arena, "argument rules is needed");
    if (span_is(action, "drop") && !wire_get(c->arguments, "id"))
        return problem_invalid(c->arena, "argument id is needed");
    if ((p = lists ? mcp_call_world(c, &world) : mcp_call_own_world(c, &world)))
        return p;
    request.world = world;
    if (span_is(action, "add")) {
        request.method = "POST";
        request.body = mcp_call_body(c, NAMES("rules"));
    } else if (!lists) {
        request.method = "DELETE";
    }
    if (span_is(action, "drop"))
        request.path = arena_printf(c->arena, "faults/%lld",
                                    (long long)mcp_call_number(c, "id", 0));
    if ((p = mcp_call_get(c, &request, &answer)))
        return p;
    c->result.reason = arena_printf(c->arena, "the world has %zu fault rules",
                                    wire_count(wire_get(answer, "rules")));
    c->result.data = wire_raw(answer);
    return NULL;
}

const struct mcp_tool tool_clock = {
    .name = "clock",
    .about = "A world's time: show it, freeze, advance, set it. Times to live, streams and states "
             "of tables follow it.",
    .flags = MCP_CHANGES,
    .members = MCP_MEMBERS({{"freeze", &wire_string, 0}, "now, or a moment: 2026-01-01T00:00:00Z"},
                           {{"advance", &wire_string, 0}, "a duration: 36h, 90s"},
                           {{"set", &wire_string, 0}, "a moment"},
                           {{"rate", &wire_any_double, 0}, "how much faster than real time"},
                           {{"resume", &wire_boolean, 0}, "true: go on after freeze"},
                           {{"real", &wire_boolean, 0}, "true: the system's time again"},
                           MCP_MEMBER_WORLD),
    .run = run_clock,
};

const struct mcp_tool tool_faults = {
    .name = "faults",
    .about = "Rules that make requests fail in a world: throttling, unprocessed items, lost "
             "replies. Test that the code survives them.",
    .flags = MCP_CHANGES,
    .members = MCP_MEMBERS(
        {{"action", WIRE_SHAPE(WIRE_STRING, .values = NAMES("list", "add", "clear", "drop")), 0},
         "list (default), add, clear or drop"},
        {{"rules", &rules, 0},
         "to add, such as {\"operation\": \"PutItem\", \"error\": "
         "\"ProvisionedThroughputExceededException\", \"times\": 2}"},
        {{"id", &id, 0}, "of the rule to drop"}, MCP_MEMBER_WORLD, MCP_MEMBER_MAX_ITEMS),
    .run = run_faults,
};
