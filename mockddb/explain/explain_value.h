/* explain_value.h: the words for attribute values that cannot be, and for the older parameters. */
#ifndef EXPLAIN_EXPLAIN_VALUE_H
#define EXPLAIN_EXPLAIN_VALUE_H

#include "explain/explain_expression.h"

/* A plain value where one with its type belongs: {"id": "x"} for {"id": {"S": "x"}}. */
void explain_value_plain(struct inquiry *q);

explain_words explain_value_number, explain_value_older_count;

#endif
