/* explain_start.h: the words for an ExclusiveStartKey that is no key of what is read. */
#pragma once

#include "explain/explain_expression.h"

explain_words explain_start;
