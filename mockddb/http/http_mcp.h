/* http_mcp.h: tools for agents over HTTP, at /_mockddb/mcp (mcp/mcp.h): one message is one POST.
 * Only requests with the server's token are answered. */
#pragma once

#include "http/http_exchange.h"

struct http_handler;

/* A route's handler. */
void http_mcp_message(struct http_handler *h, struct http_exchange *x);
