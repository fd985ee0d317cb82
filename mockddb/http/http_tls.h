/* http_tls.h: TLS connections, with libevent_openssl and libssl. */
#pragma once

#include "base/arena.h"

struct bufferevent;
struct event_base;
struct http_tls;

struct http_tls_files {
    const char *certificate; /* PEM: the server's certificate, then the chain up to its authority */
    const char *key;         /* PEM, without a passphrase */
};

/* Loads the files. Returns NULL and sets *problem to one line in the arena if they cannot be
 * used. */
struct http_tls *http_tls_new(struct arena *a, const struct http_tls_files *files,
                              const char **problem);
void http_tls_free(struct http_tls *tls); /* tls may be NULL */

/* Returns a connection for a client's handshake, without a socket yet. It closes its socket. */
struct bufferevent *http_tls_accepting(struct http_tls *tls, struct event_base *base);

/* Whether a connection failed because its client speaks plain HTTP. */
bool http_tls_met_http(struct bufferevent *connection);
