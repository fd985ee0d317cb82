/* jmespath.h: JMESPath expressions, as the AWS CLI takes them with --query.
 *
 * The language is the one of the Python library that the CLI is built with: the specification of
 * jmespath.org, plus ordering comparisons of strings and literals without JSON quotes. Messages are
 * that library's. The library notices an unknown function or a wrong number of arguments only when
 * it evaluates the call; here they are known before. */
#pragma once

#include "base/buf.h"
#include "wire/json.h"

struct jmespath;

/* Parses an expression, which must outlive the result. Returns NULL, or what is wrong with its
 * form, which may take several lines. *function is NULL, or what is wrong with a function: that it
 * does not exist, or has another number of arguments; the expression is not evaluated then. */
MUST_CHECK const char *jmespath_parse(struct arena *a, struct span text,
                                      const struct jmespath **out, const char **function);

/* Appends the result of the expression for a JSON value, as JSON. Returns NULL, or why the
 * expression does not fit the value; nothing is appended then. */
MUST_CHECK const char *jmespath_search(struct buf *out, const struct jmespath *expression,
                                       const wire_node *value);
