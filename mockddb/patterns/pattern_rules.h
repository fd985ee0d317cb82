/* pattern_rules.h: which members an object of a pattern file may have. */
#ifndef PATTERNS_PATTERN_RULES_H
#define PATTERNS_PATTERN_RULES_H

#include "wire/json.h"

struct pattern_rule {
    const char *name;    /* NULL ends the table */
    enum json_kind kind; /* JSON_NULL: any */
    bool required;
};

/* Every member known and of its kind, every required one there. `object` may be NULL (absent).
 * Returns NULL, or what is wrong, beginning with `where`. */
MUST_CHECK const char *pattern_rules_check(struct arena *a, const wire_node *object,
                                           const struct pattern_rule *rules, const char *where);

#endif
