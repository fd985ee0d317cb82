/* partiql.h: PartiQL statements: a second grammar for the same conditions, updates and values.
 *
 * A statement's text and parameters become the inputs of operations on items: a condition, an
 * update, an item, paths to show. Checks that need the table's schema are the caller's. Source:
 * developer guide, "PartiQL"; docs/behaviour/partiql.md. */
#pragma once

#include "expr/expr.h"
#include "partiql/partiql_kind.h"

/* A term of ORDER BY. */
struct partiql_order {
    struct path by;
    bool descending;
};

struct partiql_syntax;

struct partiql_statement {
    const struct partiql_syntax *syntax; /* set by partiql_begin … */
    const struct attr *parameters;
    enum partiql_kind kind;
    struct span table;
    struct span index;              /* at NULL: the table itself */
                                    /* … the members below: by partiql_finish */
    struct expr_projection columns; /* len 0: `*` */
    struct span *column_names;      /* the name under which each column is shown */
    struct expr_cond *where;        /* NULL: none */
    struct partiql_order *order;
    size_t order_count;
    struct item item;           /* the item to insert */
    struct expr_update *update; /* of UPDATE */
    enum partiql_returning returning;
};

/* The first half of reading a statement: its grammar, its number of parameters, and its table and
 * index (at NULL if it names none, or more than that). If it names an index, literals are checked
 * too: the service looks the index up next. The statement borrows text and parameters; `parameters`
 * are the request's, in order. */
MUST_CHECK const struct error *partiql_begin(struct arena *a, struct span text,
                                             const struct attr *parameters, size_t parameter_count,
                                             struct partiql_statement *out);

/* The second half: all other checks of a statement that do not need its table. */
MUST_CHECK const struct error *partiql_finish(struct arena *a, struct partiql_statement *s);

/* Both halves. */
MUST_CHECK const struct error *partiql_read(struct arena *a, struct span text,
                                            const struct attr *parameters, size_t parameter_count,
                                            struct partiql_statement *out);
