/* partiql.h: PartiQL statements: the second grammar over the same conditions, updates and values.
 *
 * A statement's text and parameters become what the operations on items work with: a condition
 * that runs on items, an update, an item, paths to show. What needs the table's schema is the
 * caller's. Source: developer guide, "PartiQL"; docs/behaviour/partiql.md. */
#ifndef PARTIQL_PARTIQL_H
#define PARTIQL_PARTIQL_H

#include "expr/expr.h"
#include "partiql/partiql_kind.h"

/* A term of ORDER BY. */
struct partiql_order {
    struct path by;
    bool descending;
};

struct partiql_statement {
    enum partiql_kind kind;
    struct span table;
    struct span index;              /* at NULL: the table itself */
    struct expr_projection columns; /* len 0: `*` */
    struct span *column_names;      /* what each of the columns is shown as */
    struct expr_cond *where;        /* NULL: none */
    struct partiql_order *order;
    size_t order_count;
    struct item item;           /* to insert */
    struct expr_update *update; /* of UPDATE */
    enum partiql_returning returning;
};

/* Everything that can be said of a statement without its table. The statement borrows text and
 * parameters; `parameters` are those of the request, in order. */
MUST_CHECK const struct error *partiql_read(struct arena *a, struct span text,
                                            const struct attr *parameters, size_t parameter_count,
                                            struct partiql_statement *out);

#endif
