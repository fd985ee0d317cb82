/* explain_filter.h: items were read, and the filter took all of them away. */
#pragma once

#include "explain/explain_read.h"

/* Finds the reason, by looking at what the filter looked at. */
void explain_filter(struct inquiry *q, const struct targets *targets);
