/* mcp_schema.h: JSON Schema, and checks, from the tables of members. */
#pragma once

#include "mcp/mcp_tool.h"

/* The schema of a tool's arguments. */
void mcp_schema_write(struct wire_writer *w, const struct mcp_member *members);
/* The schema of an operation's request. */
void mcp_schema_write_members(struct wire_writer *w, const struct wire_member *members);

/* Refuses arguments that are unknown, given twice, missing, or of another type. */
MUST_CHECK const struct problem *mcp_schema_check(struct arena *a, const struct mcp_member *members,
                                                  const wire_node *arguments);
