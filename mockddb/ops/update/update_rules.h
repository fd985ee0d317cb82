/* update_rules.h: whether a table can be changed as an UpdateTable request wants.
 *
 * Source: docs/behaviour/tables.md, "UpdateTable: against the table". */
#ifndef OPS_UPDATE_RULES_H
#define OPS_UPDATE_RULES_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* That the table is neither coming nor going, and that the indexes named are there, or not. */
MUST_CHECK const struct error *update_rules_check_names(struct call *c, const struct table *t,
                                                        const struct table_spec *spec);

/* Everything else, once update_busy_check has passed. */
MUST_CHECK const struct error *update_rules_check(struct call *c, const struct table *t,
                                                  const struct table_spec *spec);

#endif
