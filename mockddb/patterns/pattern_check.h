/* pattern_check.h: the checks of attributes that a file may use, and validation of a step's
 * expectations. docs/patterns.md. */
#pragma once

#include "base/problem.h"
#include "model/attr.h"
#include "wire/json.h"

/* A check of one attribute. */
struct pattern_check {
    const char *name;
    enum json_kind kind;                                              /* of the expected value */
    bool (*holds)(const struct attr *value, const wire_node *wanted); /* value NULL: absent */
};

/* Returns the check called `name`, or NULL. */
const struct pattern_check *pattern_check_find(struct span name);

/* Whether the node is an attribute value, {"S": …}, rather than an object of named checks. */
bool pattern_check_is_value(const wire_node *node);

/* Whether a step's `expect` and `cost` are well-formed; each may be NULL. */
MUST_CHECK const struct problem *pattern_check_expect(struct arena *a, const wire_node *expect);
MUST_CHECK const struct problem *pattern_check_cost(struct arena *a, const wire_node *cost);
