#include "http/http_reply.h"

#include "base/crc32.h"

#include <assert.h>
#include <stdio.h>

#define GZIP_FROM ((size_t)4096) /* a smaller reply fits into a packet or two */

void http_reply_header(struct http_reply *reply, const char *name, const char *value)
{
    assert(reply->header_count < HTTP_MAX_HEADERS);
    reply->headers[reply->header_count++] = (struct http_header){name, value};
}

static const char *write_date(struct http_handler *h, int64_t skew_ms)
{
    time_t now = (time_t)((clock_now_ms(h->clock) + skew_ms) / 1000);
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

void http_reply_begin(struct http_exchange *x, int status)
{
    x->reply = (struct http_reply){
        .status = status,
        .reason = http_message_reason(status),
        .body = {"", 0},
        .close = !http_message_keeps_alive(&x->request),
    };
}

static const char *connection(const struct http_reply *reply)
{
    return reply->close ? "close" : "keep-alive";
}

/* The headers are in the service's order. */
void http_reply_body(struct http_handler *h, struct http_exchange *x, int status,
                     const char *content_type, struct span body)
{
    struct http_reply *reply = &x->reply;

    http_reply_begin(x, status);
    reply->body = body;
    (void)snprintf(h->length, sizeof h->length, "%zu", body.len);
    (void)snprintf(h->crc32, sizeof h->crc32, "%lu", (unsigned long)crc32_of(body));
    http_reply_header(reply, "Server", "Server");
    http_reply_header(reply, "Date", write_date(h, 0));
    if (content_type)
        http_reply_header(reply, "Content-Type", content_type);
    if (status != 304) /* with 304 it would be the length of the body that is not sent */
        http_reply_header(reply, "Content-Length", h->length);
    http_reply_header(reply, "Connection", connection(reply));
    http_reply_header(reply, "x-amzn-RequestId", write_request_id(h));
    http_reply_header(reply, "x-amz-crc32", h->crc32);
}

/* HTTP/1.0 has no chunks: the end of the connection ends the body. */
void http_reply_stream(struct http_handler *h, struct http_exchange *x, int status,
                       const char *content_type)
{
    struct http_reply *reply = &x->reply;

    http_reply_begin(x, status);
    reply->close = reply->close || x->request.http_1_0;
    http_reply_header(reply, "Server", "Server");
    http_reply_header(reply, "Date", write_date(h, 0));
    http_reply_header(reply, "Content-Type", content_type);
    if (!x->request.http_1_0)
        http_reply_header(reply, "Transfer-Encoding", "chunked");
    http_reply_header(reply, "Connection", connection(reply));
    http_reply_header(reply, "x-amzn-RequestId", write_request_id(h));
    x->pace = HTTP_STREAM;
}

/* Headers point to these texts. */
void http_reply_skewed(struct http_handler *h, int64_t ms)
{
    (void)write_date(h, ms);
}

void http_reply_wrong_crc(struct http_handler *h)
{
    h->crc32[0] = h->crc32[0] == '1' ? '2' : '1';
}

void http_reply_unknown(struct http_handler *h, struct http_exchange *x)
{
    http_reply_body(h, x, 404, "text/xml", SPAN_LIT("<UnknownOperationException/>\n"));
}

void http_reply_problem(struct http_handler *h, struct http_exchange *x, int status,
                        const char *message)
{
    struct buf out = buf_in(h->arena);

    buf_add_text(&out, "{\"message\":");
    buf_add_json_string(&out, span_of(message));
    buf_add_text(&out, "}\n");
    http_reply_body(h, x, status, HTTP_JSON, buf_span(&out));
}

void http_reply_message(struct http_handler *h, struct http_exchange *x, int status,
                        const char *message)
{
    arena_reset(h->arena);
    http_reply_problem(h, x, status, message);
}

/* --- answers of dispatch ---------------------------------------------------------------------- */

/* A reply has the content type of its request. */
static const char *const reply_types[] = {"application/x-amz-json-1.0", HTTP_JSON,
                                          "application/x-amz-json-1.1", NULL};

void http_reply_json(struct http_handler *h, struct http_exchange *x, const struct reply *answer)
{
    const struct http_fields *fields = &x->request.fields;
    const char *type = http_route_type(fields->content_type, reply_types);
    bool gzip = answer->body.len >= GZIP_FROM && http_gzip_accepted(fields->accept_encoding);

    http_reply_body(h, x, answer->status, type ? type : HTTP_JSON,
                    gzip ? http_gzip(h->gzip, answer->body) : answer->body);
    x->reply.in_buffer = answer->in_buffer && !gzip;
    if (gzip)
        http_reply_header(&x->reply, "Content-Encoding", "gzip");
}

void http_reply_internal_error(struct http_handler *h, struct http_exchange *x)
{
    struct reply answer;

    dispatch_internal_error(world_dispatcher(worlds_first(h->worlds)), &answer);
    http_reply_json(h, x, &answer);
}
