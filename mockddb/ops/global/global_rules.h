/* global_rules.h: the checks of UpdateTable for global tables that need the table.
 *
 * Source: docs/behaviour/global-tables.md. */
#pragma once

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Checks the request's replicas, witness and settings. Other requests fail if they change what a
 * global table does not allow. */
MUST_CHECK const struct error *global_rules_check(struct call *c, const struct table *t,
                                                  const struct table_spec *spec);
