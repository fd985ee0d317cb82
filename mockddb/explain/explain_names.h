/* explain_names.h: the words for a table or an index that does not exist: those with nearly its
 * name.
 */
#ifndef EXPLAIN_EXPLAIN_NAMES_H
#define EXPLAIN_EXPLAIN_NAMES_H

#include "explain/explain_expression.h"

explain_words explain_names_table, explain_names_index;

#endif
