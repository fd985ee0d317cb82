/* explain_statement.h: what is wrong with a PartiQL statement. */
#ifndef EXPLAIN_EXPLAIN_STATEMENT_H
#define EXPLAIN_EXPLAIN_STATEMENT_H

#include "explain/inquiry.h"

/* Finds the reason in the statement of the inquiry's entry, or in those of a transaction. */
void explain_statement(struct inquiry *q);

/* A value in double quotes, which is an attribute's name; NULL where the statement has none. */
const char *explain_statement_quotes(struct inquiry *q);

/* IS NULL, which finds NULL alone; NULL where the statement has none. */
const char *explain_statement_null(struct inquiry *q);

/* A word that something is compared with, without quotes; len 0: no such word. */
struct span explain_statement_word(struct inquiry *q);

/* The table's name in the statement with its quotes; at NULL: it has no quotes. */
struct span explain_statement_table(struct inquiry *q, struct span name);

/* The statement with other words at a place. */
void explain_statement_propose(struct inquiry *q, struct span place, const char *instead);

#endif
