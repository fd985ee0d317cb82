/* worlds, snapshot: copies of everything, and states to return to. */
#include "mcp/mcp_diff.h"
#include "mcp/mcp_tool.h"

/* Makes the answer of a verb the call's result. */
static const struct problem *answer_with(struct mcp_call *c, const struct mcp_request *request,
                                         const char *reason)
{
    const wire_node *answer;
    const struct problem *p = mcp_call_get(c, request, &answer);

    c->result.reason = reason;
    c->result.data = p ? (struct span){NULL, 0} : wire_raw(answer);
    return p;
}

/* --- worlds ----------------------------------------------------------------------------------- */

static const struct problem *make(struct mcp_call *c, bool fork)
{
    struct span given = mcp_call_text(c, "name"), from = mcp_call_text(c, "from");
    struct span name = mcp_call_own_name(
        c,
        given.len ? given : span_of(arena_printf(c->arena, "%llx", (unsigned long long)c->number)));
    struct buf body = buf_in(c->arena);
    struct wire_writer w = {&body, false};

    if (c->options->writes == MCP_WRITES_NONE)
        return problem_new(c->arena, PROBLEM_FORBIDDEN,
                           "the tools may only read (--mcp-writes none)");
    wire_open(&w, '{');
    if (fork)
        wire_put_member_text(&w, "from", from.len ? from : SPAN_LIT("default"));
    wire_close(&w, '}');
    c->result.world = name;
    return answer_with(
        c,
        &(struct mcp_request){.method = "POST",
                              .path = arena_printf(c->arena, "worlds/%s", mcp_call_step(c, name)),
                              .body = buf_span(&body)},
        arena_printf(c->arena, "world %.*s is yours: give this name as world in other tools",
                     SPAN_ARG(name)));
}

static const struct problem *reset(struct mcp_call *c)
{
    struct span world;
    const struct problem *p = mcp_call_own_world(c, &world);

    return p ? p
             : answer_with(c,
                           &(struct mcp_request){.method = "POST", .path = "reset", .world = world},
                           "the world has its initial state again");
}

/* Snapshots go with their world, so only an agent's world can be dropped. */
static const struct problem *drop(struct mcp_call *c)
{
    struct span name = mcp_call_text(c, "world");

    if (c->options->writes == MCP_WRITES_NONE || !span_starts_with(name, SPAN_LIT(MCP_OWN_WORLD)))
        return problem_new(c->arena, PROBLEM_FORBIDDEN,
                           "only worlds whose names begin with " MCP_OWN_WORLD " can be dropped");
    return answer_with(
        c,
        &(struct mcp_request){.method = "DELETE",
                              .path = arena_printf(c->arena, "worlds/%s", mcp_call_step(c, name))},
        "the world is gone");
}

/* Compares a world with the one of `from`. */
static const struct problem *compare(struct mcp_call *c)
{
    struct span world, from = mcp_call_text(c, "from");
    const wire_node *found;
    const struct problem *p;

    if (!mcp_call_text(c, "world").len)
        return problem_invalid(c->arena, "argument world is needed");
    if ((p = mcp_call_world(c, &world)) ||
        (from.len &&
         (p = mcp_call_get(c,
                           &(struct mcp_request){
                               .method = "GET",
                               .path = arena_printf(c->arena, "worlds/%s", mcp_call_step(c, from))},
                           &found))))
        return p;
    return mcp_diff(c, world, from.len ? from : (struct span){NULL, 0}, mcp_call_text(c, "table"));
}

static const struct problem *run_worlds(struct mcp_call *c)
{
    struct span action = mcp_call_text(c, "action");

    if (span_is(action, "make") || span_is(action, "fork"))
        return make(c, span_is(action, "fork"));
    if (span_is(action, "reset"))
        return reset(c);
    if (span_is(action, "drop"))
        return drop(c);
    if (span_is(action, "diff"))
        return compare(c);
    return answer_with(c, &(struct mcp_request){.method = "GET", .path = "worlds"}, "all worlds");
}

/* --- snapshots -------------------------------------------------------------------------------- */

static const struct problem *run_snapshot(struct mcp_call *c)
{
    struct span action = mcp_call_text(c, "action"), name = mcp_call_text(c, "name"), world;
    const bool lists = !action.len || span_is(action, "list"), drops = span_is(action, "drop");
    struct mcp_request request = {.method = lists   ? "GET"
                                            : drops ? "DELETE"
                                                    : "POST",
                                  .path = "snapshots"};
    const struct problem *p;

    if (!lists && !name.len)
        return problem_invalid(c->arena, "argument name is needed");
    if ((p = lists ? mcp_call_world(c, &world) : mcp_call_own_world(c, &world)))
        return p;
    request.world = world;
    if (!lists)
        request.path = arena_printf(c->arena, "snapshots/%s%s", mcp_call_step(c, name),
                                    span_is(action, "restore") ? "/restore" : "");
    return answer_with(c, &request,
                       lists                        ? "the world's snapshots"
                       : drops                      ? "the snapshot is gone"
                       : span_is(action, "restore") ? "the world has the snapshot's state"
                                                    : "the snapshot was taken");
}

const struct mcp_tool tool_worlds = {
    .name = "worlds",
    .about = "Worlds are copies of all tables, with a clock of their own. Fork one for each task "
             "and write there: what people look at stays as it is. Names begin with " MCP_OWN_WORLD
             ".",
    .flags = MCP_CHANGES | MCP_LOSES,
    .members = MCP_MEMBERS(
        {{"action",
          WIRE_SHAPE(WIRE_STRING, .values = NAMES("list", "fork", "make", "reset", "drop", "diff")),
          0},
         "list (default); fork: a copy of another world; make: one with the initial tables; reset "
         "one to those; drop one; diff: what world has otherwise than from"},
        {{"name", &wire_string, 0}, "of the new world; without it one is chosen"},
        {{"from", &wire_string, 0}, "the world to fork, or to compare with (default)"},
        {{"world", &wire_string, 0}, "the world to reset, drop or compare"},
        {{"table", &wire_string, 0}, "compare this table alone"}, MCP_MEMBER_MAX_ITEMS),
    .run = run_worlds,
};

const struct mcp_tool tool_snapshot = {
    .name = "snapshot",
    .about = "States of a world to return to: list, take, restore, drop.",
    .flags = MCP_CHANGES | MCP_LOSES,
    .members = MCP_MEMBERS(
        {{"action", WIRE_SHAPE(WIRE_STRING, .values = NAMES("list", "take", "restore", "drop")), 0},
         "list (default), take, restore or drop"},
        {{"name", &wire_string, 0}, "of the snapshot"}, MCP_MEMBER_WORLD, MCP_MEMBER_MAX_ITEMS),
    .run = run_snapshot,
};
