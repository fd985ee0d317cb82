/* op_create_table.h: what CreateTable demands of a new table: other operations make tables, too. */
#ifndef OPS_OP_CREATE_TABLE_H
#define OPS_OP_CREATE_TABLE_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* All rules of the definition, in the service's order and words. */
MUST_CHECK const struct error *op_create_table_check(struct call *c, const struct table_spec *spec);

/* Whether a table of that name can be made now: "Table already exists: …" */
MUST_CHECK const struct error *op_create_table_check_name(struct call *c, struct span name);

#endif
