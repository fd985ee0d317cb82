/* update_apply.h: applies a checked UpdateTable request to a table. */
#ifndef OPS_UPDATE_APPLY_H
#define OPS_UPDATE_APPLY_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Changes t, a copy for table_state_keep. *idle is set if nothing changed and the answer shows the
 * table UPDATING all the same: the request gives the table's current billing mode or class. */
MUST_CHECK const struct error *update_apply(struct call *c, struct table *t,
                                            const struct table_spec *spec, bool *idle);

#endif
