/* table_backfill.h: fills an index that was added to a table with the table's items.
 *
 * A backfill reads the table in key order, a slice at a time. The catalog holds its position, so it
 * continues after a restart. Writes keep the finished part of the index up to date (ops/change.c).
 * Items without usable index keys are left out. Source: docs/behaviour/tables.md,
 * "UpdateTable". */
#pragma once

#include "ops/op.h"

/* Fills one slice of the table's unfilled index, if it has one; needs a unit of work. */
MUST_CHECK const struct error *table_backfill(struct call *c, struct span name);
