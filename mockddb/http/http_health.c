#include "http/http_health.h"

#include <event2/event.h>
#include <event2/http.h>
#include <strings.h>

#include "http/http_tls.h"

#define SECONDS 5

struct question {
    struct event_base *base;
    bool secure;
    int status; /* 0: no answer */
};

static void on_answer(struct evhttp_request *req, void *arg)
{
    struct question *q = arg;

    q->status = req ? evhttp_request_get_response_code(req) : 0;
    event_base_loopbreak(q->base);
}

/* Asks under a name that every server of ours answers to, whatever way leads there. */
static void ask(struct question *q, const char *host, int port)
{
    struct bufferevent *stream = q->secure ? http_tls_connecting(q->base) : NULL;
    struct evhttp_connection *connection = evhttp_connection_base_bufferevent_new(
        q->base, NULL, stream, host, (ev_uint16_t)port);
    struct evhttp_request *request = evhttp_request_new(on_answer, q);

    if (!connection || !request)
        out_of_memory();
    evhttp_connection_set_timeout(connection, SECONDS);
    evhttp_add_header(evhttp_request_get_output_headers(request), "Host", "localhost");
    if (evhttp_make_request(connection, request, EVHTTP_REQ_GET, "/_mockddb/health") == 0)
        event_base_dispatch(q->base);
    evhttp_connection_free(connection);
}

static void quiet(int severity, const char *text)
{
    (void)severity, (void)text;
}

const char *http_ask_health(struct arena *a, const char *endpoint)
{
    struct evhttp_uri *uri = evhttp_uri_parse(endpoint);
    const char *host = uri ? evhttp_uri_get_host(uri) : NULL;
    struct question q = {0};
    int port;

    if (!host || !*host || !evhttp_uri_get_scheme(uri)) {
        if (uri)
            evhttp_uri_free(uri);
        return arena_printf(a, "%s is no URL of a server", endpoint);
    }
    port = evhttp_uri_get_port(uri);
    event_set_log_callback(quiet);
    if (!(q.base = event_base_new()))
        out_of_memory();
    q.secure = strcasecmp(evhttp_uri_get_scheme(uri), "https") == 0;
    ask(&q, host, port > 0 ? port : q.secure ? 443 : 80);
    event_base_free(q.base);
    evhttp_uri_free(uri);
    if (!q.status)
        return arena_printf(a, "no answer from %s", endpoint);
    return q.status == 200 ? NULL : arena_printf(a, "%s answers %d", endpoint, q.status);
}
