/* partiql_parser.h: the parts that PartiQL's parser is built from: tokens, errors and expressions.
 *
 * Every function returns NULL or false once the parser's error is set. Operators are parsed by
 * precedence: the loosest is OR, then AND, NOT, equality, order, addition, multiplication. */
#pragma once

#include "model/error.h"
#include "partiql/partiql_ast.h"

#define PARTIQL_MAX_DEPTH 200 /* of nested expressions */

struct partiql_parser {
    struct arena *arena;
    const struct partiql_token *token; /* the next one */
    size_t depth;                      /* of nested expressions */
    size_t parameters;                 /* read so far */
    const struct error *error;         /* the first one; parsing stops there */
};

/* A growing list of pointers; `at` contains `struct partiql_node *`. */
struct partiql_nodes {
    struct partiql_node **at;
    size_t len;
};

/* Sets the error "Statement wasn't well formed, can't be processed: " with the detail. */
void *partiql_fail(struct partiql_parser *p, const char *detail);

static inline bool partiql_at(const struct partiql_parser *p, enum partiql_token_kind kind)
{
    return p->token->kind == kind;
}

static inline bool partiql_at_name(const struct partiql_parser *p)
{
    return partiql_at(p, PQ_NAME) || partiql_at(p, PQ_QUOTED);
}

bool partiql_accept(struct partiql_parser *p, enum partiql_token_kind kind);
/* Like partiql_accept, but a token of another kind is an error with the detail. */
bool partiql_expect(struct partiql_parser *p, enum partiql_token_kind kind, const char *detail);

void partiql_nodes_add(struct arena *a, struct partiql_nodes *list, struct partiql_node *n);

struct partiql_node *partiql_parse_expression(struct partiql_parser *p);

/* A table with its index, or a target of SET and REMOVE: names and indexes only. */
struct partiql_node *partiql_parse_simple_path(struct partiql_parser *p);

/* The cause of a path whose step is no name and no number, but * or an expression. */
struct error_why partiql_step_why(const struct partiql_node *path, size_t step);

/* Parses the statement after the word SELECT (partiql_parse.c). */
struct partiql_syntax *partiql_parse_select(struct partiql_parser *p);
