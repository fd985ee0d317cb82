/* client_http.h: one HTTP request after the other, over libevent.
 *
 * A request that is sent alone has a connection of its own. https checks the server's certificate
 * against the system's authorities (SSL_CERT_FILE and SSL_CERT_DIR choose others).
 *
 * Whatever a server sends, it takes a bounded memory: a head has 64 KB at most, a body 64 MB, and a
 * chunk 4 MB; a body that is given on as it comes (on_bytes) has any length. What is longer is an
 * error. */
#ifndef CLIENT_CLIENT_HTTP_H
#define CLIENT_CLIENT_HTTP_H

#include "base/buf.h"

struct client_http;
struct event_base;

struct client_header {
    const char *name;
    const char *value;
};

struct client_reply {
    int status;
    struct span body;
    const char *request_id; /* x-amzn-RequestId or NULL */
    const char *wanted;     /* the header that the request wants, or NULL */
    bool reached;           /* of client_http_begin: the server was connected to */
};

struct client_http_options {
    const char *host;    /* the Host header; NULL: as the URL has it */
    bool trusts_anybody; /* https with whoever's certificate: for questions, not for secrets */
    int timeout_seconds;
    struct event_base *base; /* whose loop the client's requests go on in; NULL: its own */
    bool one_each; /* client_http_begin: a request has a connection of its own, and all of its reply
                      comes within timeout_seconds; else only a silence is limited */
};

/* Before libevent is used at all, once in a process: memory that is out ends it. The server's
 * http_server_start does the same. */
void client_http_start(void);

/* `url` is scheme, host and optionally port: http://127.0.0.1:8000; options NULL: none of them, and
 * a minute. The client lives until client_http_free. Returns NULL, or why the URL is no good. */
MUST_CHECK const char *client_http_new(struct arena *a, const char *url,
                                       const struct client_http_options *options,
                                       struct client_http **out);
void client_http_free(struct client_http *c); /* c may be NULL */

/* What belongs into the Host header: the port only where it is not the scheme's own. */
const char *client_http_host(const struct client_http *c);

/* Whether requests stay on this machine. */
bool client_http_is_loopback(const struct client_http *c);

/* What client_http_new would say of a URL, and whether its host is this machine. */
MUST_CHECK const char *client_http_check(struct arena *a, const char *url, bool *is_loopback);

struct client_http_request {
    const char *method; /* GET, POST or DELETE */
    const char *target; /* a path, with its query */
    const struct client_header *headers;
    size_t count;
    struct span body;  /* empty: none */
    const char *wants; /* the name of a header of the reply, or NULL */
    /* Not NULL: is given the reply's head, whose body is empty, and the body as it comes, however
     * long that takes; what it is given lives until it returns, and client_reply has none of it. */
    void (*on_bytes)(void *context, const struct client_reply *head, struct span bytes);
    void *context;
};

/* Sends the request (Host and Content-Length are added). The reply is the arena's. Returns NULL, or
 * why there was no reply; a reply with an error status is a reply. */
MUST_CHECK const char *client_http_send(struct client_http *c, struct arena *a,
                                        const struct client_http_request *request,
                                        struct client_reply *out);

/* Sends the request and comes back: from the loop that the options gave, `done` is called with the
 * reply, or with the reason why it has none; then the reply says only whether the server was
 * reached. One at a time; what it needs lives in the arena until then. */
typedef void client_http_done(void *context, const char *error, const struct client_reply *reply);
void client_http_begin(struct client_http *c, struct arena *a,
                       const struct client_http_request *request, client_http_done *done,
                       void *context);

/* Sends several requests at the same time, up to CLIENT_HTTP_AT_ONCE, each on a connection that
 * stays for the next ones; out[i] replies to requests[i]. Returns NULL when all have a reply, else
 * why one has none; then nothing is known of the others. */
#define CLIENT_HTTP_AT_ONCE 8
MUST_CHECK const char *client_http_send_all(struct client_http *c, struct arena *a,
                                            const struct client_http_request *requests,
                                            size_t count, struct client_reply *out);

#endif
