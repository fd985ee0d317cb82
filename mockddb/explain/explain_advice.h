/* explain_advice.h: how a read could have been cheaper, and what it does not say by itself.
 *
 * Each hint has a name and a high bar: a read as it should be gets none. */
#pragma once

#include "explain/explain_read.h"

/* Gives the hints for a read that succeeded; its first target is what they are about. */
void explain_advice_give(struct inquiry *q, const struct targets *targets);

/* A note: what the read costs with that many calls a day; `how` says where the number is from, or
 * is empty. */
void explain_advice_cost(struct inquiry *q, double calls_a_day, const char *how);

/* Of a call that failed: the access pattern that answers what it seems to ask. */
void explain_advice_pattern(struct inquiry *q);
