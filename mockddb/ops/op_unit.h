/* op_unit.h: runs work in its own unit, which is committed or undone. */
#ifndef OPS_OP_UNIT_H
#define OPS_OP_UNIT_H

#include "ops/op.h"

/* The work; `data` is the argument of op_unit_run. */
typedef const struct error *op_work(struct call *c, void *data);

/* Runs the work in a new unit, which is c->unit during the work. The unit is committed, or undone
 * if the work returns an error. */
MUST_CHECK const struct error *op_unit_run(struct call *c, enum unit_kind kind, op_work *work,
                                           void *data);

#endif
