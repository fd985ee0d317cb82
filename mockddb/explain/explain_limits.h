/* explain_limits.h: the words for what a write does not take: items that are too large, and values
 * that it cannot return. */
#pragma once

#include "explain/explain_expression.h"

explain_words explain_limits_size, explain_limits_word, explain_limits_twice, explain_limits_many;

/* Finds the reason in the ReturnValues of a write. */
void explain_limits_returns(struct inquiry *q);
