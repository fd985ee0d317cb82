/* observer.h: observers get every finished call of a dispatcher: metrics, a journal, patterns.
 *
 * What a record points to lives until the observer returns; an observer copies what it keeps.
 * Observers do not call the dispatcher that they observe. */
#pragma once

#include "ops/capacity.h"
#include "ops/disturbance.h"

/* One finished call, successful or not. Expressions, keys, and names of tables and indexes as given
 * are in the body; their effects are in the accounts. */
struct call_record {
    const struct op *op;             /* NULL: the request names no operation that exists */
    const wire_node *body;           /* NULL: there was no body, or it is not JSON */
    const struct capacity *accounts; /* of the tables it used, in that order; NULL: none */
    const struct error *error;       /* NULL: it succeeded */
    int status;                      /* of the reply */
    struct span reply;               /* the reply's body */
    struct span region;              /* of the call; empty: the default one */
    struct span client;              /* the first word of its User-Agent; empty: unknown */
    int64_t began_ms;                /* since 1970 */
    int64_t began_us;                /* in the clock's ticks */
    int64_t took_us;
    int64_t steps;                         /* of its budget that it used: base/arena.h */
    struct span text;                      /* of the body, JSON or not */
    const struct disturbance *disturbance; /* NULL: none */
};

struct observer {
    void (*finished)(struct observer *self, const struct call_record *record);
    /* Gets the work done between requests, as far as it has accounts; may be NULL. */
    void (*worked)(struct observer *self, const struct capacity *accounts, int64_t now_ms);
    struct observer *next; /* the dispatcher's */
};
