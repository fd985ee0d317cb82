/* expr_ast.h: the tree that all grammars parse into, and the table of its operators. */
#pragma once

#include "base/buf.h"
#include "expr/expr_op.h"
#include "model/path.h"

enum node_kind {
    NODE_PATH,
    NODE_VALUE,
    NODE_AND, /* two or more operands */
    NODE_OR,  /* two or more operands */
    NODE_NOT,
    NODE_EQ, /* comparators in the order of their tokens */
    NODE_NE,
    NODE_LT,
    NODE_LE,
    NODE_GT,
    NODE_GE,
    NODE_BETWEEN, /* value, lower bound, upper bound */
    NODE_IN,      /* value, then one or more to compare it with */
    NODE_BEGINS_WITH,
    NODE_CONTAINS,
    NODE_ATTRIBUTE_EXISTS,
    NODE_ATTRIBUTE_NOT_EXISTS,
    NODE_ATTRIBUTE_TYPE,
    NODE_SIZE,
    NODE_IF_NOT_EXISTS,
    NODE_LIST_APPEND,
    NODE_PLUS,
    NODE_MINUS,
    NODE_UNKNOWN, /* a call of an unknown function */
    NODE_KIND_COUNT
};

struct node;

struct node_list {
    struct node **at;
    size_t len;
};

struct node {
    enum node_kind kind;
    struct span text; /* as written: a path, a placeholder, the word or sign of an operator, a
                       * function's name; at NULL: the tree has no text */
    union {
        /* PATH. Before binding, a step's name is as written ("#n"), and an index step has its
         * digits in `name`, since `index` may be too small for them. */
        struct path path;
        const struct attr *value; /* VALUE, after binding */
        struct {
            struct node_list operands;
            /* IN with many values, after binding: the strings, numbers and binaries among them,
             * sorted; NULL if there are few. */
            const struct attr **values;
            size_t value_count;
        };
    };
};

/* Properties of a kind of node. Types are sets of 1 << enum attr_type; without an item, only values
 * and size() have a known type. */
struct operator_rule {
    const char *name; /* for messages; NULL for PATH, VALUE and UNKNOWN */
    enum { OPERATOR, CONDITION_FUNCTION, UPDATE_FUNCTION } form;
    bool is_condition;        /* gives true or false rather than a value */
    bool path_first;          /* its first operand must be a path */
    bool distinct;            /* no other operand may be the same path as the first */
    size_t operand_count;     /* of a function */
    unsigned types;           /* accepted static types of the operands; 0: any */
    size_t charge;            /* bytes it adds to an update's size, besides its operands */
    bool compares;            /* compares an attribute with values: as `op`, … */
    enum expr_op op, flipped; /* … or as `flipped`, if a comparator's value comes first */
};
const struct operator_rule *expr_rule(enum node_kind kind);

/* The kind of function with that name, or NODE_UNKNOWN. */
enum node_kind expr_function_kind(struct span name);

struct expr_cond {
    struct node *root;
    size_t nodes;        /* the number of its nodes */
    struct arena *arena; /* whose budget is charged for evaluation */
};

/* Makes a condition of a bound tree. */
struct expr_cond *expr_cond_of(struct arena *a, struct node *root);

struct clause {
    enum expr_action action;
    struct path target;
    struct span text;     /* the target, as written; at NULL: the update has no text */
    struct node *operand; /* NULL for REMOVE */
};

struct expr_update {
    struct clause *at;
    size_t len;
    const char *clash;    /* message for a stored value of the wrong type */
    const char *repeated; /* the name of a section that was written twice, or NULL */
    struct span repeated_at;
};

/* Adds an empty clause; the pointer is valid until the next clause is added. */
struct clause *expr_update_clause(struct arena *a, struct expr_update *u);

/* A new node with its operands. */
struct node *expr_node(struct arena *a, enum node_kind kind, struct node *const *operands,
                       size_t count);
struct node *expr_node_of_path(struct arena *a, struct path path);
struct node *expr_node_of_value(struct arena *a, const struct attr *value);

/* Sorts the values of a bound IN if there are many. */
void expr_order_values(struct arena *a, struct node *in);

/* Appends a pointer to each operand of the ANDs, or ORs, at the top of a tree, in written order.
 * For a tree without one, appends the tree itself. */
void expr_node_joined(struct node *n, enum node_kind kind, struct buf *out);

/* Appends a pointer to each path of the tree to `out`, in written order. */
void expr_node_paths(const struct node *n, struct buf *out);

/* The first names of the paths, without duplicates, in the order of first use. */
void expr_path_names(struct arena *a, const struct path *const *paths, size_t path_count,
                     struct span **names, size_t *count);
