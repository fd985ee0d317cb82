#include "http/http_protocol.h"

#include "base/packed.h"
#include "base/utf8.h"
#include "http/http_auth.h"
#include "http/http_reply.h"
#include "http/http_signature.h"
#include "http/http_world.h"
#include "worlds/worlds_call.h"

#include <inttypes.h>
#include <strings.h>

#define MAX_CLIENT 64 /* bytes of a client's name that are kept */

const char *const http_protocol_types[] = {"application/x-amz-json-1.0", HTTP_JSON, NULL};

static struct span optional(const char *text)
{
    return text ? span_of(text) : (struct span){"", 0};
}

/* Applies fault rules to the reply. */
static void disturb(struct http_handler *h, struct http_exchange *x, const struct disturbance *d)
{
    struct http_reply *reply = &x->reply;

    x->delay_ms = (int)d->delay_ms;
    reply->dropped = d->dropped;
    if (d->date_skew_ms)
        http_reply_skewed(h, d->date_skew_ms);
    if (d->wrong_crc)
        http_reply_wrong_crc(h);
    if (d->cut) {
        reply->close = true;
        reply->body.len = d->cut_bytes < reply->body.len ? (size_t)d->cut_bytes : reply->body.len;
    }
}

/* Replies with an error in the form of the service. */
static void refuse_request(struct http_handler *h, struct http_exchange *x,
                           const struct http_protocol_call *call, enum error_kind kind,
                           const char *why)
{
    struct reply answer;

    dispatch_refuse(worlds_memory(h->worlds), kind, why, &answer);
    call->reply(h, x, &answer, call);
}

/* If the server separates regions, the request uses the tables of the region that it is signed
 * for. */
static void find_region(const struct http_handler *h, const struct http_claim *claim,
                        struct buf *message, struct request *inner)
{
    const struct settings *settings = world_settings(worlds_first(h->worlds));

    if (!settings->regional || inner->auth_error != ERROR_NONE)
        return;
    inner->auth_error = http_auth_region(claim, &inner->region, message);
    inner->auth_message = buf_span(message);
    inner->region = op_region_signed(settings, inner->region);
}

/* Returns the body as JSON. The body of a refused request is not read. */
static struct span body_of(struct http_handler *h, const struct http_protocol_call *call,
                           enum error_kind wrong)
{
    if (!call->convert)
        return call->body;
    return wrong == ERROR_NONE ? call->convert(h, call) : SPAN_LIT("{}");
}

/* "Boto3/1.34.0", which names the SDK and its version. */
static struct span client_of(struct http_handler *h, const struct http_request *request)
{
    struct span client = optional(request->fields.user_agent);

    client.len = strcspn(client.at, " ");
    if (client.len > MAX_CLIENT)
        client.len = MAX_CLIENT;
    return utf8_of_field(h->arena, client);
}

/* The answer to a request that had one. */
static void reply_answer(struct http_handler *h, struct http_exchange *x,
                         const struct http_protocol_call *call, const struct worlds_answer *answer)
{
    call->reply(h, x, &answer->reply, call);
    if (!answer->world)
        return;
    if (answer->explanation)
        http_reply_header(&x->reply, "x-mockddb-explain",
                          arena_printf(h->arena, "%" PRIu64, answer->explanation));
    x->reply.world = answer->world;
    http_admin_wake(h);
    if (answer->reply.disturbance)
        disturb(h, x, answer->reply.disturbance);
}

void http_protocol_run(struct http_handler *h, struct http_exchange *x,
                       const struct http_protocol_call *call)
{
    const struct http_request *request = &x->request;
    const char *problem = http_world_problem(h, request);
    struct buf message;
    struct worlds_call inner = {
        .request = {.target = call->target,
                    .host = optional(request->fields.host),
                    .in_slices = true},
        .explains = call->explains,
    };
    struct http_claim claim;
    struct worlds_answer answer;

    if (problem) {
        refuse_request(h, x, call, ERROR_VALIDATION, problem);
        return;
    }
    message = buf_in(h->arena);
    inner.request.auth_error = http_signature_check(h, request, &claim, &message);
    inner.request.auth_message = buf_span(&message);
    inner.world = http_world_name(h, request, &claim);
    inner.world_exists = http_world_asks(h, request->fields.x_mockddb_world_exists);
    inner.request.body = body_of(h, call, inner.request.auth_error);
    inner.request.client = client_of(h, request);
    inner.request.access_key = utf8_of_field(h->arena, http_auth_access_key(h->arena, &claim));
    find_region(h, &claim, &message, &inner.request);
    inner.request.auth_message = utf8_of_field(h->arena, inner.request.auth_message);
    inner.request.aside = http_world_asks(h, request->fields.x_mockddb_aside);
    inner.keeps_explanation = call->explains &&
                              http_world_asks(h, request->fields.x_mockddb_explain);
    switch (worlds_call(h->worlds, h->arena, &inner, &answer)) {
    case WORLDS_ANSWERED:
        reply_answer(h, x, call, &answer);
        return;
    case WORLDS_UNFINISHED:
        http_admin_hold(h, x);
        return;
    case WORLDS_WAITS_FOR_COPY:
        http_admin_hold_for_copy(h, x);
        return;
    case WORLDS_WAITS_FOR_CLOCK:
        http_admin_hold_for_clock(h, x, answer.world);
        return;
    }
}

static void reply_as_json(struct http_handler *h, struct http_exchange *x,
                          const struct reply *answer, const struct http_protocol_call *call)
{
    (void)call;
    http_reply_json(h, x, answer);
}

/* Whether the request is allowed; checked first because it is cheaper than decompressing. */
static bool is_signed(const struct http_handler *h, const struct http_request *request)
{
    struct http_claim claim;
    struct buf message = buf_in(h->arena);

    return http_signature_check(h, request, &claim, &message) == ERROR_NONE;
}

/* Decompresses a body; signatures cover the compressed bytes. A malformed body, or one of a refused
 * request, counts as empty. Returns false if it is larger than a request may be. */
static bool unpack(struct http_handler *h, const struct http_request *request, struct span *body)
{
    const char *encoding = request->fields.content_encoding;
    enum packed_form form = PACKED_GZIP;
    struct buf unpacked = buf_in(h->arena);

    *body = request->body;
    if (!encoding || !body->len)
        return true;
    if (strcasecmp(encoding, "deflate") == 0)
        form = PACKED_ZLIB;
    else if (strcasecmp(encoding, "gzip") != 0)
        return true;
    *body = (struct span){"", 0};
    if (h->options.keys && !is_signed(h, request))
        return true;
    if (request->body.len > HTTP_MAX_PACKED)
        return false;
    if (!packed_unpack(form, request->body, LIMIT_REQUEST_BYTES, &unpacked))
        *body = buf_span(&unpacked);
    return unpacked.len <= LIMIT_REQUEST_BYTES;
}

void http_protocol_operation(struct http_handler *h, struct http_exchange *x)
{
    struct http_protocol_call call = {
        .target = optional(x->request.fields.x_amz_target),
        .reply = reply_as_json,
        .explains = true,
    };

    arena_reset(h->arena);
    if (unpack(h, &x->request, &call.body)) {
        http_protocol_run(h, x, &call);
        return;
    }
    http_reply_begin(x, 413);
    http_reply_header(&x->reply, "Content-Length", "0");
}

void http_protocol_health(struct http_handler *h, struct http_exchange *x)
{
    const char *host = x->request.fields.host;
    struct buf text;

    if (h->options.local_mode) {
        /* Programs that start DynamoDB Local poll until they get this answer. */
        http_reply_body(
            h, x, 400, http_protocol_types[0],
            SPAN_LIT(
                "{\"__type\":\"com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken\","
                "\"message\":\"Request must contain either a valid (registered) AWS access key ID "
                "or X.509 certificate.\"}"));
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
