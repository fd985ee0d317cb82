#include "stream_lambda/lambda_invoke.h"

#include "stream_lambda/lambda_response.h"
#include "wire/json.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <stdlib.h>

#define HTTP_TOO_MANY    429
#define HTTP_UNAVAILABLE 503

/* One request. A connection cannot be freed while it reports its end, so that a request which is
 * over stays until the next one comes. */
struct exchange {
    struct exchange *next;
    struct lambda_invoke *invoke;
    struct evhttp_connection *connection;
    bool over;
    struct arena *arena;
    const char *error;
    lambda_function_done *done;
    void *context;
};

struct lambda_invoke {
    struct event_base *base;
    const char *host;
    const char *host_header;
    const char *path;
    uint16_t port;
    int timeout_seconds;
    struct exchange *exchanges;
};

/* An address of IPv6 has them in a URL, and not where it is connected to. */
static const char *without_brackets(struct arena *a, struct span host)
{
    if (host.len > 2 && host.at[0] == '[' && host.at[host.len - 1] == ']')
        host = (struct span){host.at + 1, host.len - 2};
    return arena_text(a, host);
}

const char *lambda_invoke_new(struct arena *a, struct event_base *base,
                              const struct lambda_function_options *options,
                              struct lambda_invoke **out)
{
    struct evhttp_uri *uri = evhttp_uri_parse(options->url);
    const char *scheme = uri ? evhttp_uri_get_scheme(uri) : NULL;
    const char *host = uri ? evhttp_uri_get_host(uri) : NULL;
    const char *query = uri ? evhttp_uri_get_query(uri) : NULL;
    struct lambda_invoke *i = arena_alloc(a, sizeof *i);
    const char *path;
    int port;

    if (!scheme || strcmp(scheme, "http") != 0 || !host || !*host) {
        if (uri)
            evhttp_uri_free(uri);
        return arena_printf(a, "--invoke: %s is not of the form http://HOST:PORT/PATH",
                            options->url);
    }
    path = evhttp_uri_get_path(uri);
    port = evhttp_uri_get_port(uri);
    i->base = base;
    i->host = without_brackets(a, span_of(host));
    i->port = (uint16_t)(port > 0 ? port : 80);
    i->host_header = arena_printf(a, "%s:%u", host, i->port);
    i->path = arena_printf(a, "%s%s%s", *path ? path : "/", query ? "?" : "", query ? query : "");
    i->timeout_seconds = options->timeout_seconds;
    evhttp_uri_free(uri);
    *out = i;
    return NULL;
}

static void free_exchanges(struct lambda_invoke *i, bool all)
{
    struct exchange **link = &i->exchanges;

    while (*link) {
        struct exchange *x = *link;

        if (x->over || all) {
            *link = x->next;
            evhttp_connection_free(x->connection);
            free(x);
        } else {
            link = &x->next;
        }
    }
}

/* Reports failures to nobody, for a connection may report them while it is freed. */
static void ignore(void *context, const struct lambda_function_result *result)
{
    (void)context, (void)result;
}

void lambda_invoke_free(struct lambda_invoke *i)
{
    for (struct exchange *x = i->exchanges; x; x = x->next)
        x->done = ignore;
    free_exchanges(i, true);
}

static void on_error(enum evhttp_request_error error, void *context)
{
    struct exchange *x = context;

    x->error = error == EVREQ_HTTP_TIMEOUT
                   ? arena_printf(x->arena, "it took longer than %d s", x->invoke->timeout_seconds)
                   : "it answered with something that is not HTTP, or not to the end";
}

/* The answer is there. */
static void read_reply(struct exchange *x, struct evhttp_request *request,
                       struct lambda_function_result *result)
{
    struct evbuffer *body = evhttp_request_get_input_buffer(request);
    const char *fault = evhttp_find_header(evhttp_request_get_input_headers(request),
                                           "X-Amz-Function-Error");
    const wire_node *tree;

    result->status = evhttp_request_get_response_code(request);
    result->answer = (struct span){(const char *)evbuffer_pullup(body, -1),
                                   evbuffer_get_length(body)};
    if (result->status == HTTP_TOO_MANY || result->status == HTTP_UNAVAILABLE)
        result->outcome = FUNCTION_NOT_REACHED;
    if (lambda_response_is_error(x->arena, result->answer, &result->why))
        return;
    if (fault)
        result->why = arena_printf(x->arena, "X-Amz-Function-Error: %s", fault);
    else if (result->status != HTTP_OK)
        result->why = arena_printf(x->arena, "it answered HTTP %d", result->status);
    else if (result->answer.len && !json_parse(x->arena, result->answer, &tree))
        result->why = arena_printf(x->arena, "its answer is not JSON: %.*s",
                                   (int)(result->answer.len < 200 ? result->answer.len : 200),
                                   result->answer.at);
}

static void on_reply(struct evhttp_request *request, void *context)
{
    struct exchange *x = context;
    struct lambda_function_result result = {.outcome = FUNCTION_ANSWERED};

    if (request && evhttp_request_get_response_code(request)) {
        read_reply(x, request, &result);
        if (result.why && result.outcome == FUNCTION_ANSWERED)
            result.outcome = FUNCTION_FAILED;
    } else {
        result.outcome = x->error ? FUNCTION_FAILED : FUNCTION_NOT_REACHED;
        result.why = x->error
                         ? x->error
                         : arena_printf(x->arena, "%s: cannot connect", x->invoke->host_header);
    }
    x->over = true;
    x->done(x->context, &result);
}

void lambda_invoke_call(struct lambda_invoke *i, struct arena *a, struct span event,
                        lambda_function_done *done, void *context)
{
    struct evhttp_request *request;
    struct evkeyvalq *headers;
    struct exchange *x = calloc(1, sizeof *x);

    free_exchanges(i, false);
    request = evhttp_request_new(on_reply, x);
    if (!x || !request)
        process_out_of_memory();
    *x = (struct exchange){
        .next = i->exchanges,
        .invoke = i,
        .connection = evhttp_connection_base_new(i->base, NULL, i->host, i->port),
        .arena = a,
        .done = done,
        .context = context,
    };
    if (!x->connection)
        process_out_of_memory();
    i->exchanges = x;
    evhttp_connection_set_timeout(x->connection, i->timeout_seconds);
    evhttp_request_set_error_cb(request, on_error);
    headers = evhttp_request_get_output_headers(request);
    evhttp_add_header(headers, "Host", i->host_header);
    evhttp_add_header(headers, "Content-Type", "application/json");
    evhttp_add_header(headers, "Connection", "close");
    evbuffer_add(evhttp_request_get_output_buffer(request), event.at, event.len);
    if (evhttp_make_request(x->connection, request, EVHTTP_REQ_POST, i->path))
        on_reply(NULL, x);
}
