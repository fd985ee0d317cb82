/* client_aws.h: a client that sends signed calls of DynamoDB's JSON protocol over HTTP, to its
 * streams as well. */
#pragma once

#include "base/sigv4.h"
#include "client/client.h"
#include "client/client_http.h"

struct client_aws_options {
    const char *endpoint; /* as client_endpoint_find returns it */
    const char *region;   /* NULL: from the environment or profile, else us-east-1 */
    const char *profile;  /* NULL: no profile was requested */
    const char *world;    /* the mockddb world to use; NULL: the server chooses */
};

/* The client lives in the arena; client_free closes its connections. A server on this machine
 * accepts any keys, so the profile that AWS_PROFILE names may then lack them. Returns NULL on
 * success, else the reason: a bad URL, a profile without keys, or no keys for a remote endpoint. */
MUST_CHECK const char *client_aws_new(struct arena *a, const struct client_aws_options *options,
                                      struct client **out);

/* A request that is not an operation, signed in the same way. */
struct client_aws_request {
    const char *method; /* GET, POST or DELETE */
    const char *path;
    const char *query; /* percent-encoded; "" for none */
    struct span body;  /* JSON; empty: none */
    void (*on_bytes)(void *context, const struct client_reply *head,
                     struct span bytes); /* as in client_http.h */
    void *context;
    const char *world; /* the mockddb world to use; NULL: the client's */
    int seconds;       /* as in client_http.h */
};

/* Who signs, and for what. */
struct client_aws_signer {
    struct sigv4_keys keys;
    const char *region, *service;
    const char *content_type;
    const char *world; /* value of x-mockddb-world; NULL: it is not sent */
};

/* The signed request, in the arena. `target` is the operation with the service's prefix; NULL: none
 * is called. */
struct client_http_request client_aws_sign(struct arena *a, const struct client_http *http,
                                           const struct client_aws_signer *by, int64_t now_ms,
                                           const char *target,
                                           const struct client_aws_request *from);

/* `c` must be of client_aws_new. Returns NULL if there was a reply, whatever its status, else the
 * reason why there was none. */
MUST_CHECK const char *client_aws_ask(struct client *c, struct arena *a,
                                      const struct client_aws_request *request,
                                      struct client_reply *out);
