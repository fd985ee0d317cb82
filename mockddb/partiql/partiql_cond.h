/* partiql_cond.h: the condition of a PartiQL statement → a tree of expr/. */
#ifndef PARTIQL_PARTIQL_COND_H
#define PARTIQL_PARTIQL_COND_H

#include "expr/expr_cond.h"
#include "partiql/partiql_value.h"

/* Checks operators, functions and operand types; *out can be run. */
MUST_CHECK const struct error *partiql_read_condition(const struct partiql_values *v,
                                                      const struct partiql_node *where,
                                                      struct expr_cond **out);

#endif
