/* explain_start.h: the words for an ExclusiveStartKey that is no key of what is read. */
#ifndef EXPLAIN_EXPLAIN_START_H
#define EXPLAIN_EXPLAIN_START_H

#include "explain/explain_expression.h"

explain_words explain_start;

#endif
