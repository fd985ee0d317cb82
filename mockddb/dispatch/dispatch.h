/* dispatch.h: one request in, one reply out; no socket needed.
 *
 * The HTTP server, the fixture loader, tests and fuzzers all call this. Order of checks:
 * JSON, target, authentication, empty body, JSON types, member constraints, access, the operation.
 */
#ifndef DISPATCH_DISPATCH_H
#define DISPATCH_DISPATCH_H

#include "dispatch/fault_point.h"
#include "dispatch/observer.h"
#include "dispatch/reply_pool.h"
#include "ops/disturbance.h"
#include "ops/op.h"

struct dispatcher;

/* The memory that requests are worked on in. One request is at hand at a time, so all dispatchers
 * of a program can share it: an idle one then holds next to nothing. */
struct dispatch_memory;
struct dispatch_memory *dispatch_memory_new(void);
void dispatch_memory_free(struct dispatch_memory *m); /* m may be NULL */

/* Between requests: gives back what is kept for the next one. */
void dispatch_memory_trim(struct dispatch_memory *m);

/* What one request may take. */
struct dispatch_budget {
    struct arena_budget work; /* all but the answer */
    size_t reply_bytes;
};

/* What a dispatcher works with; all of it is borrowed and must outlive it. */
struct dispatch_parts {
    struct store *store;
    struct clock *clock;
    const struct settings *settings;
    struct dispatch_memory *memory;
    const struct dispatch_budget *budget; /* NULL: the one of docs/reliability.md */
    const struct metrics *metrics;        /* what CloudWatch's operations read; NULL: nothing */
};

/* The target of an operation of DynamoDB or of its streams, by its name alone. */
struct span dispatch_target(struct arena *a, struct span operation);

struct request {
    struct span target; /* X-Amz-Target, e.g. "DynamoDB_20120810.GetItem" */
    struct span body;
    struct span host;       /* Host header or empty */
    struct span access_key; /* of the signature, or empty */
    struct span region;     /* whose tables it means; empty: the default one's */
    /* What is wrong with the request's signature form: ERROR_NONE for nothing. */
    enum error_kind auth_error;
    struct span auth_message;
    bool aside; /* somebody looks at what a program does: neither observed nor disturbed */
    const struct settings *settings; /* of this request alone; NULL: the dispatcher's */
    struct op_seen *seen; /* for operations that compare (op.compares); NULL: nothing is compared */
    bool in_slices;       /* what takes long may be left unfinished, and will be asked again */
};

struct reply {
    int status;
    struct span body; /* valid until the next dispatch in the same memory … */
    bool in_buffer;   /* … or longer, where dispatch_hold_reply is called in time */
    bool unfinished; /* this is no reply yet: a slice was done, the same request is to come again */
    /* What is to happen to the reply on its way, valid as the body is; NULL: nothing. */
    const struct disturbance *disturbance;
};

struct dispatcher *dispatch_new(const struct dispatch_parts *parts);
void dispatch_free(struct dispatcher *d); /* d may be NULL */

/* What it was made with. */
const struct dispatch_parts *dispatch_parts_of(const struct dispatcher *d);

/* What tables have left to give, from here on (ops/throttle/throttle.h); NULL: all that is asked.
 * It is borrowed until it is taken away. */
void dispatch_set_throttle(struct dispatcher *d, struct throttle *throttle);

/* From here on the observer is given every call, after those that came before it, until it is taken
 * off. It must outlive the dispatcher or be taken off. */
void dispatch_observe(struct dispatcher *d, struct observer *o);
void dispatch_unobserve(struct dispatcher *d, struct observer *o);

/* What is asked for faults around each call; borrowed. NULL, as at the beginning: nothing is. */
void dispatch_set_faults(struct dispatcher *d, struct fault_point *faults);

/* Runs one request. A write's reply may only leave after dispatch_flush said true. */
void dispatch(struct dispatcher *d, const struct request *request, struct reply *reply);

/* Keeps the body of the newest reply, which must be in_buffer, until it is released; so that a long
 * body need not be copied. */
struct reply_buffer *dispatch_hold_reply(struct dispatch_memory *m);

/* Makes everything that was acknowledged since the last call last; false when it could not be:
 * replies that wait must then become InternalServerError (dispatch_internal_error). */
bool dispatch_flush(struct dispatcher *d);
bool dispatch_needs_flush(const struct dispatcher *d);
void dispatch_internal_error(struct dispatcher *d, struct reply *reply);

/* The reply to a request that comes to no dispatcher at all. */
void dispatch_refuse(struct dispatch_memory *m, enum error_kind kind, const char *message,
                     struct reply *reply);

/* Between requests: it works with this store from here on, and looks at all of it for what there is
 * to do. The one before is not used any more. */
void dispatch_set_store(struct dispatcher *d, struct store *store);

/* A step of the work between requests (jobs/), which takes 5 ms at most; none where the server is
 * read-only. Returns true when another one is due at once. */
bool dispatch_idle(struct dispatcher *d);
/* When the next step is due, as the dispatcher's clock counts; INT64_MAX: nothing waits. It can
 * come earlier with each request. */
int64_t dispatch_due_ms(const struct dispatcher *d);

#endif
