/* explain_table.h: the words for descriptions of tables, and what corrects them. */
#pragma once

#include "explain/explain_expression.h"

explain_words explain_table_undefined, explain_table_unused, explain_table_no_units;
