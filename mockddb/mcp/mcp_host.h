/* mcp_host.h: what tools get from the program that they run in: options, and answers of verbs. */
#pragma once

#include "base/span.h"

/* Where tools may write. */
enum mcp_writes {
    MCP_WRITES_OWN,  /* in worlds that an agent made: their names begin with MCP_OWN_WORLD */
    MCP_WRITES_NONE, /* nowhere */
    MCP_WRITES_ANY,  /* in all worlds, after a snapshot of those that no agent made */
};

#define MCP_OWN_WORLD    "agent-"
#define MCP_CALL_SECONDS 60

struct mcp_options {
    enum mcp_writes writes;
    const char *tools; /* groups of tools, separated by commas; NULL: the default ones */
    const char *files; /* folder in which tools read and write files; NULL: nowhere */
    int64_t seconds;   /* that a call may take; 0: MCP_CALL_SECONDS */
};

/* A request to a verb. */
struct mcp_request {
    const char *method;
    const char *path;  /* after "/_mockddb/", encoded */
    const char *query; /* encoded; "" for none */
    struct span body;  /* a JSON object or, with `uploads`, a file; empty: none */
    bool uploads;
    struct span world; /* at NULL: the first world */
};

struct mcp_answer {
    int status;
    struct span body;
};
