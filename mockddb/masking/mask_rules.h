/* mask_rules.h: rules that say what becomes of the values of items that leave the place where they
 * belong. Form and meaning: docs/capture.md, "Rules". */
#ifndef MASKING_MASK_RULES_H
#define MASKING_MASK_RULES_H

#include "masking/mask_value.h"

struct mask_rules;

/* Reads a file of rules. Everything lives in the arena. Returns NULL, or what is wrong. */
MUST_CHECK const char *mask_rules_read(struct arena *a, const char *path, struct mask_rules **out);

/* The same for text that is already there; `path` is for messages. */
MUST_CHECK const char *mask_rules_parse(struct arena *a, const char *path, struct span text,
                                        struct mask_rules **out);

/* Whether items of the table could lose their keys, or become one: then what is wrong, else NULL.
 * `keys` are the attributes of its key. */
const char *mask_rules_check_keys(struct arena *a, const struct mask_rules *rules,
                                  struct span table, const struct span *keys, size_t count);

/* The item as the rules have it; those of the table, whose name has no prefix, and those of all
 * tables, one after the other. It borrows from both arena and item. */
struct item mask_rules_apply(struct mask_rules *rules, struct arena *a, struct span table,
                             const struct item *it);

/* One sentence about the rules that were about no value so far, as those are whose names are
 * misspelt; NULL: there are none. */
const char *mask_rules_unmet(struct arena *a, const struct mask_rules *rules);

#endif
