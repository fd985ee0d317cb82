/* pattern_rules.h: the members that an object of a pattern file may have. */
#pragma once

#include "base/problem.h"
#include "wire/json.h"

#define PATTERN_REQUIRED 1U
#define PATTERN_FILLED   2U /* a text that is not empty */
#define PATTERN_STRINGS  4U /* its elements or members are strings */

struct pattern_rule {
    const char *name;    /* NULL ends the table */
    enum json_kind kind; /* JSON_NULL: any */
    unsigned flags;
};

/* Checks that every member is known, of its kind and not repeated, and that every required one
 * exists. `object` may be NULL (absent). */
MUST_CHECK const struct problem *pattern_rules_check(struct arena *a, const wire_node *object,
                                                     const struct pattern_rule *rules);
