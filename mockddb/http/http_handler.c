#include "http/http_handler.h"

#include "base/crc32.h"
#include "http/http_auth.h"
#include "http/http_door.h"
#include "http/http_gzip.h"
#include "http/http_signature.h"
#include "model/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <time.h>

#define REQUEST_ID_LEN 52
#define GZIP_FROM      ((size_t)4096) /* a smaller reply fits a packet or two as it is */

struct http_handler {
    struct worlds *worlds;
    struct clock *clock;
    const char *cors_origins, *host;
    const struct http_keys *keys;
    struct arena *arena; /* of the request at hand */
    struct http_gzip *gzip;
    char *health; /* the text for GET */

    /* Values of reply headers. */
    const char *connection;
    time_t date_of;
    char date[32];
    char length[24];
    char request_id[REQUEST_ID_LEN + 1];
    char crc32[16];
};

struct http_handler *http_handler_new(struct worlds *worlds, struct clock *clock,
                                      const struct http_handler_options *options)
{
    struct http_handler *h = calloc(1, sizeof *h);
    char health[256];

    if (!h)
        out_of_memory();
    (void)snprintf(health, sizeof health, "healthy: dynamodb.%.*s.amazonaws.com ",
                   SPAN_ARG(options->region));
    if (!(h->health = strdup(health)))
        out_of_memory();
    h->worlds = worlds;
    h->clock = clock;
    h->cors_origins = options->cors_origins;
    h->host = options->host;
    h->keys = options->keys;
    h->arena = arena_new();
    h->gzip = http_gzip_new();
    return h;
}

void http_handler_free(struct http_handler *h)
{
    if (!h)
        return;
    arena_free(h->arena);
    http_gzip_free(h->gzip);
    free(h->health);
    free(h);
}

/* --- reply headers --------------------------------------------------------------------------- */

static void add(struct http_reply *reply, const char *name, const char *value)
{
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
    unsigned char bytes[REQUEST_ID_LEN];

    clock_random(h->clock, bytes, sizeof bytes);
    for (size_t i = 0; i < REQUEST_ID_LEN; i++)
        h->request_id[i] = digits[bytes[i] % 32];
    return h->request_id;
}

/* The headers of every reply, in the service's order. */
static void add_headers(struct http_handler *h, struct http_reply *reply, const char *content_type)
{
    (void)snprintf(h->length, sizeof h->length, "%zu", reply->body.len);
    (void)snprintf(h->crc32, sizeof h->crc32, "%lu", (unsigned long)crc32_of(reply->body));
    add(reply, "Server", "Server");
    add(reply, "Date", write_date(h));
    if (content_type)
        add(reply, "Content-Type", content_type);
    add(reply, "Content-Length", h->length);
    add(reply, "Connection", h->connection);
    add(reply, "x-amzn-RequestId", write_request_id(h));
    add(reply, "x-amz-crc32", h->crc32);
}

static void set_status(struct http_reply *reply, int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        {200, "OK"},
        {400, "Bad Request"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {413, "Request Entity Too Large"},
        {500, "Internal Server Error"},
    };

    reply->status = status;
    reply->reason = "";
    for (size_t i = 0; i < COUNT(reasons); i++)
        if (reasons[i].status == status)
            reply->reason = reasons[i].reason;
}

static void reply_text(struct http_handler *h, struct http_reply *reply, int status,
                       const char *content_type, const char *text)
{
    set_status(reply, status);
    reply->body = span_of(text);
    add_headers(h, reply, content_type);
}

/* --- CORS ------------------------------------------------------------------------------------ */

/* What to allow for the origin: everybody, that origin, or NULL for nobody. */
static const char *allowed_origin(const struct http_handler *h, const char *origin)
{
    const char *at = h->cors_origins;

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

static void add_cors(const struct http_handler *h, const struct http_request *request,
                     struct http_reply *reply)
{
    const char *origin = request->fields.origin;
    const char *allowed = origin ? allowed_origin(h, origin) : NULL;

    if (allowed)
        add(reply, "Access-Control-Allow-Origin", allowed);
}

static void reply_preflight(struct http_handler *h, const struct http_fields *fields,
                            struct http_reply *reply)
{
    reply_text(h, reply, 200, NULL, "");
    add(reply, "Access-Control-Max-Age", "172800");
    if (fields->access_control_request_headers)
        add(reply, "Access-Control-Allow-Headers", fields->access_control_request_headers);
    if (fields->access_control_request_method)
        add(reply, "Access-Control-Allow-Methods", fields->access_control_request_method);
}

/* --- the protocol ---------------------------------------------------------------------------- */

#define JSON_1_0 "application/x-amz-json-1.0"
#define JSON     "application/json"

/* The reply's content type for the request's; NULL when it is none that the protocol has. */
static const char *json_type(const char *content_type)
{
    static const char *const types[] = {JSON_1_0, JSON};
    size_t len;

    if (!content_type)
        return NULL;
    content_type += strspn(content_type, " \t");
    len = strcspn(content_type, "; \t");
    for (size_t i = 0; i < COUNT(types); i++)
        if (len == strlen(types[i]) && strncasecmp(content_type, types[i], len) == 0)
            return types[i];
    return NULL;
}

static struct span optional(const char *text)
{
    return text ? span_of(text) : (struct span){"", 0};
}

static void send_json(struct http_handler *h, const struct http_request *request,
                      const struct reply *answer, struct http_reply *reply)
{
    const char *type = json_type(request->fields.content_type);
    bool gzip = answer->body.len >= GZIP_FROM &&
                http_gzip_accepted(request->fields.accept_encoding);

    set_status(reply, answer->status);
    reply->body = gzip ? http_gzip(h->gzip, answer->body) : answer->body;
    reply->in_buffer = answer->in_buffer && !gzip;
    add_headers(h, reply, type ? type : JSON);
    if (gzip)
        add(reply, "Content-Encoding", "gzip");
}

static enum error_kind check_auth(const struct http_handler *h, const struct http_request *request,
                                  struct buf *message)
{
    struct http_claim claim;
    enum error_kind wrong = http_check_auth(request, &claim, message);

    if (wrong != ERROR_NONE || !h->keys)
        return wrong;
    return http_verify_signature(h->arena, h->keys, clock_now_ms(h->clock), request, &claim,
                                 message);
}

static void reply_operation(struct http_handler *h, const struct http_request *request,
                            struct http_reply *reply)
{
    struct buf message = buf_in(h->arena);
    struct request inner = {
        .target = optional(request->fields.x_amz_target),
        .body = request->body,
        .host = optional(request->fields.host),
    };
    struct reply answer;

    arena_reset(h->arena);
    inner.auth_error = check_auth(h, request, &message);
    inner.auth_message = buf_span(&message);
    reply->world = worlds_first(h->worlds);
    dispatch(world_dispatcher(reply->world), &inner, &answer);
    send_json(h, request, &answer, reply);
}

static void reply_unknown(struct http_handler *h, struct http_reply *reply)
{
    reply_text(h, reply, 404, "text/xml", "<UnknownOperationException/>\n");
}

static void reply_protocol(struct http_handler *h, const struct http_request *request,
                           struct http_reply *reply)
{
    if (request->method == HTTP_OPTIONS && request->fields.origin)
        reply_preflight(h, &request->fields, reply);
    else if (request->method == HTTP_GET)
        reply_text(h, reply, 200, "text/plain", h->health);
    else if (request->method != HTTP_POST ||
             (request->body.len && !json_type(request->fields.content_type)))
        reply_unknown(h, reply);
    else
        reply_operation(h, request, reply);
    add_cors(h, request, reply);
}

/* --- pages of our own ------------------------------------------------------------------------ */

#define OWN_PATH "/_mockddb/"

static void reply_message(struct http_handler *h, struct http_reply *reply, int status,
                          const char *message)
{
    arena_reset(h->arena);
    reply_text(h, reply, status, JSON, arena_printf(h->arena, "{\"message\":\"%s\"}\n", message));
}

/* No CORS here: pages of other sites must not read or change anything through a browser. */
static void reply_own_page(struct http_handler *h, const struct http_request *request,
                           struct http_reply *reply)
{
    struct span page = {request->uri, strcspn(request->uri, "?")};
    const char *refusal = http_door_refuses(h->host, request->port, &request->fields);

    if (refusal)
        reply_message(h, reply, 403, refusal);
    else if (request->method == HTTP_GET && span_is(page, OWN_PATH "health"))
        reply_text(h, reply, 200, JSON,
                   "{\"status\":\"ok\",\"version\":\"" MOCKDDB_VERSION "\"}\n");
    else
        reply_message(h, reply, 404, "there is no such page");
}

/* What follows on the connection might not be a request. */
static void reply_and_close(struct http_reply *reply, int status)
{
    set_status(reply, status);
    reply->body = (struct span){"", 0};
    add(reply, "Content-Length", "0");
    add(reply, "Connection", "close");
}

/* Front ends are lenient about chunks ("+2", "0x2", no line end after the data), so where they end
 * might be somewhere else for who is in front of us: what follows is no request. */
static void begin_reply(struct http_handler *h, const struct http_request *request,
                        struct http_reply *reply)
{
    reply->header_count = 0;
    reply->in_buffer = false;
    reply->world = NULL;
    h->connection = request->fields.transfer_encoding ? "close" : "keep-alive";
}

void http_handle(struct http_handler *h, const struct http_request *request,
                 struct http_reply *reply)
{
    begin_reply(h, request, reply);
    if (request->fields.ambiguous) {
        reply_and_close(reply, 400);
    } else if (request->body.len > LIMIT_REQUEST_BYTES) {
        reply_and_close(reply, 413);
    } else if (strncmp(request->uri, OWN_PATH, sizeof OWN_PATH - 1) == 0) {
        reply_own_page(h, request, reply);
    } else {
        reply_protocol(h, request, reply);
    }
}

void http_handle_lost(struct http_handler *h, const struct http_request *request,
                      struct http_reply *reply)
{
    struct reply answer;

    begin_reply(h, request, reply);
    dispatch_internal_error(world_dispatcher(worlds_first(h->worlds)), &answer);
    send_json(h, request, &answer, reply);
    add_cors(h, request, reply);
}
