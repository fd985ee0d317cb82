/* mask_rules.h: rules for replacing the values of items that are copied elsewhere. Form and
 * meaning: docs/capture.md, "Rules". */
#pragma once

#include "base/problem.h"
#include "masking/mask_left.h"
#include "masking/mask_value.h"

struct mask_rules;

/* Reads a file of rules. Everything lives in the arena. */
MUST_CHECK const struct problem *mask_rules_read(struct arena *a, const char *path,
                                                 struct mask_rules **out);

/* Like mask_rules_read, for text in memory; `path` is for messages. */
MUST_CHECK const struct problem *mask_rules_parse(struct arena *a, const char *path,
                                                  struct span text, struct mask_rules **out);

/* Checks that items of the table keep their keys, and that distinct ones stay distinct: returns
 * what is wrong, or NULL. `keys` are the attributes of its key. */
const char *mask_rules_check_keys(struct arena *a, const struct mask_rules *rules,
                                  struct span table, const struct span *keys, size_t count);

/* From now on, values that the rules replace or drop are remembered there. */
void mask_rules_remember(struct mask_rules *rules, struct mask_left *left);

/* Applies the rules to an item: those for its table, whose name has no prefix, and those for all
 * tables, one after the other. The result borrows from the arena and from the item. */
struct item mask_rules_apply(struct mask_rules *rules, struct arena *a, struct span table,
                             const struct item *it);

/* A sentence about the rules that have not matched any value, because their names may be misspelt;
 * NULL if all have matched. */
const char *mask_rules_unmet(struct arena *a, const struct mask_rules *rules);
