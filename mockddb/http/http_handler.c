#include "http/http_handler.h"

#include "base/crc32.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

struct http_handler *http_handler_new(struct worlds *worlds, struct clock *clock,
                                      const struct http_handler_options *options)
{
    struct http_handler *h = calloc(1, sizeof *h);

    if (!h)
        out_of_memory();
    h->worlds = worlds;
    h->clock = clock;
    h->options = *options;
    if (!h->options.routes)
        h->options.routes = http_routes;
    h->admin = http_admin_new(worlds);
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

/* --- replies ---------------------------------------------------------------------------------- */

void http_reply_header(struct http_reply *reply, const char *name, const char *value)
{
    assert(reply->header_count < HTTP_MAX_HEADERS);
    reply->headers[reply->header_count++] = (struct http_header){name, value};
}

static const char *write_date(struct http_handler *h)
{
    time_t now = (time_t)(clock_now_ms(h->clock) / 1000);
    struct tm utc;

    if (now != h->date_of && gmtime_r(&now, &utc)) {
        (void)strftime(h->date, sizeof h->date, "%a, %d %b %Y %H:%M:%S GMT", &utc);
        h->date_of = now;
    }
    return h->date;
}

static const char *write_request_id(struct http_handler *h)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
    unsigned char bytes[sizeof h->request_id - 1];

    clock_random(h->clock, bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        h->request_id[i] = digits[bytes[i] % 32];
    return h->request_id;
}

static void begin(struct http_exchange *x, int status)
{
    x->reply = (struct http_reply){
        .status = status,
        .reason = http_reason(status),
        .body = {"", 0},
        .close = !http_keeps_alive(&x->request),
    };
}

static const char *connection(const struct http_reply *reply)
{
    return reply->close ? "close" : "keep-alive";
}

/* In the service's order. */
void http_reply_body(struct http_handler *h, struct http_exchange *x, int status,
                     const char *content_type, struct span body)
{
    struct http_reply *reply = &x->reply;

    begin(x, status);
    reply->body = body;
    (void)snprintf(h->length, sizeof h->length, "%zu", body.len);
    (void)snprintf(h->crc32, sizeof h->crc32, "%lu", (unsigned long)crc32_of(body));
    http_reply_header(reply, "Server", "Server");
    http_reply_header(reply, "Date", write_date(h));
    if (content_type)
        http_reply_header(reply, "Content-Type", content_type);
    http_reply_header(reply, "Content-Length", h->length);
    http_reply_header(reply, "Connection", connection(reply));
    http_reply_header(reply, "x-amzn-RequestId", write_request_id(h));
    http_reply_header(reply, "x-amz-crc32", h->crc32);
}

/* HTTP/1.0 knows no chunks: there the end of the connection is the end of the body. */
void http_reply_stream(struct http_handler *h, struct http_exchange *x, int status,
                       const char *content_type)
{
    struct http_reply *reply = &x->reply;

    begin(x, status);
    reply->close = reply->close || x->request.http_1_0;
    http_reply_header(reply, "Server", "Server");
    http_reply_header(reply, "Date", write_date(h));
    http_reply_header(reply, "Content-Type", content_type);
    if (!x->request.http_1_0)
        http_reply_header(reply, "Transfer-Encoding", "chunked");
    http_reply_header(reply, "Connection", connection(reply));
    http_reply_header(reply, "x-amzn-RequestId", write_request_id(h));
    x->pace = HTTP_STREAM;
}

void http_reply_unknown(struct http_handler *h, struct http_exchange *x)
{
    http_reply_body(h, x, 404, "text/xml", SPAN_LIT("<UnknownOperationException/>\n"));
}

void http_reply_message(struct http_handler *h, struct http_exchange *x, int status,
                        const char *message)
{
    struct buf out;

    arena_reset(h->arena);
    out = buf_in(h->arena);
    buf_add_text(&out, "{\"message\":");
    buf_add_json_string(&out, span_of(message));
    buf_add_text(&out, "}\n");
    http_reply_body(h, x, status, HTTP_JSON, buf_span(&out));
}

/* What follows on the connection might not be a request. */
static void refuse(struct http_exchange *x)
{
    begin(x, x->request.refused);
    http_reply_header(&x->reply, "Content-Length", "0");
    http_reply_header(&x->reply, "Connection", "close");
}

/* --- CORS ------------------------------------------------------------------------------------ */

/* What to allow for the origin: everybody, that origin, or NULL for nobody. */
static const char *allowed_origin(const struct http_handler *h, const char *origin)
{
    const char *at = h->options.cors_origins;

    while (*at) {
        size_t len = strcspn(at, ", ");

        if (len == 1 && *at == '*')
            return "*";
        if (len == strlen(origin) && strncasecmp(at, origin, len) == 0)
            return origin;
        at += len;
        at += strspn(at, ", ");
    }
    return NULL;
}

/* Not for pages of our own: pages of other sites must not read or change anything there through a
 * browser. */
void http_handle_completed(struct http_handler *h, struct http_exchange *x)
{
    const char *origin = x->request.fields.origin;
    const char *allowed = origin ? allowed_origin(h, origin) : NULL;

    if (!allowed || x->route->flags & HTTP_OWN)
        return;
    http_reply_header(&x->reply, "Access-Control-Allow-Origin", allowed);
    http_reply_header(&x->reply, "Access-Control-Expose-Headers",
                      "x-amzn-errortype,x-amzn-requestid,x-amzn-errormessage,x-amzn-trace-id,"
                      "x-amz-request-id,x-amz-crc32,date");
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
           http_content_type(request->fields.content_type, route->types);
}

static void call_route(struct http_handler *h, struct http_exchange *x)
{
    const char *refusal = x->route->flags & HTTP_OWN
                              ? http_door_refuses(&h->options.door, x->request.port,
                                                  &x->request.fields)
                              : NULL;

    if (refusal)
        http_reply_message(h, x, 403, refusal);
    else if (!takes_type(x->route, &x->request))
        http_reply_unknown(h, x);
    else
        x->route->handle(h, x);
}

void http_handle(struct http_handler *h, struct http_exchange *x)
{
    x->pace = HTTP_NOW;
    if (!x->request.refused && x->request.body.len > LIMIT_REQUEST_BYTES)
        x->request.refused = 413;
    if (x->request.refused) {
        refuse(x);
        return;
    }
    if (!x->route)
        x->route = http_handler_route(h, &x->request);
    call_route(h, x);
    if (x->pace != HTTP_LATER && !x->on_body)
        http_handle_completed(h, x);
}

void http_handle_lost(struct http_handler *h, struct http_exchange *x)
{
    http_reply_internal_error(h, x);
    http_handle_completed(h, x);
}
