/* op_unit.h: work in a unit of its own: begun, done, and kept or undone. */
#ifndef OPS_OP_UNIT_H
#define OPS_OP_UNIT_H

#include "ops/op.h"

/* What is done; `data` is what op_unit_run was given. */
typedef const struct error *op_work(struct call *c, void *data);

/* Does the work in a new unit, which is c->unit meanwhile. The unit is kept, or undone where the
 * work returned an error. */
MUST_CHECK const struct error *op_unit_run(struct call *c, enum unit_kind kind, op_work *work,
                                           void *data);

#endif
