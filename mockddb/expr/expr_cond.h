/* expr_cond.h: conditions: ConditionExpression, FilterExpression, and those without text. */
#pragma once

#include "expr/expr_op.h"
#include "expr/expr_vars.h"
#include "model/path.h"
#include "model/schema.h"

struct expr_cond;

/* `parameter` is the parameter's name for messages: "ConditionExpression", "FilterExpression".
 * Parses, checks and binds: after success the condition can be run. */
MUST_CHECK const struct error *expr_read_condition(struct arena *a, const char *parameter,
                                                   struct span text, struct expr_vars *vars,
                                                   struct expr_cond **out);

/* cond may be NULL (always true); it may be NULL (no item: treated as an item without attributes).
 * Allocates nothing; steps are charged to the arena in which the condition was read. */
bool expr_matches(const struct expr_cond *cond, const struct item *it);

/* The result of size() for a value; false if it has none. */
bool expr_measure(const struct attr *value, size_t *out);

/* Top-level attribute names that the condition reads, in written order, without duplicates:
 * expr_matches needs no other attributes of an item. cond may be NULL. */
void expr_condition_names(struct arena *a, const struct expr_cond *cond, struct span **names,
                          size_t *count);

/* All paths of a condition, in written order. cond may be NULL. */
void expr_condition_paths(struct arena *a, const struct expr_cond *cond,
                          const struct path *const **paths, size_t *count);

/* Refuses a path below a key attribute: "Key attributes must be scalars; …". Table keys are
 * reported as `Key:`, keys of any of the table's indexes as `IndexKey:`. */
MUST_CHECK const struct error *expr_check_key_paths(struct arena *a, const struct table *t,
                                                    const struct path *const *paths, size_t count);

/* --- building conditions without text: legacy parameters, PartiQL --------------------------- */

/* One comparison of a path with the number of values that the operator takes (BETWEEN 2, IN any
 * number, EXISTS and NOT_EXISTS none, else 1). Path and values are borrowed. */
struct expr_cond *expr_compare_path(struct arena *a, const struct path *path, enum expr_op op,
                                    const struct attr *values, size_t count);

/* Joins conditions: all must hold, or any. count 0 gives NULL (always true). */
struct expr_cond *expr_join(struct arena *a, bool any, struct expr_cond *const *conds,
                            size_t count);
