/* expr.h: expressions of the service: parse, bind, run.
 *
 * Text becomes a tree (parse), names and values are put in and everything that can be said
 * without an item is checked (bind), and the bound tree is run on items. Trees live in the
 * request's arena. Source: developer guide, "Expressions"; docs/behaviour/expressions.md. */
#ifndef EXPR_EXPR_H
#define EXPR_EXPR_H

#include "model/attr.h"
#include "model/error.h"
#include "model/path.h"
#include "model/schema.h"

/* --- placeholders ------------------------------------------------------------------------- */

struct expr_name {
    struct span key;  /* "#n" */
    struct span name; /* what it stands for */
    bool used;
};

struct expr_value {
    struct span key; /* ":v" */
    struct attr value;
    bool used;
};

/* ExpressionAttributeNames and …Values of a request. `used` is set while binding. */
struct expr_vars {
    struct expr_name *names;
    size_t name_count;
    struct expr_value *values;
    size_t value_count;
};

/* Shape and length of the maps' keys and the names (not the values' own validity). */
MUST_CHECK const struct error *expr_check_names(struct arena *a, const struct expr_vars *vars);
MUST_CHECK const struct error *expr_check_value_keys(struct arena *a, const struct expr_vars *vars);
/* "Value provided in ExpressionAttributeNames unused in expressions: …"; names, then values. */
MUST_CHECK const struct error *expr_check_unused(struct arena *a, const struct expr_vars *vars);

/* --- conditions: ConditionExpression, FilterExpression, KeyConditionExpression -------------- */

struct expr_cond;

/* `parameter` is the parameter's name, for messages: "ConditionExpression", "FilterExpression".
 * Parses and binds: after success the condition can run. */
MUST_CHECK const struct error *expr_read_condition(struct arena *a, const char *parameter,
                                                   struct span text, struct expr_vars *vars,
                                                   struct expr_cond **out);

/* cond may be NULL (always true); it may be NULL (no item: as if it had no attributes). */
bool expr_matches(const struct expr_cond *cond, const struct item *it);

/* Top-level attribute names that the condition reads, in written order, each once. */
void expr_condition_names(struct arena *a, const struct expr_cond *cond, struct span **names,
                          size_t *count);

/* A path that goes below a key attribute: "Key attributes must be scalars; …". `ix` may be NULL;
 * table keys are reported as `Key:`, keys of all the table's indexes as `IndexKey:`. */
MUST_CHECK const struct error *expr_check_key_paths(struct arena *a, const struct table *t,
                                                    const struct path *const *paths, size_t count);
/* All paths of a condition, in written order. */
void expr_condition_paths(struct arena *a, const struct expr_cond *cond,
                          const struct path *const **paths, size_t *count);

/* --- building conditions without text: legacy parameters, PartiQL --------------------------- */

enum expr_op {
    EXPR_EQ,
    EXPR_NE,
    EXPR_LT,
    EXPR_LE,
    EXPR_GT,
    EXPR_GE,
    EXPR_BETWEEN,
    EXPR_IN,
    EXPR_BEGINS_WITH,
    EXPR_CONTAINS,
    EXPR_NOT_CONTAINS,
    EXPR_EXISTS,
    EXPR_NOT_EXISTS
};

/* One comparison of a path with values. */
struct expr_cond *expr_compare_path(struct arena *a, const struct path *path, enum expr_op op,
                                    const struct attr *values, size_t count);
/* Joins: all must hold, or any. count 0 gives NULL (always true). */
struct expr_cond *expr_join(struct arena *a, bool any, struct expr_cond *const *conds,
                            size_t count);

/* --- key conditions ------------------------------------------------------------------------ */

/* One clause of a key condition: attribute, operator, one or two values. */
struct expr_key_clause {
    struct span attribute;
    enum expr_op op;  /* EQ LT LE GT GE BETWEEN BEGINS_WITH; others from legacy KeyConditions */
    struct attr low;  /* the value, or the lower bound of BETWEEN */
    struct attr high; /* upper bound of BETWEEN */
};

struct expr_key {
    struct expr_key_clause *at;
    size_t len;
};

/* Parses, binds and reduces a KeyConditionExpression to its clauses (grammar, allowed operators,
 * one clause per attribute); what needs the schema is the caller's. Expression order matters to
 * messages, so reading is in two steps: bind (names, values, types) and reduce (structure), which
 * the service does after its unused-placeholder checks. */
struct expr_key_tree;
MUST_CHECK const struct error *expr_read_key_condition(struct arena *a, struct span text,
                                                       struct expr_vars *vars,
                                                       struct expr_key_tree **out);
MUST_CHECK const struct error *
expr_reduce_key_condition(struct arena *a, const struct expr_key_tree *tree, struct expr_key *out);

/* --- projections --------------------------------------------------------------------------- */

struct expr_projection {
    struct path *paths;
    size_t len;
};

MUST_CHECK const struct error *expr_read_projection(struct arena *a, struct span text,
                                                    struct expr_vars *vars,
                                                    struct expr_projection *out);

/* The chosen parts of the item, in the arena. */
struct item expr_project(struct arena *a, const struct expr_projection *p, const struct item *it);

/* --- updates ------------------------------------------------------------------------------- */

struct expr_update;

MUST_CHECK const struct error *expr_read_update(struct arena *a, struct span text,
                                                struct expr_vars *vars, struct expr_update **out);

/* Paths that the update assigns to, removes, adds to or deletes from, in written order. */
void expr_update_targets(struct arena *a, const struct expr_update *u, const struct path **paths,
                         size_t *count);
/* All paths, targets and operands, for expr_check_key_paths. */
void expr_update_paths(struct arena *a, const struct expr_update *u,
                       const struct path *const **paths, size_t *count);

/* Bytes the service charges for the statement itself (docs/behaviour/expressions.md). */
size_t expr_update_charge(const struct expr_update *u);

/* Whether the target at index i gets its value by evaluation (path, function, arithmetic) rather
 * than from a plain value placeholder. */
bool expr_update_is_computed(const struct expr_update *u, size_t target);

/* Applies the update to a copy of `old` (the item as it was; for a new item its key attributes);
 * *out is the finished item. Errors leave nothing changed. */
MUST_CHECK const struct error *expr_apply(struct arena *a, const struct expr_update *u,
                                          const struct item *old, struct item *out);

/* What UPDATED_OLD and UPDATED_NEW show: the parts of `it` at the update's targets. it may be
 * NULL. An empty result has len 0. */
struct item expr_updated_part(struct arena *a, const struct expr_update *u, const struct item *it);

/* --- building updates without text: AttributeUpdates, PartiQL -------------------------------- */

enum expr_action { EXPR_SET, EXPR_REMOVE, EXPR_ADD, EXPR_DELETE };

/* `clash` is the message when the stored value has a type that an action cannot work with; NULL
 * gives that of expressions. */
struct expr_update *expr_update_new(struct arena *a, const char *clash);
/* Adds a clause that puts, adds or deletes a plain value (value NULL for EXPR_REMOVE). Adding a
 * list, which no expression can, appends its elements. */
void expr_update_add(struct arena *a, struct expr_update *u, enum expr_action action,
                     const struct path *path, const struct attr *value);

/* Whether a word is on the service's list of reserved words, in any case. */
bool expr_is_reserved(struct span word);

#endif
