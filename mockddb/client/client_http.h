/* client_http.h: HTTP requests over libevent.
 *
 * A request that is sent alone has its own connection. https checks the server's certificate
 * against the system's authorities (SSL_CERT_FILE and SSL_CERT_DIR choose others).
 *
 * Memory is bounded whatever a server sends: 64 KB for a head, 64 MB for a body, and 4 MB for a
 * chunk. A body that is passed on as it arrives (on_bytes) may have any length. Anything longer is
 * an error. */
#pragma once

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
    const char *wanted;     /* the header that the request asked for, or NULL */
    bool reached;           /* set by client_http_begin: a connection was established */
};

struct client_http_options {
    const char *host;    /* the Host header; NULL: taken from the URL */
    bool trusts_anybody; /* accept any certificate: only for requests without secrets */
    int timeout_seconds;
    struct event_base *base; /* the loop in which the client's requests run; NULL: its own */
    bool one_each;           /* for client_http_begin: each request has its own connection, and
                                timeout_seconds limits the whole reply; otherwise it limits only how long the
                                server may be silent */
};

/* Must be called once in a process before libevent is used: running out of memory then ends the
 * process. The server's http_server_start does the same. */
void client_http_start(void);

/* `url` is a scheme, a host and optionally a port: http://127.0.0.1:8000. options NULL: the
 * defaults, with a timeout of a minute. The client lives until client_http_free. Returns NULL on
 * success, else what is wrong with the URL. */
MUST_CHECK const char *client_http_new(struct arena *a, const char *url,
                                       const struct client_http_options *options,
                                       struct client_http **out);
void client_http_free(struct client_http *c); /* c may be NULL */

/* The value of the Host header: the port is left out if it is the scheme's default. */
const char *client_http_host(const struct client_http *c);

/* Whether requests stay on this machine. */
bool client_http_is_loopback(const struct client_http *c);

/* Checks a URL as client_http_new does, and sets whether its host is this machine. */
MUST_CHECK const char *client_http_check(struct arena *a, const char *url, bool *is_loopback);

struct client_http_request {
    const char *method; /* GET, POST or DELETE */
    const char *target; /* a path, with its query */
    const struct client_header *headers;
    size_t count;
    struct span body;  /* empty: none */
    int seconds;       /* of client_http_send: in place of the client's timeout; 0: that one */
    const char *wants; /* name of the reply header to return, or NULL */
    /* If set, is called with the reply's head (its body is empty) and each part of the body as it
     * arrives, however long that takes. The arguments live until it returns; client_reply then has
     * no body. */
    void (*on_bytes)(void *context, const struct client_reply *head, struct span bytes);
    void *context;
};

/* Sends the request, with Host and Content-Length added. The reply lives in the arena. Returns
 * NULL, or the reason why there was no reply; a reply with an error status is a reply. */
MUST_CHECK const char *client_http_send(struct client_http *c, struct arena *a,
                                        const struct client_http_request *request,
                                        struct client_reply *out);

/* Sends the request and returns at once. From the loop given in the options, `done` is called with
 * the reply, or with an error; on an error the reply's only valid member is `reached`. One request
 * at a time; its memory lives in the arena until `done` is called. */
typedef void client_http_done(void *context, const char *error, const struct client_reply *reply);
void client_http_begin(struct client_http *c, struct arena *a,
                       const struct client_http_request *request, client_http_done *done,
                       void *context);

/* Sends several requests at once, at most CLIENT_HTTP_AT_ONCE, each on a connection that is kept
 * for the next ones; out[i] replies to requests[i]. Returns NULL if all have a reply, else the
 * reason why one has none; the state of the others is then unknown. */
#define CLIENT_HTTP_AT_ONCE 8
MUST_CHECK const char *client_http_send_all(struct client_http *c, struct arena *a,
                                            const struct client_http_request *requests,
                                            size_t count, struct client_reply *out);
