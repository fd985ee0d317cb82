/* dispatch.h: one request in, one reply out; no socket needed.
 *
 * The HTTP server, the fixture loader, tests and fuzzers all call this. Order of checks: JSON,
 * target, authentication, empty body, JSON types, member constraints, access, the operation. */
#pragma once

#include "dispatch/fault_point.h"
#include "dispatch/observer.h"
#include "dispatch/reply_pool.h"

struct dispatcher;

/* The memory in which requests are processed. A program processes one request at a time, so all its
 * dispatchers can share it: an idle dispatcher then takes almost no memory. */
struct dispatch_memory;
struct dispatch_memory *dispatch_memory_new(void);
void dispatch_memory_free(struct dispatch_memory *m); /* m may be NULL */

/* Between requests: gives back the memory kept for the next one. */
void dispatch_memory_trim(struct dispatch_memory *m);

/* The limits of one request. */
struct dispatch_budget {
    struct arena_budget work; /* everything except the reply */
    size_t reply_bytes;
};

/* The parts that a dispatcher uses; all are borrowed and must outlive it. */
struct dispatch_parts {
    struct store *store;
    struct clock *clock;
    const struct settings *settings;
    struct dispatch_memory *memory;
    const struct dispatch_budget *budget; /* NULL: the default, see docs/reliability.md */
    struct metrics *metrics;              /* read by CloudWatch's operations; NULL: no metrics */
};

/* The X-Amz-Target of an operation, given its action (op_of_action). */
struct span dispatch_target(struct arena *a, struct span action);
/* The operation of such a target, or NULL. */
const struct op *dispatch_operation(struct span target);

struct request {
    struct span target; /* X-Amz-Target, e.g. "DynamoDB_20120810.GetItem" */
    struct span body;
    struct span host;       /* Host header or empty */
    struct span access_key; /* of the signature, or empty */
    struct span client;     /* the first word of its User-Agent, or empty */
    struct span region;     /* the region of its tables; empty: the default one */
    /* The error in the form of the request's signature, or ERROR_NONE. */
    enum error_kind auth_error;
    struct span auth_message;
    bool aside;                /* a request of an inspection tool: neither observed nor disturbed */
    struct observer *observer; /* of this request alone, also if it is aside: gets the finished call
                                  after the dispatcher's observers; NULL: none */
    const struct settings *settings; /* for this request only; NULL: the dispatcher's */
    struct op_seen *seen; /* for operations that compare (op.compares); NULL: no comparison */
    bool in_slices;       /* long work may be left unfinished: the caller repeats the request */
};

struct reply {
    int status;
    struct span body; /* valid until the next dispatch in the same memory … */
    bool in_buffer;   /* … or longer, if dispatch_hold_reply is called before that */
    bool unfinished;  /* not a reply yet: one slice was done; send the same request again */
    /* How a fault disturbs sending the reply, valid as long as the body; NULL: not at all. */
    const struct disturbance *disturbance;
};

struct dispatcher *dispatch_new(const struct dispatch_parts *parts);
void dispatch_free(struct dispatcher *d); /* d may be NULL */

/* The parts given to dispatch_new. */
const struct dispatch_parts *dispatch_parts_of(const struct dispatcher *d);

/* Limits requests to the throughput of tables (ops/throttle/throttle.h); NULL: no limits. It is
 * borrowed until it is replaced. */
void dispatch_set_throttle(struct dispatcher *d, struct throttle *throttle);

/* The observer gets every following call, after the observers that were added before it. It must
 * outlive the dispatcher. */
void dispatch_observe(struct dispatcher *d, struct observer *o);

/* Sets the fault rules that are asked around each call; borrowed. NULL, the default: no faults. */
void dispatch_set_faults(struct dispatcher *d, struct fault_point *faults);

/* Runs one request. The reply to a write may be sent only after dispatch_flush returned true. */
void dispatch(struct dispatcher *d, const struct request *request, struct reply *reply);

/* Keeps the body of the newest reply, which must be in_buffer, until it is released, so that a long
 * body need not be copied. */
struct reply_buffer *dispatch_hold_reply(struct dispatch_memory *m);

/* Makes all work acknowledged since the last call durable; on false, replies that wait must become
 * InternalServerError (dispatch_internal_error). */
bool dispatch_flush(struct dispatcher *d);
bool dispatch_needs_flush(const struct dispatcher *d);
void dispatch_internal_error(struct dispatcher *d, struct reply *reply);

/* The reply to a request that no dispatcher gets. */
void dispatch_refuse(struct dispatch_memory *m, enum error_kind kind, const char *message,
                     struct reply *reply);

/* Between requests: replaces the store, and restarts all jobs. The old store is not used any
 * more. */
void dispatch_set_store(struct dispatcher *d, struct store *store);

/* Does one step of the work between requests (jobs/), which takes at most 5 ms; does nothing if the
 * server is read-only. Returns true if another step is due at once. */
bool dispatch_idle(struct dispatcher *d);
/* When the next step is due by the dispatcher's clock; INT64_MAX: no step is. Each request may move
 * it forward. */
int64_t dispatch_due_ms(const struct dispatcher *d);
