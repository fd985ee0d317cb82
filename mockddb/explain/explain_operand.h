/* explain_operand.h: operands that an operator or function does not take. */
#ifndef EXPLAIN_EXPLAIN_OPERAND_H
#define EXPLAIN_EXPLAIN_OPERAND_H

#include "explain/inquiry.h"

/* Finds the reason in the expressions of the inquiry's entry. */
void explain_operand(struct inquiry *q);

#endif
