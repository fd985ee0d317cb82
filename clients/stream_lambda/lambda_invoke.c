#include "stream_lambda/lambda_invoke.h"

#include "client/client_http.h"
#include "stream_lambda/lambda_response.h"
#include "wire/json.h"

#include <event2/http.h>

#define FUNCTION_ERROR   "X-Amz-Function-Error"
#define HTTP_TOO_MANY    429
#define HTTP_UNAVAILABLE 503

/* An HTTP client, used by one call at a time and reused afterwards. */
struct caller {
    struct caller *next;
    struct client_http *http;
    bool calling;
    struct arena *arena; /* of the call */
    lambda_function_done *done;
    void *context;
};

struct lambda_invoke {
    struct lambda_function function; /* first */
    struct arena *arena;
    struct client_http_options options;
    const char *endpoint;
    const char *path;
    struct caller *callers;
};

/* --- callers ---------------------------------------------------------------------------------- */

static const char *add_caller(struct lambda_invoke *i, struct caller **out)
{
    struct caller *x = arena_alloc(i->arena, sizeof *x);
    const char *problem = client_http_new(i->arena, i->endpoint, &i->options, &x->http);

    if (problem)
        return problem;
    x->next = i->callers;
    i->callers = x;
    *out = x;
    return NULL;
}

/* Takes the result of an ended call: freeing a connection may report one. */
static void ignore(void *context, const struct lambda_function_result *result)
{
    (void)context, (void)result;
}

static void free_callers(struct lambda_function *f)
{
    struct lambda_invoke *i = (struct lambda_invoke *)f;

    for (struct caller *x = i->callers; x; x = x->next) {
        x->done = ignore;
        client_http_free(x->http);
    }
}

/* --- calls ------------------------------------------------------------------------------------ */

static void read_reply(struct arena *a, const struct client_reply *reply,
                       struct lambda_function_result *result)
{
    const wire_node *tree;

    result->status = reply->status;
    result->answer = reply->body;
    if (result->status == HTTP_TOO_MANY || result->status == HTTP_UNAVAILABLE)
        result->outcome = FUNCTION_NOT_REACHED;
    if (lambda_response_is_error(a, result->answer, &result->why))
        return;
    if (reply->wanted)
        result->why = arena_printf(a, FUNCTION_ERROR ": %s", reply->wanted);
    else if (result->status != HTTP_OK)
        result->why = arena_printf(a, "it answered HTTP %d", result->status);
    else if (result->answer.len && !json_parse(a, result->answer, &tree))
        result->why = arena_printf(a, "its answer is not JSON: %.*s",
                                   (int)(result->answer.len < 200 ? result->answer.len : 200),
                                   result->answer.at);
}

static void on_reply(void *context, const char *error, const struct client_reply *reply)
{
    struct caller *x = context;
    struct lambda_function_result result = {.outcome = FUNCTION_ANSWERED, .why = error};

    if (!error)
        read_reply(x->arena, reply, &result);
    else if (!reply->reached)
        result.outcome = FUNCTION_NOT_REACHED;
    if (result.why && result.outcome == FUNCTION_ANSWERED)
        result.outcome = FUNCTION_FAILED;
    x->done(x->context, &result);
    x->calling = false; /* its connection was in use until here */
}

static void call_endpoint(struct lambda_function *f, struct arena *a, struct span event,
                          lambda_function_done *done, void *context)
{
    struct lambda_invoke *i = (struct lambda_invoke *)f;
    static const struct client_header headers[] = {{"Content-Type", "application/json"}};
    const struct client_http_request request = {.method = "POST",
                                                .target = i->path,
                                                .headers = headers,
                                                .count = COUNT(headers),
                                                .body = event,
                                                .wants = FUNCTION_ERROR};
    struct lambda_function_result none = {.outcome = FUNCTION_NOT_REACHED};
    struct caller *x = i->callers;

    while (x && x->calling)
        x = x->next;
    if (!x && (none.why = add_caller(i, &x))) {
        done(context, &none);
        return;
    }
    x->calling = true;
    x->arena = a;
    x->done = done;
    x->context = context;
    client_http_begin(x->http, a, &request, on_reply, x);
}

const char *lambda_invoke_new(struct arena *a, struct event_base *base,
                              const struct lambda_options *options, struct lambda_function **out)
{
    struct evhttp_uri *uri = evhttp_uri_parse(options->url);
    const char *scheme = uri ? evhttp_uri_get_scheme(uri) : NULL;
    const char *host = uri ? evhttp_uri_get_host(uri) : NULL;
    const char *query = uri ? evhttp_uri_get_query(uri) : NULL;
    struct lambda_invoke *i = arena_alloc(a, sizeof *i);
    struct caller *first;
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
    i->function = (struct lambda_function){call_endpoint, free_callers};
    i->arena = a;
    i->endpoint = arena_printf(a, "http://%s:%d", host, port > 0 ? port : 80);
    i->path = arena_printf(a, "%s%s%s", *path ? path : "/", query ? "?" : "", query ? query : "");
    i->options = (struct client_http_options){
        .timeout_seconds = (int)options->timeout, .base = base, .one_each = true};
    evhttp_uri_free(uri);
    *out = &i->function;
    return add_caller(i, &first);
}
