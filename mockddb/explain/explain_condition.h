/* explain_condition.h: the words for reads whose conditions do not fit the key of what they ask. */
#pragma once

#include "explain/explain_expression.h"

explain_words explain_condition_stranger, explain_condition_missing, explain_condition_type,
    explain_condition_twice, explain_condition_filter, explain_condition_held,
    explain_condition_start;
