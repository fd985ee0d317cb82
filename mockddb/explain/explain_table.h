/* explain_table.h: the words for descriptions of tables, and what corrects them. */
#ifndef EXPLAIN_EXPLAIN_TABLE_H
#define EXPLAIN_EXPLAIN_TABLE_H

#include "explain/explain_expression.h"

explain_words explain_table_undefined, explain_table_unused, explain_table_no_units;

#endif
