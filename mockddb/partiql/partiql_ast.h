/* partiql_ast.h: a PartiQL statement as it was written: grammar without meaning.
 *
 * The language's own parser accepts much that the service then refuses (functions in a select list,
 * subqueries, sums in a WHERE clause); the tree can represent it, so that the error can name it.
 * partiql.c turns the tree into conditions, updates and items. */
#pragma once

#include "expr/expr_op.h"
#include "model/error.h"
#include "partiql/partiql_kind.h"
#include "partiql/partiql_lex.h"

enum partiql_node_kind {
    PQ_NODE_PATH,    /* steps */
    PQ_NODE_LITERAL, /* of the token's kind */
    PQ_NODE_PARAMETER,
    PQ_NODE_LIST,
    PQ_NODE_BAG,
    PQ_NODE_STRUCT, /* name, value, name, value, … */
    PQ_NODE_CALL,   /* of the function in the token */
    PQ_NODE_SIGN,   /* + or - before something other than a number */
    PQ_NODE_NOT,
    PQ_NODE_AND, /* two or more */
    PQ_NODE_OR,  /* two or more */
    PQ_NODE_BINARY,
    PQ_NODE_BETWEEN, /* value, lower bound, upper bound */
    PQ_NODE_IN,      /* value, list */
    PQ_NODE_IS,      /* of the type in `type` */
    PQ_NODE_SELECT
};

/* A step of a path; the first name is a step too. */
struct partiql_step {
    const struct partiql_token *token; /* name, index or `*` */
    enum { PQ_STEP_NAME, PQ_STEP_INDEX, PQ_STEP_ALL, PQ_STEP_OTHER } kind;
    bool negative; /* an index with `-` before it */
};

struct partiql_node {
    enum partiql_node_kind kind;
    const struct partiql_token *token; /* for messages: the first, or the operator */
    struct partiql_step *steps;        /* PATH */
    struct partiql_node **child;
    size_t count;                     /* steps of a PATH, else children */
    size_t height;                    /* 1 + the highest child's */
    bool negated;                     /* IN, BETWEEN, IS: with NOT; LITERAL: a number with `-` */
    size_t parameter;                 /* PARAMETER: its number, from 0 */
    const struct partiql_token *type; /* IS */
    const struct partiql_syntax *subquery; /* SELECT */
};

struct partiql_assignment {
    enum expr_action action;           /* EXPR_SET, EXPR_REMOVE */
    const struct partiql_node *target; /* a PATH */
    const struct partiql_node *value;  /* NULL for EXPR_REMOVE */
};

struct partiql_sort {
    const struct partiql_node *by;
    bool descending;
};

struct partiql_syntax {
    enum partiql_kind kind;
    const struct partiql_node *expression; /* an expression as statement: only this is set */
    bool aliased;                          /* a column or the table has an alias */
    struct partiql_node **columns;         /* no columns: `*` */
    size_t column_count;
    struct partiql_node *source; /* a PATH of names */
    struct partiql_node *where;  /* NULL: none */
    struct partiql_sort *order;
    size_t order_count;
    const char *unsupported; /* a clause that the service refuses, or NULL … */
    const struct partiql_token *unsupported_at;
    struct partiql_node *item; /* INSERT */
    struct partiql_assignment *assignments;
    size_t assignment_count;
    enum partiql_returning returning;
};

/* The text of a statement → tree, which borrows from the text; *parameters is the number of `?` in
 * it. Errors begin with "Statement wasn't well formed, can't be processed: ". The nesting of
 * brackets and of operators is bounded. Source: docs/behaviour/partiql.md, "Grammar". */
MUST_CHECK const struct error *partiql_parse(struct arena *a, struct span text,
                                             const struct partiql_syntax **out, size_t *parameters);
