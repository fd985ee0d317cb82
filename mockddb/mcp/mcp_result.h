/* mcp_result.h: the result of a tool's call: structured content, and a text that a model reads. */
#pragma once

#include "mcp/mcp_call.h"

/* The schema that the structured content of all tools has. */
extern const char mcp_result_schema[];

/* Writes the members content, structuredContent and isError. */
void mcp_result_write(struct wire_writer *w, struct mcp_call *c);
