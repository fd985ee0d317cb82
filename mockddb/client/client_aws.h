/* client_aws.h: signed calls of DynamoDB's JSON protocol, streams included. */
#ifndef CLIENT_CLIENT_AWS_H
#define CLIENT_CLIENT_AWS_H

#include "client/client_answer.h"
#include "client/client_http.h"

struct client_aws;

struct client_aws_options {
    const char *endpoint; /* as client_endpoint_find returns it */
    const char *region;   /* NULL: from the environment or profile, else us-east-1 */
    const char *profile;  /* NULL: no profile was requested */
    const char *world;    /* the mockddb world to use; NULL: the server chooses */
};

/* The client lives in the arena; client_aws_free closes its connections. A server on this machine
 * accepts any keys, so the profile that AWS_PROFILE names may then lack them. Returns NULL on
 * success, else the reason: a bad URL, a profile without keys, or no keys for a remote endpoint. */
MUST_CHECK const char *client_aws_new(struct arena *a, const struct client_aws_options *options,
                                      struct client_aws **out);
void client_aws_free(struct client_aws *c); /* c may be NULL */

const char *client_aws_endpoint(const struct client_aws *c);
/* Whether requests stay on this machine. */
bool client_aws_is_loopback(const struct client_aws *c);

/* Calls an operation. The answer lives in the arena. Returns NULL if the service answered, even
 * with an error, else the reason why it did not. */
MUST_CHECK const char *client_aws_call(struct client_aws *c, struct arena *a, const char *operation,
                                       struct span request, struct client_answer *out);

/* Calls one operation with several requests at once, at most CLIENT_HTTP_AT_ONCE; out[i] answers
 * requests[i]. Returns NULL if all were answered, else the reason why one was not; any of the
 * requests may then have been executed. */
MUST_CHECK const char *client_aws_call_all(struct client_aws *c, struct arena *a,
                                           const char *operation, const struct span *requests,
                                           size_t count, struct client_answer *out);

/* A request that is not an operation, signed in the same way. */
struct client_aws_request {
    const char *method; /* GET, POST or DELETE */
    const char *path;
    const char *query; /* percent-encoded; "" for none */
    struct span body;  /* JSON; empty: none */
    void (*on_bytes)(void *context, const struct client_reply *head,
                     struct span bytes); /* as in client_http.h */
    void *context;
};

/* Returns NULL if there was a reply, whatever its status, else the reason why there was none. */
MUST_CHECK const char *client_aws_ask(struct client_aws *c, struct arena *a,
                                      const struct client_aws_request *request,
                                      struct client_reply *out);

#endif
