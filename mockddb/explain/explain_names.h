/* explain_names.h: a table or an index that is not there, and those that are called nearly so. */
#ifndef EXPLAIN_EXPLAIN_NAMES_H
#define EXPLAIN_EXPLAIN_NAMES_H

#include "explain/inquiry.h"

/* Finds the reason in the names that the request has. */
void explain_names(struct inquiry *q);

#endif
