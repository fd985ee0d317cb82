/* partiql_parse.h: the text of a PartiQL statement → tree.
 *
 * Errors begin with "Statement wasn't well formed, can't be processed: ". The nesting of brackets
 * and of operators is bounded. Source: docs/behaviour/partiql.md, "Grammar". */
#ifndef PARTIQL_PARTIQL_PARSE_H
#define PARTIQL_PARTIQL_PARSE_H

#include "model/error.h"
#include "partiql/partiql_ast.h"

/* The tree borrows from the text; *parameters is the number of `?` in it. */
MUST_CHECK const struct error *partiql_parse(struct arena *a, struct span text,
                                             const struct partiql_syntax **out, size_t *parameters);

#endif
