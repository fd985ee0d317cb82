/* fault_point.h: the place in dispatch from which a call can be answered in its operation's stead.
 *
 * Both functions get a call whose request is sound: JSON, signature form, types, constraints and
 * access were checked. Either may be NULL, and may answer with an error, which becomes the reply.
 * Errors live in the call's arena, as does a call's disturbance, which the first one may set. */
#ifndef DISPATCH_FAULT_POINT_H
#define DISPATCH_FAULT_POINT_H

#include "ops/op.h"

struct fault_point {
    struct past *past; /* what changes are to be noted in, of calls and of jobs; NULL: none are */
    /* Before the operation runs: where there is an error, it does not run. */
    const struct error *(*before)(struct fault_point *self, struct call *c);
    /* After the operation has succeeded, its unit of work still open: where there is an error, what
     * was done is undone. */
    const struct error *(*after)(struct fault_point *self, struct call *c);
};

#endif
