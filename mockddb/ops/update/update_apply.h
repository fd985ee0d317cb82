/* update_apply.h: does to a table what an UpdateTable request wants, all of it checked before. */
#ifndef OPS_UPDATE_APPLY_H
#define OPS_UPDATE_APPLY_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Changes t, a copy that table_state_keep will take. *idle says that nothing changed although the
 * answer shows the table UPDATING: a billing mode or class that the table has already. */
MUST_CHECK const struct error *update_apply(struct call *c, struct table *t,
                                            const struct table_spec *spec, bool *idle);

#endif
