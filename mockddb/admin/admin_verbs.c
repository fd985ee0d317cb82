/* Every verb; the first row that fits. */
#include "admin/admin_verb.h"

extern const struct admin_verb verb_clock_get;
extern const struct admin_verb verb_clock_set;

const struct admin_verb *const admin_verbs[] = {
    &verb_clock_get,
    &verb_clock_set,
    NULL,
};
