/* patterns_list, patterns_run, patterns_draft: the team's access patterns. */
#include "mcp/mcp_tool.h"

static const struct wire_shape texts = {.type = WIRE_LIST, .element = &wire_string};
static const struct wire_shape text_map = {.type = WIRE_MAP, .element = &wire_string};
static const struct wire_shape any_object = {.type = WIRE_MAP};

/* --- patterns_list ---------------------------------------------------------------------------- */

/* How often the pattern was used; -1: not known. */
static int64_t times_used(const wire_node *coverage, struct span name)
{
    for (const wire_node *n = wire_first(wire_get(coverage, "patterns")); n; n = wire_next(n))
        if (span_equal(wire_text(wire_get(n, "name")), name))
            return wire_integer(wire_get(n, "used"), -1);
    return -1;
}

static const struct problem *list_patterns(struct mcp_call *c)
{
    struct span one = mcp_call_text(c, "name"), world;
    struct buf data = buf_in(c->arena);
    struct wire_writer w = {&data, false};
    const wire_node *files, *coverage;
    const struct problem *p;
    size_t count = 0;

    if ((p = mcp_call_world(c, &world)) ||
        (p = mcp_call_get(c, &(struct mcp_request){.method = "GET", .path = "patterns/files"},
                          &files)))
        return p;
    if ((p = mcp_call_get(
             c, &(struct mcp_request){.method = "GET", .path = "patterns", .world = world},
             &coverage)))
        return p;
    wire_open(&w, '[');
    for (const wire_node *f = wire_first(wire_get(files, "files")); f; f = wire_next(f))
        for (const wire_node *n = wire_first(wire_get(f, "patterns")); n; n = wire_next(n)) {
            struct span name = wire_text(wire_get(n, "name"));

            if (one.len && !span_equal(one, name))
                continue;
            count++;
            wire_open(&w, '{');
            wire_put_member_text(&w, "name", name);
            wire_put_member_text(&w, "question", wire_text(wire_get(n, "question")));
            wire_put_member_integer(&w, "used", times_used(coverage, name));
            if (one.len)
                wire_put_member_raw(&w, "pattern", wire_raw(n));
            wire_close(&w, '}');
        }
    wire_close(&w, ']');
    if (one.len && !count)
        return problem_invalid(c->arena, "pattern %.*s does not exist", SPAN_ARG(one));
    c->result.reason = arena_printf(
        c->arena, "%zu access patterns; in their requests, table names lack the prefix \"%.*s\"",
        count, SPAN_ARG(wire_text(wire_get(files, "prefix"))));
    c->result.data = buf_span(&data);
    return NULL;
}

/* --- patterns_run ----------------------------------------------------------------------------- */

static const struct problem *run_patterns(struct mcp_call *c)
{
    struct buf about = buf_in(c->arena);
    struct span world;
    const wire_node *answer, *list;
    const struct problem *p;
    size_t count = 0, failed = 0;

    if ((p = mcp_call_flag(c, "allow_writes") ? mcp_call_own_world(c, &world)
                                              : mcp_call_world(c, &world)) ||
        (p = mcp_call_get(
             c,
             &(struct mcp_request){
                 .method = "POST",
                 .path = "patterns/run",
                 .body = mcp_call_body(c, NAMES("file", "only", "values", "allow_writes")),
                 .world = world},
             &answer)))
        return p;
    list = wire_get(wire_get(answer, "report"), "results");
    for (const wire_node *n = wire_first(list); n; n = wire_next(n), count++) {
        const wire_node *failures = wire_get(n, "failures");

        failed += wire_count(failures) > 0;
        for (const wire_node *f = wire_first(failures); f; f = wire_next(f)) {
            mcp_call_add(&about, wire_text(wire_get(n, "name")));
            buf_add_text(&about, " fails: ");
            mcp_call_add(&about, wire_text(f));
            buf_add_char(&about, '\n');
        }
    }
    c->result.reason = failed ? arena_printf(c->arena, "%zu of %zu access patterns fail", failed,
                                             count)
                              : arena_printf(c->arena, "all %zu access patterns hold", count);
    c->result.about = buf_span(&about);
    c->result.data = wire_raw(answer);
    c->result.rest = "ask for more with max_items, or for some patterns with only";
    return NULL;
}

/* --- patterns_draft --------------------------------------------------------------------------- */

static const struct problem *draft_patterns(struct mcp_call *c)
{
    struct buf data = buf_in(c->arena);
    struct wire_writer w = {&data, false};
    struct span world;
    const wire_node *coverage;
    const struct problem *p;
    size_t count = 0;

    if ((p = mcp_call_world(c, &world)) ||
        (p = mcp_call_get(
             c, &(struct mcp_request){.method = "GET", .path = "patterns", .world = world},
             &coverage)))
        return p;
    wire_open(&w, '{');
    wire_open_member(&w, "patterns", '[');
    for (const wire_node *n = wire_first(wire_get(coverage, "unmatched")); n; n = wire_next(n)) {
        const wire_node *draft = wire_get(n, "draft");

        if (!draft)
            continue;
        wire_put_raw(&w, wire_raw(draft));
        count++;
    }
    wire_close(&w, ']');
    wire_close(&w, '}');
    c->result.reason = arena_printf(c->arena,
                                    "%zu drafts, of requests that match no access pattern", count);
    c->result.data = buf_span(&data);
    return NULL;
}

const struct mcp_tool tool_patterns_list = {
    .name = "patterns_list",
    .about = "The team's access patterns: the questions that the tables answer, and the requests "
             "for them. With name one of them whole. Use these before a request of your own.",
    .members = MCP_MEMBERS({{"name", &wire_string, 0}, "one pattern, with its steps"},
                           MCP_MEMBER_WORLD, MCP_MEMBER_MAX_ITEMS),
    .run = list_patterns,
};

const struct mcp_tool tool_patterns_run = {
    .name = "patterns_run",
    .about = "Run access patterns and report which hold, and what each costs: those of the server, "
             "or a file of your own.",
    .flags = MCP_CHANGES,
    .members = MCP_MEMBERS({{"only", &texts, 0}, "names of patterns"},
                           {{"values", &text_map, 0}, "values that replace those of the file"},
                           {{"file", &any_object, 0}, "a file of patterns, as JSON"},
                           {{"allow_writes", &wire_boolean, 0}, "also run steps that write"},
                           MCP_MEMBER_WORLD, MCP_MEMBER_MAX_ITEMS),
    .run = run_patterns,
};

const struct mcp_tool tool_patterns_draft = {
    .name = "patterns_draft",
    .about = "Drafts of access patterns from requests in the journal that match no pattern.",
    .members = MCP_MEMBERS(MCP_MEMBER_WORLD, MCP_MEMBER_MAX_ITEMS),
    .run = draft_patterns,
};
