/* explain_value.h: the words for attribute values that cannot be, and for the older parameters. */
#pragma once

#include "explain/explain_expression.h"

explain_words explain_value_number, explain_value_older_count, explain_value_json;
