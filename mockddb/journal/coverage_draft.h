/* coverage_draft.h: drafts an access pattern from a request that matches none: docs/patterns.md. */
#ifndef JOURNAL_COVERAGE_DRAFT_H
#define JOURNAL_COVERAGE_DRAFT_H

#include "journal/coverage.h"

/* Writes the pattern as one object; `number` makes its name unique. */
void coverage_draft_write(struct arena *a, const struct catalogue *c,
                          const struct journal_options *o, const struct coverage_row *row,
                          size_t number, struct wire_writer *w);

#endif
