/* backup_source.h: finds the table of an operation on backups. These operations have their own
 * error for a missing table. */
#pragma once

#include "ops/op.h"

/* TableNotFoundException: "Table not found: T" */
MUST_CHECK const struct error *backup_source_not_found(struct call *c, struct span name);

/* Find the table by its name, or by the request's TableName. It may have any status. */
MUST_CHECK const struct error *backup_source_named(struct call *c, struct span name,
                                                   const struct table **out);
MUST_CHECK const struct error *backup_source_find(struct call *c, const struct table **out);

/* Like backup_source_find, but a table that is CREATING counts as missing. */
MUST_CHECK const struct error *backup_source_made(struct call *c, const struct table **out);
