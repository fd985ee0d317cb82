/* explain_value.h: the words for values that cannot be, for too many of them or too large ones, and
 * for the older parameters. */
#pragma once

#include "explain/explain_expression.h"

explain_words explain_value_number, explain_value_older_count, explain_value_older_type,
    explain_value_json, explain_value_size, explain_value_word, explain_value_twice;
