#include "http/http_protocol.h"

#include "http/http_auth.h"
#include "http/http_reply.h"
#include "http/http_signature.h"

#define GZIP_FROM ((size_t)4096) /* a smaller reply fits a packet or two as it is */

const char *const http_protocol_types[] = {"application/x-amz-json-1.0", HTTP_JSON, NULL};

static struct span optional(const char *text)
{
    return text ? span_of(text) : (struct span){"", 0};
}

static void reply_json(struct http_handler *h, struct http_exchange *x, const struct reply *answer)
{
    const struct http_fields *fields = &x->request.fields;
    const char *type = http_route_type(fields->content_type, http_protocol_types);
    bool gzip = answer->body.len >= GZIP_FROM && http_gzip_accepted(fields->accept_encoding);

    http_reply_body(h, x, answer->status, type ? type : HTTP_JSON,
                    gzip ? http_gzip(h->gzip, answer->body) : answer->body);
    x->reply.in_buffer = answer->in_buffer && !gzip;
    if (gzip)
        http_reply_header(&x->reply, "Content-Encoding", "gzip");
}

enum error_kind http_protocol_auth(const struct http_handler *h, const struct http_request *request,
                                   struct buf *message)
{
    struct http_claim claim;
    enum error_kind wrong = http_auth_check(request, &claim, message);

    if (wrong != ERROR_NONE || !h->options.keys)
        return wrong;
    return http_signature_verify(h->arena, h->options.keys, clock_now_ms(h->clock), request, &claim,
                                 message);
}

void http_protocol_operation(struct http_handler *h, struct http_exchange *x)
{
    const struct http_request *request = &x->request;
    const struct world *world = worlds_first(h->worlds);
    struct buf message = buf_in(h->arena);
    struct request inner = {
        .target = optional(request->fields.x_amz_target),
        .body = request->body,
        .host = optional(request->fields.host),
    };
    struct reply answer;

    if (world_is_advancing(world)) {
        http_admin_hold(h, x, world);
        return;
    }
    arena_reset(h->arena);
    inner.auth_error = http_protocol_auth(h, request, &message);
    inner.auth_message = buf_span(&message);
    dispatch(world_dispatcher(world), &inner, &answer);
    reply_json(h, x, &answer);
    x->reply.world = world;
}

void http_protocol_internal_error(struct http_handler *h, struct http_exchange *x)
{
    struct reply answer;

    dispatch_internal_error(world_dispatcher(worlds_first(h->worlds)), &answer);
    reply_json(h, x, &answer);
}

/* Programs that start DynamoDB Local ask until this answer comes. */
static void reply_as_local(struct http_handler *h, struct http_exchange *x)
{
    http_reply_body(
        h, x, 400, http_protocol_types[0],
        SPAN_LIT("{\"__type\":\"com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken\","
                 "\"message\":\"Request must contain either a valid (registered) AWS access key ID "
                 "or X.509 certificate.\"}"));
}

void http_protocol_health(struct http_handler *h, struct http_exchange *x)
{
    const char *host = x->request.fields.host;
    struct buf text;

    if (h->options.local_mode) {
        reply_as_local(h, x);
        return;
    }
    arena_reset(h->arena);
    text = buf_in(h->arena);
    if (host && *host)
        buf_printf(&text, "healthy: %s ", host);
    else
        buf_printf(&text, "healthy: dynamodb.%.*s.amazonaws.com ", SPAN_ARG(h->options.region));
    http_reply_body(h, x, 200, "text/plain", buf_span(&text));
}

void http_protocol_options(struct http_handler *h, struct http_exchange *x)
{
    const struct http_fields *fields = &x->request.fields;

    if (!fields->origin) {
        http_reply_unknown(h, x);
        return;
    }
    http_reply_body(h, x, 200, NULL, (struct span){"", 0});
    http_reply_header(&x->reply, "Access-Control-Max-Age", "172800");
    if (fields->access_control_request_headers)
        http_reply_header(&x->reply, "Access-Control-Allow-Headers",
                          fields->access_control_request_headers);
    if (fields->access_control_request_method)
        http_reply_header(&x->reply, "Access-Control-Allow-Methods",
                          fields->access_control_request_method);
}
