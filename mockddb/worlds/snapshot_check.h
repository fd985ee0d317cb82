/* snapshot_check.h: checks that the content of a store from an untrusted file is consistent: items,
 * indexes, streams, logs, backups and tasks. store/store_rebuild.h has checked the rows
 * themselves. */
#pragma once

#include "ops/table/table_size.h"

struct snapshot_check;

/* Begins a check. Nothing else may use the store until its end; errors are in the arena. */
struct snapshot_check *snapshot_check_begin(struct arena *a, struct store *s);

/* Checks a slice of less than a millisecond, apart from long rows; *more says whether to call
 * again. Returns NULL, or a sentence about the first error. */
MUST_CHECK const char *snapshot_check_step(struct snapshot_check *c, bool *more);

/* What the store has, after the last step. */
struct table_totals snapshot_check_content(const struct snapshot_check *c);

void snapshot_check_end(struct snapshot_check *c); /* c may be NULL */
