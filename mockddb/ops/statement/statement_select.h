/* statement_select.h: a SELECT of ExecuteStatement: its access path, its order, its pages.
 *
 * Equality with the whole primary key reads one item; equality with the partition key, also of
 * several partitions by IN or OR, reads these, each with the condition on the sort key that
 * stands beside it; all else reads the whole table or index. The condition is then run on every
 * row that was read. Source: docs/behaviour/partiql.md, "Access". */
#ifndef OPS_STATEMENT_SELECT_H
#define OPS_STATEMENT_SELECT_H

#include "ops/statement/statement.h"

/* Writes Items, NextToken and ConsumedCapacity of a statement whose table and key were looked
 * for. */
MUST_CHECK const struct error *statement_select(struct call *c, const struct statement *s);

#endif
