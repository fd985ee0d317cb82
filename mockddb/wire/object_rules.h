/* object_rules.h: the members that an object has in a file that people write. */
#pragma once

#include "base/problem.h"
#include "wire/json.h"

#define OBJECT_REQUIRED 1U
#define OBJECT_FILLED   2U /* a text that is not empty */
#define OBJECT_STRINGS  4U /* its elements or members are strings */

struct object_rule {
    const char *name;    /* NULL ends the table */
    enum json_kind kind; /* JSON_NULL: any */
    unsigned flags;
    size_t into; /* the member of the struct that gets the value, of OBJECT_INTO; 0: none */
};

/* A const char * for strings, else a const wire_node *. */
#define OBJECT_INTO(type, member) (offsetof(type, member) + 1)

/* Checks that every member is known, of its kind and not repeated, and that every required one
 * exists, and sets the members of *out; those for absent ones stay. `object` may be NULL (absent).
 */
MUST_CHECK const struct problem *object_rules_read(struct arena *a, const wire_node *object,
                                                   const struct object_rule *rules, void *out);
