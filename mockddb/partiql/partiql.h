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

struct partiql_syntax;

struct partiql_statement {
    const struct partiql_syntax *syntax; /* partiql_begin … */
    const struct attr *parameters;
    enum partiql_kind kind;
    struct span table;
    struct span index;              /* at NULL: the table itself */
                                    /* … the rest: partiql_finish */
    struct expr_projection columns; /* len 0: `*` */
    struct span *column_names;      /* what each of the columns is shown as */
    struct expr_cond *where;        /* NULL: none */
    struct partiql_order *order;
    size_t order_count;
    struct item item;           /* to insert */
    struct expr_update *update; /* of UPDATE */
    enum partiql_returning returning;
};

/* The first half of reading a statement: its grammar, how many parameters it has, and which table
 * and index it names (at NULL where it names none, or more). Where it names an index its literals
 * are checked as well: the service looks at the index next. The statement borrows text and
 * parameters; `parameters` are those of the request, in order. */
MUST_CHECK const struct error *partiql_begin(struct arena *a, struct span text,
                                             const struct attr *parameters, size_t parameter_count,
                                             struct partiql_statement *out);

/* The second half: everything else that can be said of a statement without its table. */
MUST_CHECK const struct error *partiql_finish(struct arena *a, struct partiql_statement *s);

/* Both halves. */
MUST_CHECK const struct error *partiql_read(struct arena *a, struct span text,
                                            const struct attr *parameters, size_t parameter_count,
                                            struct partiql_statement *out);

#endif
