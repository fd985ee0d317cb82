/* backup_source.h: the table that an operation on backups is about; these have an error of their
 * own for one that is not there. */
#ifndef OPS_BACKUP_SOURCE_H
#define OPS_BACKUP_SOURCE_H

#include "ops/op.h"

/* TableNotFoundException: "Table not found: T" */
MUST_CHECK const struct error *backup_source_not_found(struct call *c, struct span name);

/* The table of that name, in whatever state, or the one that TableName names. */
MUST_CHECK const struct error *backup_source_named(struct call *c, struct span name,
                                                   const struct table **out);
MUST_CHECK const struct error *backup_source_find(struct call *c, const struct table **out);

/* The same for what needs a table that is made: one that is CREATING is not there yet. */
MUST_CHECK const struct error *backup_source_made(struct call *c, const struct table **out);

#endif
