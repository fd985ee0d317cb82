/* explain_names.h: the words for tables and indexes: those that do not exist, with those that have
 * nearly their name, and descriptions of tables. */
#pragma once

#include "explain/explain_expression.h"

explain_words explain_names_table, explain_names_index, explain_names_undefined,
    explain_names_unused, explain_names_no_units;
