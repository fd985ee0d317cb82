/* op_access.h: refuses writes to a read-only server. */
#ifndef OPS_OP_ACCESS_H
#define OPS_OP_ACCESS_H

#include "ops/op.h"

/* Fails with AccessDeniedException if the server is read-only. `action` is the denied action,
 * "PutItem". */
MUST_CHECK const struct error *op_access_check_write(struct call *c, const char *action);

#endif
