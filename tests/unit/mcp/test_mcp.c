#include "unit.h"

#include "mcp/mcp.h"
#include "mcp/mcp_tools.h"
#include "wire/json.h"

#define META                                                                 \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"," \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define MOST_ASKED 70 /* more than a call may ask */

static const struct mcp_options own = {.tools = "rehearse,tests,data"};

/* A request that is expected, and its answer. Both end with a NULL path. */
struct exchange {
    const char *method, *path, *world;
    int status;
    const char *body;
};

/* The reply to a message, when the requests are answered in this order. */
static struct span reply_to(const struct mcp_options *o, const struct mcp_envelope *envelope,
                            const char *text, const struct exchange *next, int *status)
{
    struct mcp_message *m = mcp_new(o, envelope, span_of(text), 0x1f);
    const struct mcp_request *request;
    struct span reply;

    while ((request = mcp_step(m, 1))) {
        ck_assert_msg(next && next->path, "asks %s %s", request->method, request->path);
        ck_assert_str_eq(request->method, next->method);
        ck_assert_str_eq(request->path, next->path);
        ck_assert(span_is(request->world, next->world ? next->world : ""));
        mcp_take(m, &(struct mcp_answer){next->status, span_of(next->body)}, NULL);
        next++;
    }
    ck_assert_msg(!next || !next->path, "does not ask %s", next->path);
    if (status)
        *status = mcp_status(m);
    reply = arena_span(arena, mcp_reply(m));
    mcp_free(m);
    return reply;
}

static const struct mcp_envelope stdio = {.is_http = false};

/* --- messages --------------------------------------------------------------------------------- */

static const struct {
    const char *text, *reply; /* the reply's beginning */
    int status;               /* over HTTP */
} messages[] = {
    {"x", "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,", 400},
    {"", "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,", 400},
    {"[]", "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"batches",
     400},
    {"7", "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,", 400},
    {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
     "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,", 400},
    {"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
     "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,", 400},
    {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32600,", 200},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}",
     "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32600,", 200},
    {"{\"jsonrpc\":\"2.0\",\"id\":1}", "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32600,",
     200},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,", 200},
    {"{\"jsonrpc\":\"2.0\",\"id\":\"a\\u0000\",\"method\":\"ping\"}",
     "{\"jsonrpc\":\"2.0\",\"id\":\"a\\u0000\",\"result\":{}}", 200},
    {"{\"jsonrpc\":\"2.0\",\"id\":1.50,\"method\":\"ping\"}",
     "{\"jsonrpc\":\"2.0\",\"id\":1.50,\"result\":{}}", 200},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", "", 202},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"nope\"}", "", 202},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", "", 202},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nope\"}",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,", 200},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
     "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}}",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"serverInfo\":",
     200},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
     "\"2025-03-26\"}}",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-03-26\"", 200},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
     "\"1999-01-01\"}}",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\"", 200},
    /* the stateless text */
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"_meta\":{"
     "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"mockddb\"",
     200},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\"}",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,", 400},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{" META "}}",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,", 404},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{" META "}}",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,", 404},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
     "\"io.modelcontextprotocol/protocolVersion\":\"2099-01-01\","
     "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32022,\"message\":\"Unsupported protocol "
     "version\",\"data\":{\"supported\":[\"2026-07-28\"],\"requested\":\"2099-01-01\"}}}",
     400},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
     "\"io.modelcontextprotocol/protocolVersion\":7,"
     "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,", 400},
};

START_TEST(answers_messages)
{
    int status;
    struct span reply = reply_to(&own, &stdio, messages[_i].text, NULL, &status);
    struct span wanted = span_of(messages[_i].reply);

    ck_assert_msg(wanted.len ? span_starts_with(reply, wanted) : !reply.len, "%s: %.*s",
                  messages[_i].text, SPAN_ARG(reply));
    ck_assert_int_eq(status, messages[_i].status);
    ck_assert(!span_has(reply, '\n'));
}
END_TEST

START_TEST(refuses_long_messages)
{
    char *text = arena_alloc(arena, MCP_MESSAGE_BYTES + 2);

    memset(text, ' ', MCP_MESSAGE_BYTES + 1);
    ck_assert(span_starts_with(reply_to(&own, &stdio, text, NULL, NULL),
                               SPAN_LIT("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-"
                                        "32600,\"message\":\"the message is long")));
}
END_TEST

#define LIST "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" META "}}"
#define CALL_TABLES                                                             \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{" META \
    ",\"name\":\"nope\"}}"

/* The headers of the stateless text. */
static const struct {
    struct mcp_envelope envelope;
    const char *text;
    int code; /* of the error; 0: none */
} headers[] = {
    {{true, "2026-07-28", "tools/list", NULL}, LIST, 0},
    {{true, "2026-07-28", NULL, NULL}, LIST, -32020},
    {{true, NULL, "tools/list", NULL}, LIST, -32020},
    {{true, "2025-11-25", "tools/list", NULL}, LIST, -32020},
    {{true, "2026-07-28", "tools/call", "nope"}, CALL_TABLES, -32602},
    {{true, "2026-07-28", "tools/call", "tables"}, CALL_TABLES, -32020},
    {{true, "2026-07-28", "tools/list", NULL},
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
     -32602},
    {{true, "2025-11-25", NULL, NULL},
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
     0},
    {{true, NULL, NULL, NULL}, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", 0},
};

static const wire_node *member_of(struct span json, const char *pointer)
{
    const wire_node *tree;

    ck_assert_msg(json_parse(arena, json, &tree), "not JSON: %.*s", SPAN_ARG(json));
    return json_at(tree, span_of(pointer));
}

START_TEST(compares_headers)
{
    struct span reply = reply_to(&own, &headers[_i].envelope, headers[_i].text, NULL, NULL);

    ck_assert_int_eq(wire_integer(member_of(reply, "/error/code"), 0), headers[_i].code);
}
END_TEST

/* --- the list --------------------------------------------------------------------------------- */

START_TEST(lists_tools_of_groups)
{
    static const struct {
        const char *groups;
        size_t count;
    } rows[] = {{NULL, 6}, {"rehearse", 6}, {"tests", 6}, {"data", 4}, {"rehearse,tests,data", 16}};

    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct mcp_options o = {.tools = rows[i].groups};

        ck_assert_uint_eq(
            wire_count(member_of(reply_to(&o, &stdio, LIST, NULL, NULL), "/result/tools")),
            rows[i].count);
    }
    ck_assert_ptr_null(mcp_tools_check(arena, "data,tests"));
    ck_assert_ptr_nonnull(mcp_tools_check(arena, "data,nope"));
}
END_TEST

/* --- calls ------------------------------------------------------------------------------------ */

#define CALL(tool, arguments)                                                              \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" tool \
    "\",\"arguments\":" arguments "}}"
#define PUT   "\"operation\":\"PutItem\",\"request\":{\"TableName\":\"T\",\"Item\":{}}"
#define GET   "\"operation\":\"GetItem\",\"request\":{\"TableName\":\"T\"}"
#define TRIED "{\"status\":200,\"response\":{},\"explanation\":{\"text\":\"PutItem: 200\\n\"}}"

static const struct {
    enum mcp_writes writes;
    const char *text;
    bool is_error;
    const char *reason; /* its beginning */
    struct exchange exchanges[7];
} calls[] = {
    {MCP_WRITES_OWN, CALL("explain", "{\"x\":1}"), true, "unknown argument x", {{0}}},
    {MCP_WRITES_OWN, CALL("explain", "{}"), true, "one of these is needed", {{0}}},
    {MCP_WRITES_OWN,
     CALL("explain", "{\"command\":7}"),
     true,
     "argument command is a number, not of type string",
     {{0}}},
    {MCP_WRITES_OWN,
     CALL("worlds", "{\"action\":\"fly\"}"),
     true,
     "argument action is not one of list, fork, make, reset, drop, diff",
     {{0}}},
    {MCP_WRITES_OWN, CALL("assert", "{}"), true, "argument assert is needed", {{0}}},
    {MCP_WRITES_OWN,
     CALL("worlds", "{\"max_items\":0}"),
     true,
     "argument max_items is not a number",
     {{0}}},
    /* reads */
    {MCP_WRITES_NONE,
     CALL("try", "{" GET "}"),
     false,
     "GetItem was answered with 200",
     {{"POST", "try", NULL, 200, TRIED}}},
    {MCP_WRITES_NONE,
     CALL("try", "{" GET ",\"world\":\"w\"}"),
     true,
     "world w does not exist",
     {{"GET", "worlds/w", NULL, 404, "{\"message\":\"world w does not exist\"}"}}},
    {MCP_WRITES_NONE,
     CALL("try", "{" GET ",\"world\":\"a/b c\"}"),
     true,
     "no",
     {{"GET", "worlds/a%2Fb%20c", NULL, 404, "{\"message\":\"no\"}"}}},
    /* writes */
    {MCP_WRITES_NONE,
     CALL("try", "{" PUT ",\"world\":\"agent-a\"}"),
     true,
     "this changes something, and the tools may only read",
     {{0}}},
    {MCP_WRITES_NONE,
     CALL("worlds", "{\"action\":\"make\"}"),
     true,
     "the tools may only read",
     {{0}}},
    {MCP_WRITES_OWN, CALL("try", "{" PUT "}"), true, "this changes world default", {{0}}},
    {MCP_WRITES_OWN, CALL("try", "{" PUT ",\"world\":\"w\"}"), true, "this changes world w", {{0}}},
    {MCP_WRITES_OWN,
     CALL("try", "{\"statement\":\"DELETE FROM T\"}"),
     true,
     "this changes world default",
     {{0}}},
    {MCP_WRITES_OWN,
     CALL("operation", "{\"operation\":\"DeleteTable\",\"request\":{}}"),
     true,
     "this changes world default",
     {{0}}},
    {MCP_WRITES_OWN,
     CALL("clock", "{\"advance\":\"1h\"}"),
     true,
     "this changes world default",
     {{0}}},
    {MCP_WRITES_OWN,
     CALL("faults", "{\"action\":\"clear\"}"),
     true,
     "this changes world default",
     {{0}}},
    {MCP_WRITES_OWN,
     CALL("snapshot", "{\"action\":\"restore\",\"name\":\"a\"}"),
     true,
     "this changes world default",
     {{0}}},
    {MCP_WRITES_OWN, CALL("import", "{\"text\":\"x\"}"), true, "this changes world default", {{0}}},
    {MCP_WRITES_OWN,
     CALL("patterns_run", "{\"allow_writes\":true}"),
     true,
     "this changes world default",
     {{0}}},
    {MCP_WRITES_OWN,
     CALL("worlds", "{\"action\":\"reset\"}"),
     true,
     "this changes world default",
     {{0}}},
    {MCP_WRITES_ANY,
     CALL("worlds", "{\"action\":\"drop\",\"world\":\"w\"}"),
     true,
     "only worlds whose names begin with agent- can be dropped",
     {{0}}},
    {MCP_WRITES_OWN, CALL("import", "{\"file\":\"a\"}"), true, "the tools use no files", {{0}}},
    {MCP_WRITES_OWN,
     CALL("export", "{\"table\":\"T\",\"file\":\"a\"}"),
     true,
     "the tools use no files",
     {{0}}},
    {MCP_WRITES_OWN,
     CALL("worlds", "{\"action\":\"fork\",\"name\":\"a\"}"),
     false,
     "world agent-a is yours",
     {{"POST", "worlds/agent-a", NULL, 200, "{}"}}},
    {MCP_WRITES_OWN,
     CALL("try", "{" PUT ",\"world\":\"agent-a\"}"),
     false,
     "PutItem was answered with 200",
     {{"GET", "worlds/agent-a", NULL, 200, "{}"}, {"POST", "try", "agent-a", 200, TRIED}}},
    /* a snapshot comes first */
    {MCP_WRITES_ANY,
     CALL("try", "{" PUT "}"),
     false,
     "PutItem was answered with 200",
     {{"GET", "snapshots", NULL, 200, "{\"snapshots\":[{\"name\":\"before-agent-1\"}]}"},
      {"POST", "snapshots/before-agent-2", NULL, 200, "{}"},
      {"POST", "try", NULL, 200, TRIED}}},
    {MCP_WRITES_ANY,
     CALL("try", "{" PUT "}"),
     true,
     "nothing was changed, since no snapshot could be taken: no room",
     {{"GET", "snapshots", NULL, 200, "{\"snapshots\":[]}"},
      {"POST", "snapshots/before-agent-1", NULL, 409, "{\"message\":\"no room\"}"}}},
    {MCP_WRITES_ANY,
     CALL("try", "{" PUT "}"),
     true,
     "not there",
     {{"GET", "snapshots", NULL, 403, "{\"message\":\"not there\"}"}}},
    /* a write is explained in a copy */
    {MCP_WRITES_NONE,
     CALL("explain", "{" PUT "}"),
     false,
     "PutItem was answered with 200",
     {{"POST", "worlds/agent-explain-1f", NULL, 200, "{}"},
      {"POST", "try", "agent-explain-1f", 200, TRIED},
      {"DELETE", "worlds/agent-explain-1f", NULL, 200, "{}"}}},
    {MCP_WRITES_OWN,
     CALL("explain", "{" PUT "}"),
     true,
     "one world only",
     {{"POST", "worlds/agent-explain-1f", NULL, 403, "{\"message\":\"one world only\"}"}}},
    /* a world for a model is dropped, also after a failure */
    {MCP_WRITES_NONE,
     CALL("check_model", "{\"model\":{},\"patterns\":{}}"),
     true,
     "not a model",
     {{"GET", "patterns/files", NULL, 200, "{\"prefix\":\"p-\"}"},
      {"POST", "worlds/agent-model-1f", NULL, 200, "{}"},
      {"POST", "try", "agent-model-1f", 200,
       "{\"status\":200,\"response\":{\"TableNames\":[\"Tab\"]}}"},
      {"POST", "try", "agent-model-1f", 200, "{\"status\":200,\"response\":{}}"},
      {"POST", "import", "agent-model-1f", 400, "{\"message\":\"not a model\"}"},
      {"DELETE", "worlds/agent-model-1f", NULL, 200, "{}"}}},
    {MCP_WRITES_OWN,
     CALL("tables", "{}"),
     true,
     "the server's answer is not JSON",
     {{"POST", "try", NULL, 200, "<html>"}}},
};

START_TEST(calls_tools)
{
    const struct mcp_options o = {.tools = "rehearse,tests,data", .writes = calls[_i].writes};
    struct span reply = reply_to(&o, &stdio, calls[_i].text, calls[_i].exchanges, NULL);
    struct span reason = wire_text(member_of(reply, "/result/structuredContent/reason"));

    ck_assert_msg(span_starts_with(reason, span_of(calls[_i].reason)), "%s: %.*s", calls[_i].text,
                  SPAN_ARG(reply));
    ck_assert_int_eq(wire_bool(member_of(reply, "/result/isError"), false), calls[_i].is_error);
    ck_assert_msg(span_starts_with(wire_text(member_of(reply, "/result/content/0/text")), reason),
                  "the text begins with the reason");
}
END_TEST

/* Of ten snapshots the oldest is replaced. */
START_TEST(bounds_snapshots)
{
    struct buf list = buf_in(arena);
    const struct mcp_options o = {.writes = MCP_WRITES_ANY};
    struct exchange exchanges[] = {{"GET", "snapshots", NULL, 200, NULL},
                                   {"POST", "snapshots/before-agent-4", NULL, 200, "{}"},
                                   {"POST", "try", NULL, 200, TRIED},
                                   {NULL, NULL, NULL, 0, NULL}};

    buf_add_text(&list, "{\"snapshots\":[{\"name\":\"seeded\",\"taken\":\"2020\"}");
    for (int i = 1; i <= 10; i++)
        buf_printf(&list, ",{\"name\":\"before-agent-%d\",\"taken\":\"2026-01-%02d\"}", i,
                   i < 4 ? i + 20 : i);
    buf_add_text(&list, "]}");
    exchanges[0].body = buf_text(&list);
    ck_assert(
        member_of(reply_to(&o, &stdio, CALL("try", "{" PUT "}"), exchanges, NULL), "/result"));
}
END_TEST

/* --- results ---------------------------------------------------------------------------------- */

/* Items with texts of this length. */
static const char *items_of(size_t count, size_t length)
{
    struct buf out = buf_in(arena);
    char *text = arena_alloc(arena, length + 1);

    memset(text, 'x', length);
    buf_add_text(&out, "{\"status\":200,\"response\":{\"Items\":[");
    for (size_t i = 0; i < count; i++)
        buf_printf(&out, "%s{\"a\":{\"S\":\"%s\"}}", i ? "," : "", text);
    buf_add_text(&out, "]},\"explanation\":{}}");
    return buf_text(&out);
}

static const struct {
    size_t count, length;
    size_t shown;     /* items */
    const char *path; /* of the first cut */
    size_t all;       /* entries or bytes of it */
} cuts[] = {
    {20, 10, 20, NULL, 0},
    {21, 10, 20, "/response/Items", 21},
    {2, 5000, 2, "/response/Items/0/a/S", 5000},
    {20, 4096, 20, NULL, 0},
};

START_TEST(cuts_long_results)
{
    const struct exchange exchanges[] = {
        {"POST", "try", NULL, 200, items_of(cuts[_i].count, cuts[_i].length)},
        {NULL, NULL, NULL, 0, NULL}};
    struct span reply = reply_to(&own, &stdio, CALL("try", "{" GET "}"), exchanges, NULL);
    const wire_node *cut = member_of(reply, "/result/structuredContent/cut/0");

    ck_assert_uint_eq(wire_count(member_of(reply, "/result/structuredContent/data/response/Items")),
                      cuts[_i].shown);
    ck_assert(span_is(wire_text(wire_get(cut, "path")), cuts[_i].path ? cuts[_i].path : ""));
    if (cut)
        ck_assert_uint_eq(
            (size_t)wire_integer(wire_get(cut, wire_get(cut, "entries") ? "entries" : "bytes"), 0),
            cuts[_i].all);
}
END_TEST

/* However many items are asked for, a result has a bounded size. */
START_TEST(bounds_results)
{
    const struct exchange exchanges[] = {{"POST", "try", NULL, 200, items_of(1000, 4000)},
                                         {NULL, NULL, NULL, 0, NULL}};
    struct span reply = reply_to(&own, &stdio, CALL("try", "{" GET ",\"max_items\":1000}"),
                                 exchanges, NULL);

    ck_assert_uint_lt(reply.len, 400000);
    ck_assert_uint_gt(wire_count(member_of(reply, "/result/structuredContent/data/response/Items")),
                      10);
}
END_TEST

/* A server that always has another page cannot keep a call forever. */
START_TEST(bounds_requests)
{
    struct mcp_message *m = mcp_new(&own, &stdio, SPAN_LIT(CALL("tables", "{}")), 1);
    static const char list[] = "{\"status\":200,\"response\":{\"TableNames\":[\"a\",\"a\",\"a\","
                               "\"a\",\"a\",\"a\",\"a\",\"a\",\"a\","
                               "\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\","
                               "\"a\",\"a\"],\"Table\":{}}}";
    size_t asked = 0;

    while (mcp_step(m, 1) && asked++ < MOST_ASKED)
        mcp_take(m, &(struct mcp_answer){200, span_of(list)}, NULL);
    ck_assert_uint_eq(asked, 21);
    mcp_free(m);
}
END_TEST

/* A call that is late makes no more requests, except that it drops its copy of a world. */
START_TEST(bounds_time)
{
    const int64_t late = 2 + MCP_CALL_SECONDS * INT64_C(1000000);
    struct mcp_message *m = mcp_new(&own, &stdio, SPAN_LIT(CALL("explain", "{" PUT "}")), 1);
    const struct mcp_request *request = mcp_step(m, 1);

    ck_assert_str_eq(request->method, "POST");
    mcp_take(m, &(struct mcp_answer){200, SPAN_LIT("{}")}, NULL);
    request = mcp_step(m, late);
    ck_assert_str_eq(request->method, "DELETE");
    mcp_take(m, &(struct mcp_answer){200, SPAN_LIT("{}")}, NULL);
    ck_assert_ptr_null(mcp_step(m, late));
    ck_assert(span_starts_with(
        wire_text(member_of(arena_span(arena, mcp_reply(m)), "/result/structuredContent/reason")),
        SPAN_LIT("this needs more requests, memory or time")));
    mcp_free(m);
}
END_TEST

/* A request whose time is over is ended, and so is the call, which still drops its copy. */
START_TEST(ends_requests)
{
    const struct mcp_options one = {.seconds = 1};
    struct mcp_message *m = mcp_new(&one, &stdio, SPAN_LIT(CALL("explain", "{" PUT "}")), 1);

    ck_assert_str_eq(mcp_step(m, 1)->method, "POST");
    ck_assert_int_eq(mcp_until_us(m), 1000001);
    mcp_take(m, &(struct mcp_answer){200, SPAN_LIT("{}")}, NULL);
    ck_assert_str_eq(mcp_step(m, 1000000)->path, "try");
    mcp_end(m);
    ck_assert_str_eq(mcp_step(m, 1000001)->method, "DELETE");
    ck_assert_int_eq(mcp_until_us(m), 0);
    mcp_take(m, &(struct mcp_answer){200, SPAN_LIT("{}")}, NULL);
    ck_assert_ptr_null(mcp_step(m, 1000002));
    ck_assert(span_starts_with(
        wire_text(member_of(arena_span(arena, mcp_reply(m)), "/result/structuredContent/reason")),
        SPAN_LIT("this took all the time")));
    mcp_free(m);
}
END_TEST

START_TEST(reports_lost_servers)
{
    struct mcp_message *m = mcp_new(&own, &stdio, SPAN_LIT(CALL("tables", "{}")), 1);

    ck_assert_ptr_nonnull(mcp_step(m, 1));
    mcp_take(m, &(struct mcp_answer){0, {NULL, 0}}, "it is gone");
    ck_assert_ptr_null(mcp_step(m, 1));
    ck_assert(span_is(
        wire_text(member_of(arena_span(arena, mcp_reply(m)), "/result/structuredContent/reason")),
        "it is gone"));
    mcp_free(m);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, answers_messages, 0, COUNT(messages));
    tcase_add_test(tc, refuses_long_messages);
    tcase_add_loop_test(tc, compares_headers, 0, COUNT(headers));
    tcase_add_test(tc, lists_tools_of_groups);
    tcase_add_loop_test(tc, calls_tools, 0, COUNT(calls));
    tcase_add_test(tc, bounds_snapshots);
    tcase_add_loop_test(tc, cuts_long_results, 0, COUNT(cuts));
    tcase_add_test(tc, bounds_results);
    tcase_add_test(tc, bounds_requests);
    tcase_add_test(tc, bounds_time);
    tcase_add_test(tc, ends_requests);
    tcase_add_test(tc, reports_lost_servers);
}

UNIT_TESTS(mcp, add_tests)
