/* global_rules.h: whether a table can do what an UpdateTable request wants of its global table.
 *
 * Source: docs/behaviour/global-tables.md. */
#ifndef OPS_GLOBAL_RULES_H
#define OPS_GLOBAL_RULES_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* What is wrong with the request's replicas, witness and settings; of all other requests, what a
 * global table does not allow. */
MUST_CHECK const struct error *global_rules_check(struct call *c, const struct table *t,
                                                  const struct table_spec *spec);

#endif
