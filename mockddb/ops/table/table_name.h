/* table_name.h: reads TableName members.
 *
 * Each operation that takes a table's name takes the table's ARN as well; answers always have the
 * name. An ARN must have our partition and region. Its account is ignored, since all credentials
 * see the same tables. Source: docs/behaviour/tables.md, "Names". */
#pragma once

#include "ops/table/table_arn.h"

/* Reads `text`, a table's name or ARN. *name borrows from `text`. */
MUST_CHECK const struct error *table_name_read(struct call *c, struct span text, struct span *name);

/* The error, with what is wrong with the ARN as its cause. */
MUST_CHECK const struct error *table_name_arn_fault(const struct call *c, const struct error *e,
                                                    struct span text);

/* The precheck of operations on tables: "The parameter 'TableName' is required …". */
MUST_CHECK const struct error *table_name_required(struct call *c);

/* Whether the ARN has the call's region, or a region whose replica of the table is only an entry in
 * the table's list of replicas. */
bool table_name_serves(const struct call *c, const struct arn *arn);
