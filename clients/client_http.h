/* client_http.h: one HTTP request after the other, over libevent.
 *
 * Each request has a connection of its own. https checks the server's certificate against the
 * system's authorities (SSL_CERT_FILE and SSL_CERT_DIR choose others). */
#ifndef CLIENT_HTTP_H
#define CLIENT_HTTP_H

#include "base/buf.h"

struct http_client;

struct http_header {
    const char *name;
    const char *value;
};

struct http_reply {
    int status;
    struct span body;
    const char *request_id; /* x-amzn-RequestId or NULL */
};

/* `url` is scheme, host and optionally port: http://127.0.0.1:8000. The client lives until
 * http_client_free; returns NULL, or why the URL is no good. */
MUST_CHECK const char *http_client_new(struct arena *a, const char *url, struct http_client **out);
void http_client_free(struct http_client *c); /* c may be NULL */

/* What belongs into the Host header: the port only where it is not the scheme's own. */
const char *http_host_header(const struct http_client *c);

/* Whether requests stay on this machine. */
bool http_is_loopback(const struct http_client *c);

/* POST / with these headers (Host and Content-Length are added). The reply is the arena's.
 * Returns NULL, or why there was no reply; a reply with an error status is a reply. */
MUST_CHECK const char *http_post(struct http_client *c, struct arena *a,
                                 const struct http_header *headers, size_t count, struct span body,
                                 struct http_reply *out);

#endif
