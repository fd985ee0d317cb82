/* expr_update.h: UpdateExpression, and updates built without text.
 *
 * An update is a list of clauses in written order, each with a target path. All clauses read the
 * item as it was before the update. */
#pragma once

#include "expr/expr_op.h"
#include "expr/expr_vars.h"
#include "model/path.h"

struct expr_update;

MUST_CHECK const struct error *expr_read_update(struct arena *a, struct span text,
                                                struct expr_vars *vars, struct expr_update **out);

/* Paths that the update assigns to, removes, adds to or deletes from, in written order. */
void expr_update_targets(struct arena *a, const struct expr_update *u, const struct path **paths,
                         size_t *count);

/* All paths, targets and operands, for expr_check_key_paths; in written order. */
void expr_update_paths(struct arena *a, const struct expr_update *u,
                       const struct path *const **paths, size_t *count);

/* The bytes that the service charges for the statement itself (docs/behaviour/expressions.md). */
size_t expr_update_charge(const struct expr_update *u);

/* Whether the target at index i gets its value by evaluation (path, function, arithmetic) rather
 * than from a plain value placeholder. */
bool expr_update_is_computed(const struct expr_update *u, size_t target);

/* Whether the update has only REMOVE and DELETE clauses: if the item does not exist, it creates
 * nothing, and no clause is an error. False for an update without clauses. */
bool expr_update_only_takes(const struct expr_update *u);

/* --- building updates without text: AttributeUpdates, PartiQL -------------------------------- */

/* `clash` is the message if the stored value has a type that an action cannot work with; NULL: the
 * message for expressions. */
struct expr_update *expr_update_new(struct arena *a, const char *clash);

/* Adds a clause that puts, adds or deletes a plain value (value NULL for EXPR_REMOVE). Adding a
 * list, which no expression can do, appends its elements. Path and value are borrowed; no two paths
 * may overlap. */
void expr_update_add(struct arena *a, struct expr_update *u, enum expr_action action,
                     const struct path *path, const struct attr *value);
