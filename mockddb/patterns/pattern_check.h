/* pattern_check.h: the checks of attributes that a file may ask for, and whether what it expects of
 * a step says only what is understood. docs/patterns.md. */
#ifndef PATTERNS_PATTERN_CHECK_H
#define PATTERNS_PATTERN_CHECK_H

#include "base/attributes.h"
#include "model/attr.h"
#include "wire/json.h"

/* A check of one attribute. */
struct pattern_check {
    const char *name;
    enum json_kind kind;                                              /* of what is wanted */
    bool (*holds)(const struct attr *value, const wire_node *wanted); /* value NULL: absent */
};

/* That of the name, or NULL. */
const struct pattern_check *pattern_check_find(struct span name);

/* Whether the node is an attribute value, {"S": …}, and not checks by their names. */
bool pattern_check_is_value(const wire_node *node);

/* Whether the objects that a step has as `expect` and `cost` say only what is understood; each may
 * be NULL. Returns NULL or the fault, beginning with `where`. */
MUST_CHECK const char *pattern_check_expect(struct arena *a, const wire_node *expect,
                                            const char *where);
MUST_CHECK const char *pattern_check_cost(struct arena *a, const wire_node *cost,
                                          const char *where);

#endif
