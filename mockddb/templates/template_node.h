/* template_node.h: a parsed template: a tree of values, each with its place in the file.
 *
 * Trees of YAML and JSON look the same. !Ref and other short forms of YAML are read as the long
 * forms that JSON has: {"Ref": …}, {"Fn::Sub": …}. Nodes live in the arena and never change; an
 * alias of YAML is a second way to the same node. */
#pragma once

#include "base/problem.h"

enum template_kind {
    TEMPLATE_NULL,
    TEMPLATE_SCALAR,
    TEMPLATE_LIST,
    TEMPLATE_MAP,
    TEMPLATE_UNKNOWN, /* in a plan: a value that is known once the plan is applied */
};

struct template_node {
    enum template_kind kind;
    bool quoted;      /* SCALAR: a string, also if it reads like a number or a boolean */
    struct span text; /* SCALAR */
    struct text_place place;
    struct template_member *members; /* MAP, or a LIST's elements */
    size_t count;
};

struct template_member {
    struct span name; /* empty in a list */
    struct text_place place;
    const struct template_node *value;
};

/* The member of a map, or NULL, also if `map` is NULL or not a map. */
const struct template_member *template_node_member(const struct template_node *map,
                                                   struct span name);
const struct template_node *template_node_get(const struct template_node *map, const char *name);

/* A scalar's text; {NULL, 0} for other kinds, and for NULL. */
struct span template_node_text(const struct template_node *n);

/* "a string", "a list", … for messages. */
const char *template_node_kind(const struct template_node *n);

/* New nodes, at the place of another. */
struct template_node *template_node_new(struct arena *a, enum template_kind kind,
                                        const struct template_node *at);
struct template_node *template_node_new_text(struct arena *a, struct span text,
                                             const struct template_node *at);
/* Adds a member or, without a name, an element. A NULL value is not added. */
void template_node_add(struct arena *a, struct template_node *to, const char *name,
                       const struct template_node *value);

/* Reports the first of the map's names that occurs twice. */
MUST_CHECK const struct problem *template_node_check_names(struct arena *a,
                                                           const struct template_node *map);

/* A problem at the node's place; the file is added by problem_in. */
MUST_CHECK const struct problem *template_node_problem(struct arena *a,
                                                       const struct template_node *at,
                                                       const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Like template_node_problem, for a value that is known only after a deployment: PROBLEM_MISSING.
 */
MUST_CHECK const struct problem *template_node_unknown(struct arena *a,
                                                       const struct template_node *at,
                                                       const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Like template_node_problem, at a member's name. */
MUST_CHECK const struct problem *template_node_misnamed(struct arena *a,
                                                        const struct template_member *at,
                                                        const char *fmt, ...) PRINTF_LIKE(3, 4);
