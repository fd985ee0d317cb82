/* mcp_rpc.h: JSON-RPC 2.0: the envelope of messages. */
#pragma once

#include "wire/json.h"
#include "wire/wire_reply.h"

/* Codes of errors: those of JSON-RPC, and the protocol's own. */
enum mcp_code {
    MCP_PARSE_ERROR = -32700,
    MCP_INVALID_REQUEST = -32600,
    MCP_NO_METHOD = -32601,
    MCP_INVALID_PARAMS = -32602,
    MCP_HEADER_MISMATCH = -32020,
    MCP_UNKNOWN_VERSION = -32022,
};

struct mcp_rpc {
    struct span id; /* JSON; empty: a notification, or the id is not known */
    struct span method;
    const wire_node *params; /* an object, or NULL */
    bool is_reply;           /* a reply to a request, of which we send none */
    enum mcp_code code;      /* with `wrong` */
    const char *wrong;       /* why it is no message; NULL: it is one */
};

/* Reads a message. */
struct mcp_rpc mcp_rpc_read(struct arena *a, struct span text);

/* Writes the reply up to its result, an object that is left open; mcp_rpc_end ends it. */
void mcp_rpc_begin(struct wire_writer *w, const struct mcp_rpc *to);
void mcp_rpc_end(struct wire_writer *w);

/* Writes an error as the reply. `data` is JSON; empty: none. */
void mcp_rpc_refuse(struct wire_writer *w, const struct mcp_rpc *to, enum mcp_code code,
                    const char *message, struct span data);
