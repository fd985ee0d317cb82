/* partiql_update.h: SET and REMOVE of a PartiQL statement → an update of expr/. */
#ifndef PARTIQL_PARTIQL_UPDATE_H
#define PARTIQL_PARTIQL_UPDATE_H

#include "expr/expr_update.h"
#include "partiql/partiql_value.h"

MUST_CHECK const struct error *partiql_read_update(const struct partiql_values *v,
                                                   const struct partiql_syntax *s,
                                                   struct expr_update **out);

#endif
