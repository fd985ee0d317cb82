/* table_name.h: what a TableName member may hold.
 *
 * Wherever an operation takes a table's name it takes the table's ARN as well; answers name the
 * table either way. An ARN must be of our partition and region; its account is not looked at,
 * since all credentials see the same tables. Source: docs/behaviour/tables.md, "Names". */
#ifndef OPS_TABLE_NAME_H
#define OPS_TABLE_NAME_H

#include "ops/table/table_arn.h"

/* The name in `text`: itself, or what a table ARN names. The name borrows from `text`. */
MUST_CHECK const struct error *table_name_read(struct call *c, struct span text, struct span *name);

/* The precheck of operations on tables: "The parameter 'TableName' is required …". */
MUST_CHECK const struct error *table_name_required(struct call *c);

/* Whether the table's ARN names the call's region, or one where the table has a replica that is no
 * table of its own. */
bool table_name_serves(const struct call *c, const struct arn *arn);

#endif
