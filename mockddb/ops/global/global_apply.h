/* global_apply.h: does to a global table what an UpdateTable request wants, all of it checked
 * before. */
#ifndef OPS_GLOBAL_APPLY_H
#define OPS_GLOBAL_APPLY_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Changes t, a copy that table_state_keep will take, and the replicas of other regions. */
MUST_CHECK const struct error *global_apply(struct call *c, struct table *t,
                                            const struct global_spec *spec);

#endif
