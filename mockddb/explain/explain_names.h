/* explain_names.h: the words for a table or an index that does not exist: those with nearly its
 * name.
 */
#pragma once

#include "explain/explain_expression.h"

explain_words explain_names_table, explain_names_index;
