/* statement_select.h: a SELECT of ExecuteStatement: access path, order, pages.
 *
 * Equality with the whole primary key reads one item. Equality with the partition key, or with
 * several by IN or OR, reads these partitions, each within its condition on the sort key. Other
 * conditions read the whole table or index. The condition is then evaluated for each row. Source:
 * docs/behaviour/partiql.md, "Access". */
#ifndef OPS_STATEMENT_SELECT_H
#define OPS_STATEMENT_SELECT_H

#include "ops/statement/statement.h"

/* Writes Items, NextToken and ConsumedCapacity. Call statement_find_table and _key before. */
MUST_CHECK const struct error *statement_select(struct call *c, const struct statement *s);

#endif
