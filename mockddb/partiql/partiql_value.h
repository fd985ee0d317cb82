/* partiql_value.h: literals, parameters and paths of a PartiQL statement → model; its condition and
 * its changes → trees of expr/.
 *
 * Errors in literals come from the language: they give the position in the literal, starting at
 * `root` ("root.a[0]"), and in the text ("1:23:4": line, column, length). Source:
 * docs/behaviour/partiql.md, "Grammar". */
#pragma once

#include "base/buf.h"
#include "expr/expr_ast.h"
#include "expr/expr_cond.h"
#include "expr/expr_update.h"
#include "model/error.h"
#include "model/path.h"
#include "partiql/partiql_ast.h"

struct partiql_values {
    struct arena *arena;
    const struct attr *parameters; /* one for each `?` */
};

/* A literal or parameter. */
MUST_CHECK const struct error *partiql_read_value(const struct partiql_values *v,
                                                  const struct partiql_node *n, struct attr *out);

/* The struct of an INSERT, whose fields may be parameters. */
MUST_CHECK const struct error *partiql_read_item(const struct partiql_values *v,
                                                 const struct partiql_node *n, struct item *out);

/* The error in the first invalid literal within the expression; looks only at places for values. */
MUST_CHECK const struct error *partiql_check_literals(const struct partiql_values *v,
                                                      const struct partiql_node *n);

/* A path of names and indexes. */
MUST_CHECK const struct error *partiql_read_path(const struct partiql_values *v,
                                                 const struct partiql_node *n, struct path *out);

/* Like partiql_read_value and partiql_read_path, for operands of conditions and updates. */
MUST_CHECK const struct error *partiql_value_node(const struct partiql_values *v,
                                                  const struct partiql_node *n, struct node **out);
MUST_CHECK const struct error *partiql_path_node(const struct partiql_values *v,
                                                 const struct partiql_node *n, struct node **out);

/* "Unsupported data type: set_add under key root at 1:24:7": the node is not a value. */
MUST_CHECK const struct error *partiql_no_value(const struct partiql_values *v,
                                                const struct partiql_node *n);

/* "Unsupported operation: IsType", of an IS with a type that does not exist. */
MUST_CHECK const struct error *partiql_no_type(const struct partiql_values *v,
                                               const struct partiql_node *n);

/* "Unrecognized function: upper at 1:24:5" */
MUST_CHECK const struct error *partiql_unknown_function(const struct partiql_values *v,
                                                        const struct partiql_node *call);

/* The service's name for the node: an operator, a function's name, "Parameter", … */
struct span partiql_node_name(struct arena *a, const struct partiql_node *n);

/* The text with its position in the statement: "… at 1:24:7". */
MUST_CHECK const struct error *partiql_fault_at(const struct partiql_values *v, const char *text,
                                                const struct partiql_token *token);

/* The error for "" as the name of a table, an index or an attribute. */
MUST_CHECK const struct error *partiql_empty_name(const struct partiql_values *v);

/* Reads all children of a node with `read` and makes a tree node with them. */
MUST_CHECK const struct error *
partiql_read_children(const struct partiql_values *v, const struct partiql_node *n,
                      enum node_kind kind,
                      const struct error *(*read)(const struct partiql_values *,
                                                  const struct partiql_node *, struct node **),
                      struct node **out);

/* The condition of WHERE. Checks operators, functions and operand types; *out can be run. */
MUST_CHECK const struct error *partiql_read_condition(const struct partiql_values *v,
                                                      const struct partiql_node *where,
                                                      struct expr_cond **out);

/* SET and REMOVE. */
MUST_CHECK const struct error *partiql_read_update(const struct partiql_values *v,
                                                   const struct partiql_syntax *s,
                                                   struct expr_update **out);
