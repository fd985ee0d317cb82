/* global_apply.h: applies a checked UpdateTable request to a global table. */
#pragma once

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Changes t, a copy for table_state_keep, and the replicas of other regions. */
MUST_CHECK const struct error *global_apply(struct call *c, struct table *t,
                                            const struct global_spec *spec);
