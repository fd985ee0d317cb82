/* pattern_rules.h: the members that an object of a pattern file may have. */
#ifndef PATTERNS_PATTERN_RULES_H
#define PATTERNS_PATTERN_RULES_H

#include "wire/json.h"

struct pattern_rule {
    const char *name;    /* NULL ends the table */
    enum json_kind kind; /* JSON_NULL: any */
    bool required;
};

/* Checks that every member is known, of its kind and not repeated, and that every required one
 * exists. `object` may be NULL (absent). Returns NULL, or what is wrong, beginning with `where`. */
MUST_CHECK const char *pattern_rules_check(struct arena *a, const wire_node *object,
                                           const struct pattern_rule *rules, const char *where);

/* Checks that a text, if given, is not empty. */
MUST_CHECK const char *pattern_rules_filled(struct arena *a, const wire_node *object,
                                            const char *name, const char *where);

#endif
