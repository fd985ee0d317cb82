/* update_rules.h: the checks of an UpdateTable request that need the table.
 *
 * Source: docs/behaviour/tables.md, "UpdateTable". */
#ifndef OPS_UPDATE_RULES_H
#define OPS_UPDATE_RULES_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Checks that the table is neither CREATING nor DELETING, that indexes to change exist and that new
 * indexes do not. */
MUST_CHECK const struct error *update_rules_check_names(struct call *c, const struct table *t,
                                                        const struct table_spec *spec);

/* The remaining checks; call it after update_busy_check. */
MUST_CHECK const struct error *update_rules_check(struct call *c, const struct table *t,
                                                  const struct table_spec *spec);

#endif
