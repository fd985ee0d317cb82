/* explain_statement.h: what is wrong with a PartiQL statement. */
#ifndef EXPLAIN_EXPLAIN_STATEMENT_H
#define EXPLAIN_EXPLAIN_STATEMENT_H

#include "explain/inquiry.h"

void explain_statement(struct inquiry *q);

/* A value in double quotes, which is an attribute's name; NULL where the statement has none. */
const char *explain_statement_quotes(struct inquiry *q);

#endif
