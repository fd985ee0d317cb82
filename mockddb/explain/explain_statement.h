/* explain_statement.h: the words for faults of PartiQL statements. */
#pragma once

#include "explain/explain_expression.h"

/* Finds the reason in the form of the entry's statement, where its error has no place. */
void explain_statement_form(struct inquiry *q);

explain_words explain_statement_mark, explain_statement_all, explain_statement_place,
    explain_statement_value, explain_statement_lacks, explain_statement_parameters,
    explain_statement_order, explain_statement_type, explain_statement_key;

/* A value in double quotes, which is an attribute's name, or IS NULL, which finds NULL alone; NULL:
 * the statement has neither. */
const char *explain_statement_where(struct inquiry *q);

/* Proposes begins_with of this attribute for its = in the statement. */
void explain_statement_begins(struct inquiry *q, struct span name);

/* A word that something is compared with, without quotes; len 0: no such word. */
struct span explain_statement_word(struct inquiry *q);

/* The table's name as it is written in the statement; at NULL: it is not found. */
struct span explain_statement_table(struct inquiry *q, struct span name);

/* Proposes the statement with other words at a place; nothing if its `at` is NULL. */
void explain_statement_propose(struct inquiry *q, struct span place, const char *instead);
