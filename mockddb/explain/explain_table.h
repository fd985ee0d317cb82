/* explain_table.h: tables that cannot be made or changed as the request describes them. */
#ifndef EXPLAIN_EXPLAIN_TABLE_H
#define EXPLAIN_EXPLAIN_TABLE_H

#include "explain/inquiry.h"

/* Finds the reason in the description of a table, of CreateTable and UpdateTable. */
void explain_table(struct inquiry *q);

/* The table of a CreateTable exists. */
void explain_table_exists(struct inquiry *q);

#endif
