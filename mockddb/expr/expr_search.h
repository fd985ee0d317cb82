/* expr_search.h: SearchConditionExpression: tests of attributes, and how they are joined.
 *
 * Read in two steps, like key conditions: first the checks that do not depend on operators, then
 * the operators. Whether the index allows the attributes is the caller's check. Source:
 * docs/behaviour/vectors.md. */
#pragma once

#include "expr/expr_cond.h"
#include "expr/expr_vars.h"
#include "model/path.h"

struct node;

enum expr_search_form {
    EXPR_SEARCH_EQUALITY, /* attribute = :value, joined by AND */
    EXPR_SEARCH_EXTENDED, /* also other comparisons, BETWEEN, IN, three functions, OR and NOT */
};

/* A test of an attribute: an operator other than CONTAINS and NOT_CONTAINS. */
struct expr_search_test {
    struct span text; /* the operator or function, as written */
    const struct path *path;
    enum expr_op op;
    const struct attr **values; /* the number that the operator takes */
    size_t value_count;
};

enum expr_search_join {
    EXPR_SEARCH_ALL, /* all of those in `at`; true for no tests */
    EXPR_SEARCH_ANY,
    EXPR_SEARCH_NOT, /* NOT of one */
    EXPR_SEARCH_TEST
};

struct expr_search_node {
    enum expr_search_join join;
    size_t test; /* TEST: its index */
    struct expr_search_node *at;
    size_t len;
};

struct expr_search {
    enum expr_search_form form;
    struct expr_search_test *tests; /* in written order */
    size_t test_count;
    struct expr_search_node root;
};

MUST_CHECK const struct error *expr_read_search(struct arena *a, struct span text,
                                                struct expr_vars *vars, struct node **out);
MUST_CHECK const struct error *expr_reduce_search(struct arena *a, const struct node *tree,
                                                  enum expr_search_form form,
                                                  struct expr_search *out);

/* For a test that cannot be there: "Invalid comparator used in …" for <>, <, <=, > and >=, else
 * "Invalid operator used in …". */
MUST_CHECK const struct error *expr_search_misused(struct arena *a,
                                                   const struct expr_search_test *test);
