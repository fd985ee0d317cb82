/* fault_point.h: the hook through which fault rules answer a call instead of its operation.
 *
 * Both functions get a call whose request is valid: JSON, signature form, types, constraints and
 * access were checked. Either may be NULL, and may return an error, which becomes the reply. Errors
 * live in the call's arena, as does a call's disturbance, which the first function may set. */
#pragma once

#include "ops/op.h"

struct fault_point {
    struct past *past; /* records the changes of calls and jobs; NULL: none are recorded */
    /* Called before the operation runs; if it returns an error, the operation does not run. */
    const struct error *(*before)(struct fault_point *self, struct call *c);
    /* Called after the operation has succeeded, with its unit of work still open; if it returns an
     * error, the operation's changes are undone. */
    const struct error *(*after)(struct fault_point *self, struct call *c);
};
