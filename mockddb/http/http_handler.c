#include "http/http_handler.h"

#include "http/http_reply.h"

#include <stdlib.h>

struct http_handler *http_handler_new(struct worlds *worlds, struct clock *clock,
                                      const struct http_handler_options *options)
{
    struct http_handler *h = process_zeroed(sizeof *h);

    h->worlds = worlds;
    h->clock = clock;
    h->options = *options;
    if (!h->options.routes)
        h->options.routes = http_routes;
    h->admin = http_admin_new(worlds, options->patterns);
    h->arena = arena_new();
    h->gzip = http_gzip_new();
    return h;
}

void http_handler_free(struct http_handler *h)
{
    if (!h)
        return;
    http_admin_free(h->admin);
    arena_free(h->arena);
    http_gzip_free(h->gzip);
    free(h);
}

void http_handler_trim(struct http_handler *h)
{
    arena_trim(h->arena);
    http_gzip_trim(h->gzip);
    worlds_trim(h->worlds);
}

/* --- CORS ------------------------------------------------------------------------------------ */

/* The headers that the service lets scripts of web pages read. */
#define EXPOSED                                                              \
    "x-amzn-errortype,x-amzn-requestid,x-amzn-errormessage,x-amzn-trace-id," \
    "x-amz-request-id,x-amz-crc32,date"

/* Not for our own pages: other sites' pages must not read or change anything there through a
 * browser. */
void http_handler_complete(struct http_handler *h, struct http_exchange *x)
{
    const struct http_door *door = &h->options.door;
    const char *origin = x->request.fields.origin;

    if (!origin || x->route->flags & HTTP_OWN || http_door_refuses(door, &x->request.fields))
        return;
    http_reply_header(&x->reply, "Access-Control-Allow-Origin", http_door_answer(door, origin));
    http_reply_header(&x->reply, "Access-Control-Expose-Headers",
                      x->request.fields.x_mockddb_explain ? EXPOSED ",x-mockddb-explain" : EXPOSED);
}

/* --- requests --------------------------------------------------------------------------------- */

const struct http_route *http_handler_route(const struct http_handler *h,
                                            const struct http_request *request)
{
    return http_route_find(h->options.routes, h->options.without, request);
}

static bool takes_type(const struct http_route *route, const struct http_request *request)
{
    return !route->types || (!request->body.len && !request->unread) ||
           http_route_type(request->fields.content_type, route->types);
}

void http_handler_answer(struct http_handler *h, struct http_exchange *x)
{
    const char *refusal;
    const struct http_request *request = &x->request;
    bool linked;

    x->pace = HTTP_NOW;
    if (!x->request.refused && x->request.body.len > LIMIT_REQUEST_BYTES)
        x->request.refused = 413;
    if (x->request.refused) {
        /* The bytes that follow on the connection may not be a request. */
        http_reply_begin(x, x->request.refused);
        http_reply_header(&x->reply, "Content-Length", "0");
        http_reply_header(&x->reply, "Connection", "close");
        return;
    }
    if (!x->route)
        x->route = http_handler_route(h, &x->request);
    linked = x->route->flags & HTTP_LINKED && request->method == HTTP_GET;
    refusal = x->route->flags & HTTP_OWN
                  ? http_door_refuses_own(&h->options.door, request->port, linked, &request->fields)
                  : http_door_refuses(&h->options.door, &request->fields);
    if (refusal)
        http_reply_message(h, x, 403, refusal);
    else if (!takes_type(x->route, &x->request))
        http_reply_unknown(h, x);
    else
        x->route->handle(h, x);
    if (x->pace != HTTP_LATER && !x->on_body)
        http_handler_complete(h, x);
}

void http_handler_lose(struct http_handler *h, struct http_exchange *x)
{
    http_reply_internal_error(h, x);
    http_handler_complete(h, x);
}
