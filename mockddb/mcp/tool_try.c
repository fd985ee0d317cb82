/* explain, try, operation: requests to DynamoDB, run and explained. */
#include "base/cut.h"
#include "mcp/mcp_schema.h"
#include "patterns/pattern_operation.h"

/* A request as the arguments say it. */
struct asked {
    const struct op *op;
    struct span request; /* JSON */
    bool writes;
};

static const struct problem *read_operation(struct mcp_call *c, struct span name,
                                            struct span request, struct asked *out)
{
    const wire_node *body;

    if (!(out->op = op_of_action(name)))
        return problem_invalid(c->arena,
                               "operation %.*s does not exist; the tool operation lists them",
                               SPAN_ARG(name));
    out->request = request;
    /* a body that is not an object is refused by the operation */
    out->writes = wire_parse(c->arena, request, &body) != NULL ||
                  pattern_operation_writes(out->op, body);
    return NULL;
}

/* {"command": "aws dynamodb …"}: the server parses it. */
static const struct problem *read_command(struct mcp_call *c, struct asked *out)
{
    const struct mcp_request request = {
        .method = "POST", .path = "command", .body = mcp_call_body(c, NAMES("command"))};
    const struct problem *p;
    const wire_node *parsed;

    if ((p = mcp_call_get(c, &request, &parsed)))
        return p;
    if (!wire_get(parsed, "request"))
        return problem_new(c->arena, PROBLEM_FAILED, "the server's answer has no request");
    return read_operation(c, wire_text(wire_get(parsed, "operation")),
                          wire_raw(wire_get(parsed, "request")), out);
}

static const struct problem *read_asked(struct mcp_call *c, struct asked *out)
{
    const wire_node *request = wire_get(c->arguments, "request");
    struct span statement = mcp_call_text(c, "statement"), name = mcp_call_text(c, "operation");
    int given = (statement.at != NULL) + (name.at != NULL) +
                (mcp_call_text(c, "command").at != NULL);
    struct buf body = buf_in(c->arena);
    struct wire_writer w = {&body, false};

    if (given != 1 || (name.at != NULL) != (request != NULL))
        return problem_invalid(c->arena,
                               "one of these is needed: command (aws dynamodb …), statement "
                               "(PartiQL), or operation with request");
    if (mcp_call_text(c, "command").at)
        return read_command(c, out);
    if (name.at)
        return read_operation(c, name, wire_raw(request), out);
    wire_open(&w, '{');
    wire_put_member_text(&w, "Statement", statement);
    wire_close(&w, '}');
    return read_operation(c, SPAN_LIT("ExecuteStatement"), buf_span(&body), out);
}

/* Sends the request in the world, and makes the explained answer the call's result. */
static const struct problem *try_request(struct mcp_call *c, const struct asked *asked,
                                         struct span world)
{
    const struct mcp_try asking = {.operation = op_action(c->arena, asked->op),
                                   .request = asked->request,
                                   .calls_a_day = wire_get(c->arguments, "calls_a_day")};
    struct buf data = buf_in(c->arena);
    struct wire_writer out = {&data, false};
    const wire_node *answer, *explanation, *response;
    const struct problem *p;
    struct span reason, message;
    int64_t status;

    if ((p = mcp_call_try(c, world, &asking, &answer)))
        return p;
    status = wire_integer(wire_get(answer, "status"), 0);
    response = wire_get(answer, "response");
    explanation = wire_get(answer, "explanation");
    reason = wire_text(wire_get(explanation, "reason"));
    message = wire_text(wire_get(response, "message"));
    if (!response)
        return problem_new(c->arena, PROBLEM_FAILED, "the server's answer has no response");
    c->result.is_error = status != 200;
    c->result.reason = reason.len ? arena_text(c->arena, reason)
                                  : arena_printf(c->arena, "%s was answered with %d%s%.*s",
                                                 asked->op->name, (int)status,
                                                 message.len ? ": " : "", SPAN_ARG(message));
    c->result.about = wire_text(wire_get(explanation, "text"));
    if (reason.len && span_starts_with(c->result.about, SPAN_LIT("why: ")))
        (void)cut_part(&c->result.about, '\n'); /* the reason */
    c->result.rest = "ask for more with max_items, for a part with Limit and ExclusiveStartKey";
    wire_open(&out, '{');
    wire_put_member_integer(&out, "status", status);
    wire_put_member_raw(&out, "response", wire_raw(response));
    for (const wire_node *n = wire_first(explanation); n; n = wire_next(n))
        if (!span_is(wire_name(n), "text") && !span_is(wire_name(n), "reason")) {
            wire_key_span(&out, wire_name(n));
            wire_put_raw(&out, wire_raw(n));
        }
    wire_close(&out, '}');
    c->result.data = buf_span(&data);
    return NULL;
}

static const struct problem *run_try(struct mcp_call *c)
{
    struct asked asked = {0};
    struct span world;
    const struct problem *p;

    if ((p = read_asked(c, &asked)) ||
        (p = asked.writes ? mcp_call_own_world(c, &world) : mcp_call_world(c, &world)))
        return p;
    return try_request(c, &asked, world);
}

/* A write is explained in a copy of the world, which is dropped afterwards. */
static const struct problem *run_explain(struct mcp_call *c)
{
    const char *copy = arena_printf(c->arena, MCP_OWN_WORLD "explain-%llx",
                                    (unsigned long long)c->number);
    struct mcp_request request = {.method = "POST",
                                  .path = arena_printf(c->arena, "worlds/%s", copy)};
    struct buf body = buf_in(c->arena);
    struct wire_writer w = {&body, false};
    struct asked asked = {0};
    struct span world;
    const struct problem *p, *tried;
    const wire_node *answer;

    if ((p = read_asked(c, &asked)) || (p = mcp_call_world(c, &world)))
        return p;
    if (!asked.writes)
        return try_request(c, &asked, world);
    wire_open(&w, '{');
    wire_put_member_text(&w, "from", world.len ? world : SPAN_LIT("default"));
    wire_close(&w, '}');
    request.body = buf_span(&body);
    if ((p = mcp_call_get(c, &request, &answer)))
        return p;
    tried = try_request(c, &asked, span_of(copy));
    if (tried && tried->kind == PROBLEM_WAITS)
        return tried;
    request.method = "DELETE";
    request.body = (struct span){NULL, 0};
    if ((p = mcp_call_get(c, &request, &answer)))
        return p;
    c->result.about = span_of(arena_printf(c->arena,
                                           "nothing was changed: this ran in a copy of the world, "
                                           "which is gone\n%.*s",
                                           SPAN_ARG(c->result.about)));
    return tried;
}

/* --- operations by name ----------------------------------------------------------------------- */

static void list_operations(struct mcp_call *c)
{
    struct buf data = buf_in(c->arena);
    struct wire_writer w = {&data, false};
    const struct op *op;

    wire_open(&w, '[');
    for (int service = 0; service < OP_SERVICE_COUNT; service++)
        for (size_t i = 0; (op = op_at((enum op_service)service, i)); i++)
            wire_put_text(&w, span_of(op_action(c->arena, op)));
    wire_close(&w, ']');
    c->result.reason = "these operations exist; give a name for its schema";
    c->result.data = buf_span(&data);
    c->result.is_whole = true;
}

static void show_schema(struct mcp_call *c, const struct op *op)
{
    struct buf data = buf_in(c->arena);
    struct wire_writer w = {&data, false};

    wire_open(&w, '{');
    wire_put_member_word(&w, "name", op_action(c->arena, op));
    wire_put_member_bool(&w, "writes", op->access == OP_WRITES);
    wire_key(&w, "request");
    w.comma = false;
    mcp_schema_write_members(&w, op_members(c->arena, op));
    wire_close(&w, '}');
    c->result.reason = arena_printf(c->arena, "the JSON Schema of requests of %s", op->name);
    c->result.data = buf_span(&data);
    c->result.is_whole = true;
}

static const struct problem *run_operation(struct mcp_call *c)
{
    struct span name = mcp_call_text(c, "operation");
    const struct op *op = name.at ? op_of_action(name) : NULL;

    if (!name.at)
        list_operations(c);
    else if (op && !wire_get(c->arguments, "request"))
        show_schema(c, op);
    else
        return run_try(c);
    return NULL;
}

static const struct wire_shape any_object = {.type = WIRE_MAP};
static const struct wire_shape calls_a_day = {.type = WIRE_DOUBLE, WIRE_BOUNDS(1, 1000000000000)};

#define ASKED                                                                                \
    {{"command", &wire_string, 0}, "an AWS CLI command: aws dynamodb query --table-name …"}, \
        {{"statement", &wire_string, 0}, "or a PartiQL statement"},                          \
        {{"operation", &wire_string, 0}, "or an operation, such as Query …"},                \
        {{"request", &any_object, 0}, "… with its request, in DynamoDB's JSON"},             \
        {{"calls_a_day", &calls_a_day, 0}, "say what this many calls a day would cost"},     \
        MCP_MEMBER_WORLD, MCP_MEMBER_MAX_ITEMS

const struct mcp_tool tool_explain = {
    .name = "explain",
    .about = "Explain a DynamoDB request: its answer, what was read, what it costs, why it is "
             "empty or refused, and what would answer it. Changes nothing: a write runs in a copy. "
             "Use it before you write or change a query.",
    .members = MCP_MEMBERS(ASKED),
    .run = run_explain,
};

const struct mcp_tool tool_try = {
    .name = "try",
    .about = "Run a DynamoDB request, writes included, and explain it. Writes need a world of "
             "your own (tool worlds, action fork).",
    .flags = MCP_CHANGES | MCP_LOSES,
    .members = MCP_MEMBERS(ASKED),
    .run = run_try,
};

const struct mcp_tool tool_operation = {
    .name = "operation",
    .about = "Any operation of DynamoDB, its streams and the services beside it (scaling, tags, "
             "metrics): without arguments their list, with operation alone the JSON Schema of its "
             "request, with request it is run as by try.",
    .flags = MCP_CHANGES | MCP_LOSES,
    .members = MCP_MEMBERS(
        {{"operation", &wire_string, 0}, "its name, such as UpdateTable"},
        {{"request", &any_object, 0}, "its request, in DynamoDB's JSON"},
        {{"calls_a_day", &calls_a_day, 0}, "say what this many calls a day would cost"},
        MCP_MEMBER_WORLD, MCP_MEMBER_MAX_ITEMS),
    .run = run_operation,
};
