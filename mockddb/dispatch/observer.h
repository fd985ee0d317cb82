/* observer.h: who is given every call that a dispatcher has finished: metrics, a journal, patterns.
 *
 * What a record points to lives until the observer returns; what it keeps, it copies. Observers do
 * not call the dispatcher that they observe. */
#ifndef DISPATCH_OBSERVER_H
#define DISPATCH_OBSERVER_H

#include "ops/capacity.h"
#include "ops/disturbance.h"

/* One finished call, whether it succeeded or not. Expressions, keys and the names of tables and
 * indexes as given are in the body; what was made of them is in the accounts. */
struct call_record {
    const struct op *op;             /* NULL: the request names none that there is */
    const wire_node *body;           /* NULL: none was sent, or it is no JSON */
    const struct capacity *accounts; /* of the tables it came to, in that order; NULL: none */
    const struct error *error;       /* NULL: it succeeded */
    int status;                      /* of the reply */
    struct span reply;               /* the reply's body */
    struct span region;              /* the call's; empty: the default one */
    int64_t began_ms;                /* since 1970 */
    int64_t began_us;                /* as the clock's ticks count */
    int64_t took_us;
    int64_t steps;                         /* of its budget that it took: base/arena.h */
    struct span text;                      /* of the body, JSON or not */
    const struct disturbance *disturbance; /* NULL: none */
};

struct observer {
    void (*finished)(struct observer *self, const struct call_record *record);
    /* Is given what was done between requests, as far as there are accounts of it; may be NULL. */
    void (*worked)(struct observer *self, const struct capacity *accounts, int64_t now_ms);
    struct observer *next; /* the dispatcher's */
};

#endif
