/* explain_summary.h: which requests of a program were refused, came back empty or could cost less,
 * by their shape, with the reason: docs/explain.md, "A program's requests".
 *
 * Requests of one shape and outcome are a group. Of each group the first three are explained, and
 * 200 groups are kept; further requests are only counted. */
#pragma once

#include "explain/inquiry.h"

struct explain_summary;

struct explain_summary *explain_summary_new(void);
void explain_summary_free(struct explain_summary *s); /* s may be NULL */

/* Counts a finished request. Returns whether the summary needs its explanation. */
bool explain_summary_count(struct explain_summary *s, struct arena *a,
                           const struct call_record *record);

/* Takes what was found out about the request that was counted last. */
void explain_summary_take(struct explain_summary *s, const struct inquiry *q);

/* Appends the lines. */
void explain_summary_print(const struct explain_summary *s, struct buf *out);
