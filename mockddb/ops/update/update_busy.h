/* update_busy.h: which changes of a table must wait for a change in progress.
 *
 * All errors are ResourceInUseException, except for two index changes at once, which is a
 * LimitExceededException. Source: docs/behaviour/tables.md, "UpdateTable". */
#ifndef OPS_UPDATE_BUSY_H
#define OPS_UPDATE_BUSY_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

MUST_CHECK const struct error *update_busy_check(struct call *c, const struct table *t,
                                                 const struct table_spec *spec);

/* "Only 1 online index can be created or deleted simultaneously per table" */
MUST_CHECK const struct error *update_busy_one_index(struct call *c);

#endif
