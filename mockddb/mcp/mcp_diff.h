/* mcp_diff.h: what two worlds have otherwise: tables and items. */
#pragma once

#include "mcp/mcp_call.h"

/* Compares `world` with `base`, all tables or one (at NULL: all), and sets the call's result. The
 * items of all compared tables have to fit into the answers of one call. */
MUST_CHECK const struct problem *mcp_diff(struct mcp_call *c, struct span world, struct span base,
                                          struct span table);
