/* ddb_patterns_rules.h: which members an object of a pattern file may have. */
#ifndef DDB_PATTERNS_RULES_H
#define DDB_PATTERNS_RULES_H

#include "client_json.h"

struct member_rule {
    const char *name;    /* NULL ends the table */
    enum json_kind kind; /* JSON_NULL: any */
    bool required;
};

/* Every member known and of its kind, every required one there. `object` may be NULL (absent).
 * Returns NULL, or what is wrong, beginning with `where`. */
MUST_CHECK const char *rules_check(struct arena *a, const wire_node *object,
                                   const struct member_rule *rules, const char *where);

#endif
