#include "mcp/mcp_rpc.h"

#define MOST_ID_BYTES 1024 /* it is echoed */

static struct mcp_rpc wrong(struct mcp_rpc found, enum mcp_code code, const char *why)
{
    found.code = code;
    found.wrong = why;
    return found;
}

struct mcp_rpc mcp_rpc_read(struct arena *a, struct span text)
{
    struct mcp_rpc found = {.wrong = NULL};
    const wire_node *message, *id, *params;

    if (!json_parse(a, text, &message))
        return wrong(found, MCP_PARSE_ERROR, "the message is not JSON");
    if (json_kind(message) == JSON_ARRAY)
        return wrong(found, MCP_INVALID_REQUEST, "batches are not part of the protocol");
    if (json_kind(message) != JSON_OBJECT)
        return wrong(found, MCP_INVALID_REQUEST, "the message is not an object");
    id = json_member(message, SPAN_LIT("id"));
    if (id && json_kind(id) != JSON_STRING && json_kind(id) != JSON_NUMBER)
        return wrong(found, MCP_INVALID_REQUEST, "id is neither a string nor a number");
    if (id && wire_raw(id).len > MOST_ID_BYTES)
        return wrong(found, MCP_INVALID_REQUEST, "id is too long");
    if (id)
        found.id = wire_raw(id);
    if (wire_repeated(message).at)
        return wrong(found, MCP_INVALID_REQUEST, "a member of the message is given twice");
    if (!span_is(wire_text(wire_get(message, "jsonrpc")), "2.0"))
        return wrong(found, MCP_INVALID_REQUEST, "jsonrpc is not \"2.0\"");
    found.method = wire_text(wire_get(message, "method"));
    found.is_reply = !found.method.at &&
                     (wire_get(message, "result") || wire_get(message, "error"));
    if (!found.method.at && !found.is_reply)
        return wrong(found, MCP_INVALID_REQUEST, "method is not a string");
    params = json_member(message, SPAN_LIT("params"));
    if (params && json_kind(params) != JSON_OBJECT)
        return wrong(found, MCP_INVALID_PARAMS, "params is not an object");
    found.params = params;
    return found;
}

static void begin_reply(struct wire_writer *w, const struct mcp_rpc *to)
{
    wire_open(w, '{');
    wire_put_member_word(w, "jsonrpc", "2.0");
    wire_put_member_raw(w, "id", to->id.len ? to->id : SPAN_LIT("null"));
}

void mcp_rpc_begin(struct wire_writer *w, const struct mcp_rpc *to)
{
    begin_reply(w, to);
    wire_open_member(w, "result", '{');
}

void mcp_rpc_end(struct wire_writer *w)
{
    wire_close(w, '}');
    wire_close(w, '}');
}

void mcp_rpc_refuse(struct wire_writer *w, const struct mcp_rpc *to, enum mcp_code code,
                    const char *message, struct span data)
{
    begin_reply(w, to);
    wire_open_member(w, "error", '{');
    wire_put_member_integer(w, "code", code);
    wire_put_member_word(w, "message", message);
    if (data.len)
        wire_put_member_raw(w, "data", data);
    mcp_rpc_end(w);
}
