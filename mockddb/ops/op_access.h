/* op_access.h: what a server that is read-only refuses. */
#ifndef OPS_OP_ACCESS_H
#define OPS_OP_ACCESS_H

#include "ops/op.h"

/* AccessDeniedException where the server is read-only: `action` is what would have to be allowed,
 * "PutItem". */
MUST_CHECK const struct error *op_access_check_write(struct call *c, const char *action);

#endif
