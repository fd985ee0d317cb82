#include "client/client_http.h"

#include "base/crc32.h"
#include "base/interrupt.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/dns.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/util.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <sys/socket.h>

#define TIMEOUT_SECONDS 60
#define TICK_US         100000     /* how often Ctrl-C is checked for while waiting for a reply */
#define MAX_BODY        (64 << 20) /* largest reply body that is kept in memory */
#define MAX_HOST        253        /* characters of a name in DNS */
#define MAX_HEAD        (64 << 10)
#define MAX_PART        (4 << 20) /* largest chunk, and longest line with a chunk's size */
#define PATIENT_SECONDS 100000000 /* for a reply without an end: three years */
#define MAX_KEPT        CLIENT_HTTP_AT_ONCE

struct client_http {
    struct event_base *base;
    bool owns_base;
    struct evdns_base *names; /* resolver for a client in another's loop, which must not block */
    bool broken;              /* the connection of client_http_begin failed */
    bool is_flooded;          /* since the last requests were sent */
    struct event *flooded;    /* activated when one of the connections sends too much */
    struct event *late;       /* with one_each: timer of the request begun, or NULL */
    struct exchange *begun;   /* the request started by client_http_begin, or NULL */
    SSL_CTX *tls;             /* NULL for http */
    char *host; /* without the brackets of IPv6; not const because OpenSSL's macro takes char * */
    const char *host_header;
    uint16_t port;
    bool trusts_anybody;
    int timeout_seconds;
    struct evhttp_connection
        *kept[MAX_KEPT]; /* for requests sent together; NULL: not connected yet */
};

/* One request under way. */
struct exchange {
    struct client_http *client;
    size_t *left; /* how many of the requests sent together have no answer yet */
    bool alone;   /* has its own connection */
    const struct client_http_request *from;
    struct arena *arena;
    struct client_reply *reply;
    struct buf body; /* the body received; empty with on_bytes */
    const char *error;
    bool answered;
    client_http_done *done; /* NULL: the caller waits for the reply */
    void *context;
};

static SSL_CTX *new_tls(bool trusts_anybody)
{
    SSL_CTX *tls = process_have(SSL_CTX_new(TLS_client_method()));

    process_need(SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) &&
                 SSL_CTX_set_default_verify_paths(tls));
    SSL_CTX_set_verify(tls, trusts_anybody ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, NULL);
    return tls;
}

void client_http_start(void)
{
    event_set_mem_functions(process_malloc, process_realloc, free);
}

/* Takes the brackets off an IPv6 address in a URL. */
static char *without_brackets(struct arena *a, const char *host)
{
    size_t len = strlen(host);

    if (host[0] == '[' && host[len - 1] == ']')
        return arena_text(a, (struct span){host + 1, len - 2});
    return arena_text(a, span_of(host));
}

/* Whether the URL names only a server: nothing may follow the port. */
static bool names_a_server(const struct evhttp_uri *uri)
{
    const char *scheme = evhttp_uri_get_scheme(uri), *host = evhttp_uri_get_host(uri);
    const char *path = evhttp_uri_get_path(uri);

    return scheme && (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0) && host &&
           *host && strlen(host) <= MAX_HOST && evhttp_uri_get_port(uri) != 0 &&
           (!path || !*path || strcmp(path, "/") == 0) && !evhttp_uri_get_query(uri) &&
           !evhttp_uri_get_fragment(uri);
}

/* Parses the URL; the caller frees it. Returns NULL and sets *problem on error. A password is not
 * shown. */
static struct evhttp_uri *read_url(struct arena *a, const char *url, const char **problem)
{
    struct evhttp_uri *uri = evhttp_uri_parse(url);

    *problem = NULL;
    if (uri && evhttp_uri_get_userinfo(uri))
        *problem = "no endpoint takes a user or a password in its URL";
    else if (!uri || !names_a_server(uri))
        *problem = arena_printf(a, "%s is no endpoint: expected http://HOST:PORT or https://HOST",
                                url);
    if (*problem && uri)
        evhttp_uri_free(uri);
    return *problem ? NULL : uri;
}

static void on_flooded(evutil_socket_t fd, short what, void *ctx);
static void on_late(evutil_socket_t fd, short what, void *ctx);

const char *client_http_new(struct arena *a, const char *url,
                            const struct client_http_options *options, struct client_http **out)
{
    static const struct client_http_options usual = {.timeout_seconds = TIMEOUT_SECONDS};

    const char *problem, *host;
    struct evhttp_uri *uri = read_url(a, url, &problem);
    struct client_http *c;
    bool secure;
    int port, own_port;

    if (!uri)
        return problem;
    options = options ? options : &usual;
    host = evhttp_uri_get_host(uri);
    secure = strcmp(evhttp_uri_get_scheme(uri), "https") == 0;
    own_port = secure ? 443 : 80;
    port = evhttp_uri_get_port(uri);
    c = arena_alloc(a, sizeof *c);
    c->host = without_brackets(a, host);
    c->port = (uint16_t)(port > 0 ? port : own_port);
    c->host_header = c->port == own_port ? arena_text(a, span_of(host))
                                         : arena_printf(a, "%s:%d", host, port);
    if (options->host)
        c->host_header = options->host;
    c->trusts_anybody = options->trusts_anybody;
    c->timeout_seconds = options->timeout_seconds;
    c->tls = secure ? new_tls(c->trusts_anybody) : NULL;
    c->owns_base = !options->base;
    c->base = process_have(options->base ? options->base : event_base_new());
    c->flooded = process_have(event_new(c->base, -1, 0, on_flooded, c));
    if (options->one_each)
        c->late = process_have(event_new(c->base, -1, 0, on_late, c));
    if (options->base) {
        c->names = evdns_base_new(c->base, EVDNS_BASE_INITIALIZE_NAMESERVERS |
                                               EVDNS_BASE_DISABLE_WHEN_INACTIVE);
        if (!c->names) { /* no name server is known: addresses, and the names in /etc/hosts */
            c->names = process_have(evdns_base_new(c->base, EVDNS_BASE_DISABLE_WHEN_INACTIVE));
            (void)evdns_base_load_hosts(c->names, "/etc/hosts");
        }
    }
    evhttp_uri_free(uri);
    *out = c;
    return NULL;
}

void client_http_free(struct client_http *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < MAX_KEPT; i++)
        if (c->kept[i])
            evhttp_connection_free(c->kept[i]);
    if (c->names)
        evdns_base_free(c->names, 0);
    event_free(c->flooded);
    if (c->late)
        event_free(c->late);
    if (c->owns_base)
        event_base_free(c->base);
    SSL_CTX_free(c->tls);
}

const char *client_http_host(const struct client_http *c)
{
    return c->host_header;
}

/* Whether the host is a loopback address or "localhost". Any other name may lead anywhere,
 * 127.0.0.1.example.com too. */
static bool host_is_loopback(const char *host)
{
    unsigned char bytes[sizeof(struct in6_addr)];

    if (inet_pton(AF_INET, host, bytes) == 1)
        return bytes[0] == 127;
    if (inet_pton(AF_INET6, host, bytes) == 1)
        return memcmp(bytes, &in6addr_loopback, sizeof bytes) == 0;
    return strcmp(host, "localhost") == 0;
}

bool client_http_is_loopback(const struct client_http *c)
{
    return host_is_loopback(c->host);
}

const char *client_http_check(struct arena *a, const char *url, bool *is_loopback)
{
    const char *problem;
    struct evhttp_uri *uri = read_url(a, url, &problem);

    if (!uri)
        return problem;
    *is_loopback = host_is_loopback(without_brackets(a, evhttp_uri_get_host(uri)));
    evhttp_uri_free(uri);
    return NULL;
}

static const char too_long[] = "the answer has more than 64 MB, or a chunk of more than 4 MB";

static const char *error_text(enum evhttp_request_error error)
{
    switch (error) {
    case EVREQ_HTTP_TIMEOUT:
        return "no answer in time";
    case EVREQ_HTTP_EOF:
        return "the connection was closed before an answer";
    case EVREQ_HTTP_INVALID_HEADER:
        return "the answer is not HTTP, or its head has more than 64 KB";
    case EVREQ_HTTP_DATA_TOO_LONG:
        return too_long;
    default:
        return "the answer could not be read";
    }
}

static void on_error(enum evhttp_request_error error, void *ctx)
{
    struct exchange *x = ctx;

    x->error = error_text(error);
}

/* Returns a copy of the header in the arena, or NULL. */
static const char *header_of(struct arena *a, struct evkeyvalq *headers, const char *name)
{
    const char *value = evhttp_find_header(headers, name);

    return value ? arena_text(a, span_of(value)) : NULL;
}

static void take_reply(struct evhttp_request *request, struct exchange *x)
{
    struct evkeyvalq *headers;
    const char *sum;

    if (!request || !evhttp_request_get_response_code(request))
        return; /* no reply: the reason came through on_error, or the connection failed */
    headers = evhttp_request_get_input_headers(request);
    *x->reply = (struct client_reply){
        .status = evhttp_request_get_response_code(request),
        .request_id = header_of(x->arena, headers, "x-amzn-RequestId"),
        .wanted = x->from->wants ? header_of(x->arena, headers, x->from->wants) : NULL,
        .body = buf_span(&x->body),
    };
    /* the service adds a checksum of the body */
    sum = evhttp_find_header(headers, "x-amz-crc32");
    x->answered = x->from->on_bytes || !sum || strtoul(sum, NULL, 10) == crc32_of(x->reply->body);
    if (!x->answered)
        x->error = "the answer does not match its checksum";
}

/* Why the exchange failed. TLS knows more about it than HTTP does. */
static const char *why_not(const struct client_http *c, struct arena *a, const struct exchange *x,
                           SSL *ssl)
{
    long verified = ssl ? SSL_get_verify_result(ssl) : X509_V_OK;

    if (verified != X509_V_OK)
        return arena_printf(a, "%s: certificate: %s", c->host_header,
                            X509_verify_cert_error_string(verified));
    if (interrupt_check())
        return interrupt_check();
    if (c->is_flooded)
        return arena_printf(a, "%s: %s", c->host_header, too_long);
    return arena_printf(a, "%s: %s", c->host_header, x->error ? x->error : "cannot connect");
}

/* For a name that cannot be resolved, libevent's HTTP layer only says that the connection was
 * closed. Returns whether that is the case. */
static bool note_unknown_name(struct exchange *x, struct bufferevent *stream)
{
    int unknown = bufferevent_socket_get_dns_error(stream);

    if (unknown)
        x->error = evutil_gai_strerror(unknown);
    return unknown != 0;
}

/* The failed connection is still in use here, so it must not be freed. */
static void finish_exchange(struct exchange *x)
{
    struct client_http *c = x->client;
    bool unknown = !x->answered && c->kept[0] &&
                   note_unknown_name(x, evhttp_connection_get_bufferevent(c->kept[0]));
    const char *error;

    x->reply->reached = x->answered || (x->error && !unknown);
    error = x->answered ? NULL : why_not(c, x->arena, x, NULL);
    if (c->late)
        (void)event_del(c->late);
    c->begun = NULL;
    c->broken = error != NULL;
    x->done(x->context, error, x->reply);
}

/* libevent calls it once for each request, with or without a reply. */
static void on_reply(struct evhttp_request *request, void *ctx)
{
    struct exchange *x = ctx;

    take_reply(request, x);
    if (x->done)
        finish_exchange(x);
    else if (--*x->left == 0)
        (void)event_base_loopbreak(x->client->base); /* kept connections would continue to wait */
}

/* Called for each part of the body; on_input bounds how much libevent keeps. */
static void on_bytes(struct evhttp_request *request, void *ctx)
{
    struct exchange *x = ctx;
    struct evbuffer *body = evhttp_request_get_input_buffer(request);
    size_t len = evbuffer_get_length(body);
    struct span part = {(const char *)evbuffer_pullup(body, -1), len};
    const struct client_reply head = {
        .status = evhttp_request_get_response_code(request),
        .request_id = evhttp_find_header(evhttp_request_get_input_headers(request),
                                         "x-amzn-RequestId"),
    };

    if (x->from->on_bytes)
        x->from->on_bytes(x->from->context, &head, part);
    else
        buf_add_span(&x->body, part);
    evbuffer_drain(body, len);
}

/* A failure may have left the connection in any state. */
static void drop_connection(struct client_http *c, size_t i)
{
    if (c->kept[i])
        evhttp_connection_free(c->kept[i]);
    c->kept[i] = NULL;
}

/* libevent bounds heads and bodies, but waits for a whole chunk, and for the end of the line with
 * the chunk's size. */
static void on_input(struct evbuffer *input, const struct evbuffer_cb_info *info, void *ctx)
{
    struct client_http *c = ctx;

    (void)info;
    if (evbuffer_get_length(input) > MAX_PART)
        event_active(c->flooded, 0, 0);
}

/* Ends the request begun. Must not run inside a libevent callback of its connection. */
static void give_up(struct client_http *c, const char *error)
{
    struct exchange *x = c->begun;

    drop_connection(c, 0);
    x->error = error;
    finish_exchange(x);
}

/* Fails each request that waits for an answer with this reason. */
static void on_flooded(evutil_socket_t fd, short what, void *ctx)
{
    struct client_http *c = ctx;

    (void)fd, (void)what;
    c->is_flooded = true;
    if (c->begun)
        give_up(c, too_long);
    else
        (void)event_base_loopbreak(c->base);
}

static bool is_connected(const struct client_http *c)
{
    int fd = bufferevent_getfd(evhttp_connection_get_bufferevent(c->kept[0]));
    struct sockaddr_storage peer;
    socklen_t len = sizeof peer;

    return fd >= 0 && getpeername(fd, (struct sockaddr *)&peer, &len) == 0;
}

static void on_late(evutil_socket_t fd, short what, void *ctx)
{
    struct client_http *c = ctx;

    (void)fd, (void)what;
    give_up(c, is_connected(c) ? error_text(EVREQ_HTTP_TIMEOUT) : NULL);
}

static struct bufferevent *new_secure_stream(struct client_http *c)
{
    struct bufferevent *stream;
    SSL *ssl;

    ssl = process_have(SSL_new(c->tls));
    process_need(SSL_set_tlsext_host_name(ssl, c->host) &&
                 (c->trusts_anybody || SSL_set1_host(ssl, c->host)));
    stream = bufferevent_openssl_socket_new(c->base, -1, ssl, BUFFEREVENT_SSL_CONNECTING,
                                            BEV_OPT_CLOSE_ON_FREE);
    if (stream)
        bufferevent_openssl_set_allow_dirty_shutdown(stream, 1);
    return stream;
}

static struct bufferevent *new_stream(struct client_http *c)
{
    struct bufferevent *stream = c->tls
                                     ? new_secure_stream(c)
                                     : bufferevent_socket_new(c->base, -1, BEV_OPT_CLOSE_ON_FREE);

    process_need(stream && evbuffer_add_cb(bufferevent_get_input(stream), on_input, c));
    return stream;
}

/* Opens a connection over a new stream; `names` NULL: the system resolves the host. */
static struct evhttp_connection *connect_by(struct client_http *c, struct evdns_base *names,
                                            struct bufferevent *stream)
{
    struct evhttp_connection *connection = process_have(
        evhttp_connection_base_bufferevent_new(c->base, names, stream, c->host, c->port));

    evhttp_connection_set_max_headers_size(connection, MAX_HEAD);
    evhttp_connection_set_max_body_size(connection, MAX_BODY);
    evhttp_connection_set_timeout(connection, c->timeout_seconds);
    return connection;
}

static struct evhttp_request *new_request(struct exchange *x, const struct client_http *c,
                                          const struct client_http_request *from)
{
    struct evhttp_request *request = process_have(evhttp_request_new(on_reply, x));
    struct evkeyvalq *out;

    x->body = buf_in(x->arena);
    evhttp_request_set_error_cb(request, on_error);
    evhttp_request_set_chunked_cb(request, on_bytes);
    out = evhttp_request_get_output_headers(request);
    evhttp_add_header(out, "Host", c->host_header);
    if (x->alone)
        evhttp_add_header(out, "Connection", "close");
    for (size_t i = 0; i < from->count; i++)
        evhttp_add_header(out, from->headers[i].name, from->headers[i].value);
    evbuffer_add(evhttp_request_get_output_buffer(request), from->body.at, from->body.len);
    return request;
}

static void on_tick(evutil_socket_t fd, short what, void *ctx)
{
    const struct client_http *c = ctx;

    (void)fd, (void)what;
    if (interrupt_check())
        (void)event_base_loopbreak(c->base);
}

/* Waits until all requests have an answer, the connections have failed, or Ctrl-C stops the
 * program. */
static void wait_for_all(struct client_http *c)
{
    static const struct timeval interval = {0, TICK_US};
    struct event *tick = event_new(c->base, -1, EV_PERSIST, on_tick, c);

    process_need(tick && event_add(tick, &interval) == 0);
    event_base_dispatch(c->base);
    event_free(tick);
}

/* Called before new requests: a connection that has closed may have reported too much with its last
 * bytes. */
static void forget_flood(struct client_http *c)
{
    c->is_flooded = false;
    (void)event_del(c->flooded);
}

/* Sends a request on its own connection and waits for the last byte of the reply. */
static const char *exchange(struct client_http *c, struct exchange *x,
                            struct evhttp_request *request, enum evhttp_cmd_type method,
                            const char *path)
{
    struct bufferevent *stream = new_stream(c);
    struct evhttp_connection *connection = connect_by(c, NULL, stream);
    const char *error = NULL;

    if (x->from->on_bytes) { /* pass each part on as it arrives */
        evhttp_connection_set_max_body_size(connection, -1);
        evhttp_connection_set_timeout(connection, PATIENT_SECONDS);
    } else if (x->from->seconds) {
        evhttp_connection_set_timeout(connection, x->from->seconds);
    }
    forget_flood(c);
    if (evhttp_make_request(connection, request, method, path) == 0 && *x->left)
        wait_for_all(c);
    if (!x->answered) {
        note_unknown_name(x, stream);
        error = why_not(c, x->arena, x, c->tls ? bufferevent_openssl_get_ssl(stream) : NULL);
    }
    evhttp_connection_free(connection);
    return error;
}

static enum evhttp_cmd_type method_of(const char *name)
{
    if (strcmp(name, "GET") == 0)
        return EVHTTP_REQ_GET;
    return strcmp(name, "DELETE") == 0 ? EVHTTP_REQ_DELETE : EVHTTP_REQ_POST;
}

/* libevent leaves out a header that has a line end in it, and without that header the request means
 * something else. */
static const char *check_headers(struct arena *a, const struct client_http_request *request)
{
    for (size_t i = 0; i < request->count; i++)
        if (strpbrk(request->headers[i].value, "\r\n"))
            return arena_printf(a, "the value for header %s has a line end",
                                request->headers[i].name);
    return NULL;
}

const char *client_http_send(struct client_http *c, struct arena *a,
                             const struct client_http_request *request, struct client_reply *out)
{
    size_t left = 1;
    struct exchange x = {
        .client = c, .left = &left, .alone = true, .from = request, .arena = a, .reply = out};
    const char *problem = check_headers(a, request);

    return problem ? problem
                   : exchange(c, &x, new_request(&x, c, request), method_of(request->method),
                              request->target);
}

/* --- several at once -------------------------------------------------------------------------- */

static struct evhttp_connection *kept_connection(struct client_http *c, size_t i)
{
    if (!c->kept[i])
        c->kept[i] = connect_by(c, c->names, new_stream(c));
    return c->kept[i];
}

/* Disables Nagle's algorithm: else the end of a request waits until the server acknowledges the
 * first part. */
static void send_at_once(struct evhttp_connection *connection)
{
    int fd = bufferevent_getfd(evhttp_connection_get_bufferevent(connection)), on = 1;

    if (fd >= 0)
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

const char *client_http_send_all(struct client_http *c, struct arena *a,
                                 const struct client_http_request *requests, size_t count,
                                 struct client_reply *out)
{
    struct exchange *x = arena_array(a, count, sizeof *x);
    const char *error = NULL;
    size_t left = count;

    for (size_t i = 0; i < count && !error; i++)
        error = check_headers(a, &requests[i]);
    if (error)
        return error;
    forget_flood(c);
    for (size_t i = 0; i < count; i++) {
        x[i] = (struct exchange){
            .client = c, .left = &left, .from = &requests[i], .arena = a, .reply = &out[i]};
        if (evhttp_make_request(kept_connection(c, i), new_request(&x[i], c, &requests[i]),
                                method_of(requests[i].method), requests[i].target))
            left--; /* no reply will come */
        send_at_once(c->kept[i]);
    }
    if (left)
        wait_for_all(c);
    for (size_t i = 0; i < count; i++) {
        if (x[i].answered)
            continue;
        error = error ? error : why_not(c, a, &x[i], NULL);
        drop_connection(c, i);
    }
    return error;
}

/* --- in another's loop ------------------------------------------------------------------------ */

void client_http_begin(struct client_http *c, struct arena *a,
                       const struct client_http_request *request, client_http_done *done,
                       void *context)
{
    struct client_http_request *from = arena_alloc(a, sizeof *from);
    struct exchange *x = arena_alloc(a, sizeof *x);
    const struct timeval most = {c->timeout_seconds, 0};

    if (c->broken || c->late)
        drop_connection(c, 0);
    c->broken = false;
    forget_flood(c);
    *from = *request;
    c->begun = x;
    *x = (struct exchange){.client = c,
                           .alone = c->late != NULL,
                           .from = from,
                           .arena = a,
                           .reply = arena_alloc(a, sizeof *x->reply),
                           .done = done,
                           .context = context};
    process_need(!c->late || event_add(c->late, &most) == 0);
    if (evhttp_make_request(kept_connection(c, 0), new_request(x, c, from), method_of(from->method),
                            from->target) != 0)
        finish_exchange(x); /* `done` may free the client */
    else
        send_at_once(c->kept[0]);
}
