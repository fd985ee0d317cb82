/* expr_parse.h: text → tree, for each of the grammars.
 *
 * Knows only syntax: names and values stay as written, and of functions only the names are read.
 * Errors: empty and over-long text, "Syntax error; token: …", redundant parentheses. Nesting is
 * bounded: text that nests deeper than any valid expression is an error. */
#pragma once

#include "expr/expr_ast.h"

/* Parses a condition, filter or key condition. */
MUST_CHECK const struct error *expr_parse_condition(struct arena *a, const char *parameter,
                                                    struct span text, struct node **out);

MUST_CHECK const struct error *expr_parse_projection(struct arena *a, const char *parameter,
                                                     struct span text, struct path **paths,
                                                     size_t *count);

MUST_CHECK const struct error *expr_parse_update(struct arena *a, const char *parameter,
                                                 struct span text, struct expr_update *out);
