/* query_key.h: checks a Query's key condition against the schema of the table or index.
 *
 * Messages and order: docs/behaviour/query-scan.md, "Key conditions". */
#pragma once

#include "expr/expr.h"
#include "ops/op.h"
#include "store/cursor.h"

/* Checks the clauses and the starting key (NULL: absent), attribute by attribute like the service,
 * and sets low and high of the range. */
MUST_CHECK const struct error *query_key_range(struct call *c, const struct table *t,
                                               const struct index *ix,
                                               const struct expr_key *clauses,
                                               const struct item *start, struct store_range *range);
