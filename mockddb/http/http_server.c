#include "http/http_server.h"

#include "base/log.h"
#include "http/http_memory.h"
#include "model/limits.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <sys/resource.h>

/* One write or read moves up to this much: with libevent's 16 KiB, an answer of 45 KB takes three
 * turns. */
#define MAX_SINGLE_WRITE ((size_t)16 * 1024 * 1024)
#define MAX_SINGLE_READ  ((size_t)1024 * 1024)
#define MAX_HEADER_BYTES (64L * 1024)
#define LONG_BODY        ((size_t)64 * 1024) /* from here on holding is cheaper than copying */
#define BODY_MARGIN      ((size_t)64 * 1024) /* so that a body that is too long is ours to refuse */
/* More than any request can need at a time: whoever sends that much without an end to a line. */
#define MAX_UNREAD      (LIMIT_REQUEST_BYTES + BODY_MARGIN + MAX_HEADER_BYTES + MAX_SINGLE_READ)
#define BACKLOG         1024
#define IDLE_SECONDS    120 /* a connection that says nothing for that long is closed */
#define BACKGROUND_MS   100 /* between two rounds of work in the background */
#define LAST_WRITES_MS  200 /* for replies under way when the server is told to end */
#define ACCEPT_AGAIN_MS 100 /* after running out of descriptors */
#define ANY_METHOD                                                                             \
    (EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_HEAD | EVHTTP_REQ_PUT | EVHTTP_REQ_DELETE | \
     EVHTTP_REQ_OPTIONS | EVHTTP_REQ_TRACE | EVHTTP_REQ_CONNECT | EVHTTP_REQ_PATCH)

struct waiting {
    struct evhttp_request *request;
    int status;
    const char *reason;
    const struct world *world;
};

struct http_server {
    struct worlds *worlds;
    struct http_handler *handler;
    struct http_tls *tls; /* NULL: plain HTTP */
    struct event_base *base;
    struct evhttp *http;
    struct evconnlistener *listener;
    struct event *background, *terminate, *interrupt;
    struct waiting *waiting; /* replies that leave at the end of the turn */
    size_t waiting_count, waiting_capacity;
    struct http_header *headers; /* of the request at hand */
    size_t header_capacity;
    size_t under_way; /* replies that evhttp has not written yet */
    bool stopping;
    uint16_t port;
    char url[300];
};

static struct timeval milliseconds(int ms)
{
    return (struct timeval){.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000L};
}

/* --- one request ----------------------------------------------------------------------------- */

static enum http_method method_of(const struct evhttp_request *req)
{
    switch (evhttp_request_get_command(req)) {
    case EVHTTP_REQ_GET:
        return HTTP_GET;
    case EVHTTP_REQ_POST:
        return HTTP_POST;
    case EVHTTP_REQ_OPTIONS:
        return HTTP_OPTIONS;
    default:
        return HTTP_OTHER;
    }
}

/* evhttp reads no body with these methods: one that is sent would be taken for the next request. */
static bool body_is_left(const struct evhttp_request *req, const struct http_fields *fields)
{
    enum evhttp_cmd_type method = evhttp_request_get_command(req);

    return (method == EVHTTP_REQ_HEAD || method == EVHTTP_REQ_TRACE) &&
           (fields->content_length || fields->transfer_encoding);
}

/* A place for the next header. */
static struct http_header *next_header(struct http_server *s, size_t count)
{
    if (count == s->header_capacity) {
        s->header_capacity = s->header_capacity ? s->header_capacity * 2 : 32;
        s->headers = realloc(s->headers, s->header_capacity * sizeof *s->headers);
        if (!s->headers)
            out_of_memory();
    }
    return &s->headers[count];
}

static void collect(struct http_server *s, struct evhttp_request *req, struct http_request *request)
{
    struct evbuffer *input = evhttp_request_get_input_buffer(req);
    const struct evkeyvalq *headers = evhttp_request_get_input_headers(req);
    const struct evkeyval *header;

    *request = (struct http_request){
        .method = method_of(req),
        .uri = evhttp_request_get_uri(req),
        .port = s->port,
        .body = {"", evbuffer_get_length(input)},
    };
    if (request->body.len)
        request->body.at = (const char *)evbuffer_pullup(input, -1);
    for (header = headers->tqh_first; header; header = header->next.tqe_next) {
        *next_header(s, request->header_count++) = (struct http_header){header->key, header->value};
        http_note_header(&request->fields, header->key, header->value);
    }
    request->headers = s->headers;
    request->fields.ambiguous = request->fields.ambiguous || body_is_left(req, &request->fields);
}

static void on_body_sent(const void *data, size_t len, void *held)
{
    (void)data, (void)len;
    reply_buffer_release(held);
}

/* A long body is not copied but held until it has been written. */
static void add_body(struct http_server *s, struct evbuffer *output, const struct http_reply *reply)
{
    if (!reply->in_buffer || reply->body.len < LONG_BODY)
        evbuffer_add(output, reply->body.at, reply->body.len);
    else
        evbuffer_add_reference(output, reply->body.at, reply->body.len, on_body_sent,
                               dispatch_hold_reply(worlds_memory(s->worlds)));
}

/* Puts the reply where evhttp sends it from. */
static void hand_over(struct http_server *s, struct evhttp_request *req,
                      const struct http_reply *reply)
{
    struct evkeyvalq *headers = evhttp_request_get_output_headers(req);

    for (size_t i = 0; i < reply->header_count; i++)
        evhttp_add_header(headers, reply->headers[i].name, reply->headers[i].value);
    add_body(s, evhttp_request_get_output_buffer(req), reply);
}

static void on_lost(struct evhttp_connection *connection, void *arg)
{
    struct http_server *s = arg;

    (void)connection;
    s->under_way--;
}

static void on_written(struct evhttp_request *req, void *arg)
{
    struct evhttp_connection *connection = evhttp_request_get_connection(req);

    evhttp_connection_set_closecb(connection, NULL, NULL);
    on_lost(connection, arg);
}

/* The reply is not out yet. Until it is nothing more is read, so that a client that sends without
 * reading fills its own memory and not ours. */
static void watch(struct http_server *s, struct evhttp_request *req,
                  struct evhttp_connection *connection)
{
    s->under_way++;
    evhttp_connection_set_closecb(connection, on_lost, s);
    evhttp_request_set_on_complete_cb(req, on_written, s);
    bufferevent_disable(evhttp_connection_get_bufferevent(connection), EV_READ);
}

/* Writes what the socket takes at once; whether that was all. evhttp alone would ask epoll first
 * whether it may write: three system calls more for each request. */
static bool write_at_once(struct bufferevent *stream)
{
    struct evbuffer *output = bufferevent_get_output(stream);

    evbuffer_unfreeze(output, 1);
    evbuffer_write(output, bufferevent_getfd(stream));
    evbuffer_freeze(output, 1);
    return evbuffer_get_length(output) == 0;
}

static void send_reply(struct http_server *s, const struct waiting *w)
{
    struct evhttp_connection *connection = evhttp_request_get_connection(w->request);
    struct bufferevent *stream = connection ? evhttp_connection_get_bufferevent(connection) : NULL;

    evhttp_send_reply(w->request, w->status, w->reason, NULL);
    if (!connection) /* it broke while the reply waited; the request is gone now */
        return;
    if (!s->tls && write_at_once(stream)) /* through TLS it is libevent_openssl that writes */
        bufferevent_trigger(stream, EV_WRITE, BEV_TRIG_IGNORE_WATERMARKS);
    else
        watch(s, w->request, connection);
}

static void add_waiting(struct http_server *s, struct evhttp_request *req,
                        const struct http_reply *reply)
{
    if (s->waiting_count == s->waiting_capacity) {
        s->waiting_capacity = s->waiting_capacity ? s->waiting_capacity * 2 : 64;
        s->waiting = realloc(s->waiting, s->waiting_capacity * sizeof *s->waiting);
        if (!s->waiting)
            out_of_memory();
    }
    s->waiting[s->waiting_count++] = (struct waiting){req, reply->status, reply->reason,
                                                      reply->world};
}

static void on_request(struct evhttp_request *req, void *arg)
{
    struct http_server *s = arg;
    struct http_request request;
    struct http_reply reply;

    collect(s, req, &request);
    http_handle(s->handler, &request, &reply);
    hand_over(s, req, &reply);
    add_waiting(s, req, &reply);
}

/* The flush failed: what was to be said is no longer true. */
static void replace_reply(struct http_server *s, struct waiting *w)
{
    struct evbuffer *output = evhttp_request_get_output_buffer(w->request);
    struct http_request request;
    struct http_reply reply;

    collect(s, w->request, &request);
    http_handle_lost(s->handler, &request, &reply);
    evbuffer_drain(output, evbuffer_get_length(output));
    evhttp_clear_headers(evhttp_request_get_output_headers(w->request));
    hand_over(s, w->request, &reply);
    w->status = reply.status;
    w->reason = reply.reason;
    w->world = NULL;
}

/* At the end of each turn. A connection reads nothing while its reply waits, so the requests are
 * all still there. */
static void flush_and_send(struct http_server *s)
{
    worlds_flush(s->worlds);
    for (size_t i = 0; i < s->waiting_count; i++) {
        struct waiting *w = &s->waiting[i];

        if (w->world && world_lost(w->world))
            replace_reply(s, w);
        send_reply(s, w);
    }
    s->waiting_count = 0;
}

/* --- connections ----------------------------------------------------------------------------- */

/* Breaks a connection on which there is more to read than there can be: evhttp looks for the end
 * of a chunk's first line however long that takes. The client is told by a reset, for it reads
 * nothing. */
static void on_input(struct evbuffer *input, const struct evbuffer_cb_info *info, void *connection)
{
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    evutil_socket_t fd;

    if (!info->n_added || evbuffer_get_length(input) <= MAX_UNREAD)
        return;
    fd = bufferevent_getfd(connection);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    shutdown(fd, SHUT_RDWR);
}

static struct bufferevent *new_connection(struct event_base *base, void *arg)
{
    struct http_server *s = arg;
    struct bufferevent *connection = s->tls ? http_tls_accepting(s->tls, base)
                                            : bufferevent_socket_new(base, -1, 0);

    if (!connection || !evbuffer_add_cb(bufferevent_get_input(connection), on_input, connection))
        out_of_memory();
    bufferevent_set_max_single_read(connection, MAX_SINGLE_READ);
    bufferevent_set_max_single_write(connection, MAX_SINGLE_WRITE);
    return connection;
}

static void on_accept_again(evutil_socket_t fd, short what, void *listener)
{
    (void)fd, (void)what;
    evconnlistener_enable(listener);
}

/* Out of descriptors: the listener would report that without end, so it rests. What it hands over
 * with that is evhttp's. */
static void on_accept_error(struct evconnlistener *listener, void *http)
{
    struct timeval delay = milliseconds(ACCEPT_AGAIN_MS);

    (void)http;
    evconnlistener_disable(listener);
    if (event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, on_accept_again,
                        listener, &delay))
        out_of_memory();
}

/* --- timer and signals ----------------------------------------------------------------------- */

static void on_background(evutil_socket_t fd, short what, void *arg)
{
    struct http_server *s = arg;
    struct timeval delay = milliseconds(worlds_idle(s->worlds) ? 0 : BACKGROUND_MS);

    (void)fd, (void)what;
    http_memory_trim();
    event_add(s->background, &delay);
}

static void on_stop(evutil_socket_t fd, short what, void *arg)
{
    struct http_server *s = arg;

    (void)fd, (void)what;
    s->stopping = true;
}

static void on_log(int severity, const char *text)
{
    if (severity >= EVENT_LOG_WARN)
        log_error("%s", text);
}

/* --- set-up ---------------------------------------------------------------------------------- */

static struct event_base *new_base(void)
{
    struct event_config *config = event_config_new();
    struct event_base *base = NULL;

    if (config) {
        event_config_set_flag(config,
                              EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST | EVENT_BASE_FLAG_NOLOCK);
        base = event_base_new_with_config(config);
        event_config_free(config);
    }
    if (!base)
        out_of_memory();
    return base;
}

/* As many connections as the system lets us have. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void write_url(struct http_server *s, const char *host)
{
    struct sockaddr_storage address;
    socklen_t len = sizeof address;

    if (getsockname(evconnlistener_get_fd(s->listener), (struct sockaddr *)&address, &len) == 0)
        s->port = ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                                      : ((struct sockaddr_in *)&address)->sin_port);
    (void)snprintf(s->url, sizeof s->url, strchr(host, ':') ? "%s://[%s]:%u" : "%s://%s:%u",
                   s->tls ? "https" : "http", host, (unsigned)s->port);
}

static const char *listen_problem(struct arena *a, const struct http_server_options *o, int cause)
{
    if (cause == EADDRINUSE)
        return arena_printf(a, "port %u of %s is in use", (unsigned)o->port, o->host);
    return arena_printf(a, "cannot listen on port %u of %s: %s", (unsigned)o->port, o->host,
                        strerror(cause));
}

static const char *start_listening(struct http_server *s, struct arena *a,
                                   const struct http_server_options *o)
{
    const struct evutil_addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                          .ai_flags = EVUTIL_AI_PASSIVE};
    const unsigned flags = LEV_OPT_REUSEABLE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_CLOSE_ON_FREE;
    struct evutil_addrinfo *found;
    char port[8];
    int on = 1, result, cause;

    (void)snprintf(port, sizeof port, "%u", (unsigned)o->port);
    if ((result = evutil_getaddrinfo(o->host, port, &hints, &found)))
        return arena_printf(a, "cannot listen on %s: %s", o->host, evutil_gai_strerror(result));
    s->listener = evconnlistener_new_bind(s->base, NULL, NULL, flags, BACKLOG, found->ai_addr,
                                          (int)found->ai_addrlen);
    cause = errno;
    evutil_freeaddrinfo(found);
    if (!s->listener)
        return listen_problem(a, o, cause);
    /* Accepted sockets inherit it. Without it a long reply waits 40 ms for the client's ACK. */
    setsockopt(evconnlistener_get_fd(s->listener), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    write_url(s, o->host);
    return NULL;
}

static void set_up_http(struct http_server *s)
{
    evhttp_set_gencb(s->http, on_request, s);
    evhttp_set_bevcb(s->http, new_connection, s);
    evhttp_set_allowed_methods(s->http, ANY_METHOD);
    evhttp_set_default_content_type(s->http, NULL);
    evhttp_set_max_headers_size(s->http, MAX_HEADER_BYTES);
    evhttp_set_max_body_size(s->http, (ev_ssize_t)(LIMIT_REQUEST_BYTES + BODY_MARGIN));
    evhttp_set_timeout(s->http, IDLE_SECONDS);
}

static void add_events(struct http_server *s)
{
    struct timeval delay = milliseconds(BACKGROUND_MS);

    s->background = evtimer_new(s->base, on_background, s);
    s->terminate = evsignal_new(s->base, SIGTERM, on_stop, s);
    s->interrupt = evsignal_new(s->base, SIGINT, on_stop, s);
    if (!s->background || !s->terminate || !s->interrupt)
        out_of_memory();
    event_add(s->background, &delay);
    event_add(s->terminate, NULL);
    event_add(s->interrupt, NULL);
}

struct http_server *http_server_new(struct arena *a, const struct http_server_options *options,
                                    struct worlds *worlds, struct http_handler *handler,
                                    const char **problem)
{
    struct http_server *s = calloc(1, sizeof *s);

    if (!s)
        out_of_memory();
    http_memory_install();
    (void)signal(SIGPIPE, SIG_IGN); /* a write that fails says so, … */
    (void)signal(SIGXFSZ, SIG_IGN); /* … also one of a file that has reached a limit */
    raise_descriptor_limit();
    event_set_log_callback(on_log);
    s->worlds = worlds;
    s->handler = handler;
    s->tls = options->tls;
    s->base = new_base();
    if ((*problem = start_listening(s, a, options))) {
        http_server_free(s);
        return NULL;
    }
    if (!(s->http = evhttp_new(s->base)) || !evhttp_bind_listener(s->http, s->listener))
        out_of_memory();
    evconnlistener_set_error_cb(s->listener, on_accept_error);
    set_up_http(s);
    add_events(s);
    return s;
}

static void free_event(struct event *event)
{
    if (event)
        event_free(event);
}

void http_server_free(struct http_server *s)
{
    if (!s)
        return;
    free_event(s->background);
    free_event(s->terminate);
    free_event(s->interrupt);
    if (s->http)
        evhttp_free(s->http); /* and the listener */
    event_base_free(s->base);
    free(s->waiting);
    free(s->headers);
    free(s);
}

const char *http_server_url(const struct http_server *s)
{
    return s->url;
}

static void turn(struct http_server *s)
{
    event_base_loop(s->base, EVLOOP_ONCE);
    flush_and_send(s);
}

static void on_time_is_up(evutil_socket_t fd, short what, void *arg)
{
    bool *over = arg;

    (void)fd, (void)what;
    *over = true;
}

/* Lets the last replies out, for a moment. */
static void finish_writing(struct http_server *s)
{
    struct timeval limit = milliseconds(LAST_WRITES_MS);
    bool over = false;
    struct event *timer = evtimer_new(s->base, on_time_is_up, &over);

    if (!timer)
        out_of_memory();
    evconnlistener_disable(s->listener);
    event_add(timer, &limit);
    while (s->under_way && !over)
        turn(s);
    event_free(timer);
}

void http_server_run(struct http_server *s)
{
    while (!s->stopping)
        turn(s);
    finish_writing(s);
}
