/* mcp_tool.h: the definition of a tool: a row of tool_NAME.c, listed in mcp_tools.c. */
#pragma once

#include "mcp/mcp_call.h"
#include "wire/wire_shape.h"

/* A member of a tool's arguments. The listing's schema is written from it, and arguments are
 * checked by it. */
struct mcp_member {
    struct wire_member of; /* a NULL name ends the table */
    const char *about;
};

#define MCP_MEMBERS(...)          \
    (const struct mcp_member[])   \
    {                             \
        __VA_ARGS__,              \
        {                         \
            {NULL, NULL, 0}, NULL \
        }                         \
    }

enum mcp_tool_flags {
    MCP_CHANGES = 1, /* it can change something */
    MCP_LOSES = 2,   /* and what it changes may be lost */
    MCP_FILES = 4,   /* it is listed only with a folder for files */
};

struct mcp_tool {
    const char *name;
    const char *about; /* for the model that chooses a tool */
    unsigned flags;    /* of mcp_tool_flags */
    const struct mcp_member *members;
    const struct problem *(*run)(struct mcp_call *c);
};

/* The members that most tools have. */
#define MCP_MEMBER_WORLD                                                                           \
    {                                                                                              \
        {"world", &wire_string, 0}, "the world to use; without it the first one, which people use" \
    }
#define MCP_MEMBER_MAX_ITEMS                                                        \
    {                                                                               \
        {"max_items", WIRE_SHAPE(WIRE_INTEGER, WIRE_BOUNDS(1, MCP_MOST_ITEMS)), 0}, \
            "show at most this many entries of each list (20)"                      \
    }

#define MCP_ITEMS      20   /* entries of a list that are shown */
#define MCP_MOST_ITEMS 1000 /* … at most */
