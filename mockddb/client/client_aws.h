/* client_aws.h: signed calls of DynamoDB's JSON protocol, streams included. */
#ifndef CLIENT_CLIENT_AWS_H
#define CLIENT_CLIENT_AWS_H

#include "client/client_answer.h"
#include "client/client_http.h"

struct client_aws;

struct client_aws_options {
    const char *endpoint; /* as client_endpoint_find has it */
    const char *region;   /* NULL: from the environment or profile, else us-east-1 */
    const char *profile;  /* NULL: none asked for */
    const char *world;    /* which one of a mockddb's worlds is meant; NULL: what it chooses */
};

/* The client is the arena's, its connections are ended by client_aws_free. A server on this machine
 * takes any keys: what AWS_PROFILE names may be without them then. Returns NULL, or why it cannot
 * be made: a bad URL, a profile without keys, no keys for an endpoint elsewhere. */
MUST_CHECK const char *client_aws_new(struct arena *a, const struct client_aws_options *options,
                                      struct client_aws **out);
void client_aws_free(struct client_aws *c); /* c may be NULL */

const char *client_aws_endpoint(const struct client_aws *c);
/* Whether calls stay on this machine. */
bool client_aws_is_loopback(const struct client_aws *c);

/* Calls an operation. The answer is the arena's. Returns NULL when the service answered, be it
 * with an error; else why it did not. */
MUST_CHECK const char *client_aws_call(struct client_aws *c, struct arena *a, const char *operation,
                                       struct span request, struct client_answer *out);

/* The same operation several times at once, up to CLIENT_HTTP_AT_ONCE: out[i] answers requests[i].
 * Returns NULL when all were answered; else why one was not, and any of them may have been done. */
MUST_CHECK const char *client_aws_call_all(struct client_aws *c, struct arena *a,
                                           const char *operation, const struct span *requests,
                                           size_t count, struct client_answer *out);

/* A request of another kind than an operation, signed as those are. */
struct client_aws_request {
    const char *method; /* GET, POST or DELETE */
    const char *path;
    const char *query; /* percent-encoded; "" for none */
    struct span body;  /* JSON; empty: none */
    void (*on_bytes)(void *context, const struct client_reply *head,
                     struct span bytes); /* as in client_http.h */
    void *context;
};

/* Returns NULL when there was a reply, whatever its status; else why not. */
MUST_CHECK const char *client_aws_ask(struct client_aws *c, struct arena *a,
                                      const struct client_aws_request *request,
                                      struct client_reply *out);

#endif
