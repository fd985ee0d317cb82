/* mcp_tools.h: the tools, in groups. */
#pragma once

#include "mcp/mcp_tool.h"

/* Checks the names of groups, separated by commas. Returns NULL, or what is wrong with them. */
MUST_CHECK const char *mcp_tools_check(struct arena *a, const char *groups);

/* The i-th tool of the chosen groups, or NULL after the last one. */
const struct mcp_tool *mcp_tools_at(const struct mcp_options *o, size_t i);
/* The tool called name, if it is in the chosen groups, or NULL. */
const struct mcp_tool *mcp_tools_find(const struct mcp_options *o, struct span name);
/* The group that has a tool of this name, chosen or not, or NULL. */
const char *mcp_tools_group(struct span name);
