/* client.h: calls operations and verbs, by one of two transports: HTTP (client_aws.h), or a
 * dispatcher in this process (dispatch/dispatch_client.h). */
#pragma once

#include "base/buf.h"
#include "client/client_answer.h"

struct client;

/* The answer to a verb of mockddb (docs/admin-api.md). */
struct client_verb_answer {
    int status; /* HTTP's */
    struct span body;
};

struct client_transport {
    size_t width;  /* how many calls should be sent together */
    bool may_pass; /* a refused call may succeed after a pause */
    const char *(*call)(struct client *c, struct arena *a, const char *operation,
                        struct span request, struct client_answer *out);
    const char *(*call_all)(struct client *c, struct arena *a, const char *operation,
                            const struct span *requests, size_t count, struct client_answer *out);
    const char *(*ask)(struct client *c, struct arena *a, const char *verb, struct span body,
                       struct client_verb_answer *out);
    int64_t (*now_ms)(struct client *c, struct arena *a);
    const char *(*flush)(struct client *c);
    void (*free)(struct client *c);
};

/* The first member of a transport's own struct. */
struct client {
    const struct client_transport *transport;
    const char *name;  /* in messages: a URL or path */
    bool is_here;      /* requests stay on this machine */
    bool has_answered; /* set by client_repeat */
};

void client_free(struct client *c); /* c may be NULL */

/* Calls an operation once. The answer lives in the arena. Returns NULL if there is an answer, even
 * an error; else the reason why not. */
MUST_CHECK const char *client_call(struct client *c, struct arena *a, const char *operation,
                                   struct span request, struct client_answer *out);

/* Calls a verb of mockddb by POST, such as "try". Returns NULL if there is an answer, whatever its
 * status: other servers do not have the verb. */
MUST_CHECK const char *client_ask(struct client *c, struct arena *a, const char *verb,
                                  struct span body, struct client_verb_answer *out);

/* Like client_call, but repeats the call after a temporary refusal, and after a broken connection
 * if the server has answered before. */
MUST_CHECK const char *client_repeat(struct client *c, struct arena *a, const char *operation,
                                     struct span request, struct client_answer *out);
/* Like client_repeat, for an operation that is refused if the first call took effect: it is not
 * repeated after a broken connection. */
MUST_CHECK const char *client_repeat_refused(struct client *c, struct arena *a,
                                             const char *operation, struct span request,
                                             struct client_answer *out);
/* Like client_repeat; an error of the service is a failure, too: "Scan: Type: message". */
MUST_CHECK const char *client_succeed(struct client *c, struct arena *a, const char *operation,
                                      struct span request, struct client_answer *out);
/* Sends several requests at once, at most the transport's width; out[i] answers requests[i].
 * Repeats them after a broken connection, but not after a refusal. Returns NULL if all were
 * answered, else the reason why one was not; any of the requests may then have been executed. */
MUST_CHECK const char *client_repeat_all(struct client *c, struct arena *a, const char *operation,
                                         const struct span *requests, size_t count,
                                         struct client_answer *out);

/* The request {"TableName": table}; begun: without its end, for more members. */
struct span client_table_request(struct arena *a, struct span table);
struct buf client_table_request_begun(struct arena *a, struct span table);

/* Pauses before retry number `tries`, counted from 0, longer each time. Returns false after too
 * many tries, and always in this process, where nothing would change meanwhile. */
MUST_CHECK bool client_rest(const struct client *c, size_t tries);

/* The time of the server, in milliseconds since 1970, by which items expire. */
int64_t client_now_ms(struct client *c, struct arena *a);

/* Makes all writes durable. Returns NULL, or the error. */
MUST_CHECK const char *client_flush(struct client *c);

/* --- pace ------------------------------------------------------------------------------------- */

/* Limits items, or read units, a second. */
struct client_pace {
    double rate;      /* 0: no limit */
    double spent;     /* counted so far */
    int64_t ready_us; /* nothing is sent before this time, to keep the rate */
};

/* Waits until what was counted before is due. p may be NULL. */
void client_pace_wait(const struct client_pace *p);
/* Counts items or units; any number, which an endpoint may have sent. p may be NULL. */
void client_pace_count(struct client_pace *p, double units);
/* Like client_succeed, at the pace of the read units that the answers say were consumed. */
MUST_CHECK const char *client_pace_call(struct client_pace *p, struct client *c, struct arena *a,
                                        const char *operation, struct span request,
                                        struct client_answer *out);
