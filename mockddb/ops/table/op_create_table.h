/* op_create_table.h: the checks of CreateTable, for all operations that create tables. */
#pragma once

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Checks all rules of the definition, in the service's order and words. */
MUST_CHECK const struct error *op_create_table_check(struct call *c, const struct table_spec *spec);

/* Fails with "Table already exists: …" if the name is taken. */
MUST_CHECK const struct error *op_create_table_check_name(struct call *c, struct span name);
