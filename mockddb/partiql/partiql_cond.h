/* partiql_cond.h: the condition of a PartiQL statement → the tree that expressions run on. */
#ifndef PARTIQL_PARTIQL_COND_H
#define PARTIQL_PARTIQL_COND_H

#include "expr/expr_cond.h"
#include "partiql/partiql_value.h"

/* Operators, functions and operand types are checked; *out can run. */
MUST_CHECK const struct error *partiql_read_condition(const struct partiql_values *v,
                                                      const struct partiql_node *where,
                                                      struct expr_cond **out);

#endif
