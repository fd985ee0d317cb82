#include "http/http_service.h"

#include "base/cut.h"
#include "http/http_protocol.h"
#include "http/http_reply.h"
#include "wire/wire_cbor.h"
#include "wire/wire_query.h"

#define CBOR "application/cbor"

const char *const http_service_json_types[] = {"application/x-amz-json-1.1",
                                               "application/x-amz-json-1.0", HTTP_JSON, NULL};
const char *const http_service_cbor_types[] = {CBOR, NULL};

/* The services with the query protocol, by the version of their API. */
static const struct service {
    const char *version;
    enum op_service service;
    const char *target; /* prefix of X-Amz-Target in JSON */
    const char *xmlns;
} services[] = {
    {"2010-08-01", OP_MONITORING, "GraniteServiceVersion20100801.",
     "http://monitoring.amazonaws.com/doc/2010-08-01/"},
    {"2011-06-15", OP_IDENTITY, "AWSSecurityTokenServiceV20110615.",
     "https://sts.amazonaws.com/doc/2011-06-15/"},
};

/* --- errors ----------------------------------------------------------------------------------- */

/* Names of errors in the query protocol that are not the type without "Exception". */
static const struct {
    const char *type, *code;
} codes[] = {
    {"MissingRequiredParameterException", "MissingParameter"},
    {"ValidationException", "ValidationError"},
    {"UnknownOperationException", "InvalidAction"},
    {"InternalServerError", "InternalServiceError"},
    {"SerializationException", "MalformedInput"},
};

/* The error's code, from dispatch's reply. */
static const char *code_of(struct arena *a, const wire_node *error)
{
    struct span type = wire_text(wire_get(error, "__type"));

    if (span_has(type, '#'))
        (void)cut_part(&type, '#');
    for (size_t i = 0; i < COUNT(codes); i++)
        if (span_is(type, codes[i].type))
            return codes[i].code;
    (void)cut_ending(&type, "Exception");
    return arena_text(a, type);
}

static struct span message_of(const wire_node *error)
{
    struct span text = wire_text(wire_get(error, "message"));

    return text.at ? text : wire_text(wire_get(error, "Message"));
}

static const char *fault_of(const struct reply *answer)
{
    return answer->status < 500 ? "Sender" : "Receiver";
}

/* Parses the reply's JSON; NULL for an empty one. */
static const wire_node *parse_reply(struct http_handler *h, const struct reply *answer)
{
    const wire_node *body;

    return answer->body.len && !wire_parse(h->arena, answer->body, &body) ? body : NULL;
}

/* Adds x-amzn-query-error: "InvalidParameterValue;Sender". */
static void put_code(struct http_handler *h, struct http_exchange *x, const struct reply *answer,
                     const wire_node *body)
{
    if (answer->status >= 400)
        http_reply_header(
            &x->reply, "x-amzn-query-error",
            arena_printf(h->arena, "%s;%s", code_of(h->arena, body), fault_of(answer)));
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void reply_json(struct http_handler *h, struct http_exchange *x, const struct reply *answer,
                       const struct http_protocol_call *call)
{
    (void)call;
    http_reply_json(h, x, answer);
    put_code(h, x, answer, answer->status < 400 ? NULL : parse_reply(h, answer));
}

void http_service_json(struct http_handler *h, struct http_exchange *x)
{
    struct http_protocol_call call = {
        .target = span_of(x->request.fields.x_amz_target),
        .body = x->request.body,
        .reply = reply_json,
    };

    arena_reset(h->arena);
    http_protocol_run(h, x, &call);
}

/* --- CBOR ------------------------------------------------------------------------------------- */

static const struct wire_member error_members[] = {
    {"__type", &wire_string, 0},
    {"message", &wire_string, 0},
    {"Message", &wire_string, 0},
    {NULL, NULL, 0},
};

static void reply_cbor(struct http_handler *h, struct http_exchange *x, const struct reply *answer,
                       const struct http_protocol_call *call)
{
    const wire_node *body = parse_reply(h, answer);
    struct buf out = buf_in(h->arena);
    bool good = answer->status < 400 && call->op;

    wire_cbor_write(&out, good ? call->op->result : error_members, body);
    http_reply_body(h, x, answer->status, CBOR, buf_span(&out));
    http_reply_header(&x->reply, "smithy-protocol", "rpc-v2-cbor");
    put_code(h, x, answer, body);
}

/* Invalid CBOR is answered like invalid JSON. */
static struct span read_cbor(struct http_handler *h, const struct http_protocol_call *call)
{
    struct span json = SPAN_LIT("{}");

    if (call->body.len && !wire_cbor_read(h->arena, call->body, &json))
        return SPAN_LIT("?");
    return json;
}

/* /service/GraniteServiceVersion20100801/operation/GetMetricData; an empty body is an empty map. */
void http_service_cbor(struct http_handler *h, struct http_exchange *x)
{
    struct span path = http_route_path(x->request.uri), name;
    struct http_protocol_call call = {
        .body = x->request.body, .convert = read_cbor, .reply = reply_cbor};
    size_t from = path.len;

    arena_reset(h->arena);
    while (from && path.at[from - 1] != '/')
        from--;
    name = span_from(path, from);
    call.op = op_find(OP_MONITORING, name);
    call.target = span_of(arena_printf(h->arena, "%s%.*s", services[0].target, SPAN_ARG(name)));
    http_protocol_run(h, x, &call);
}

/* --- query ------------------------------------------------------------------------------------ */

static const struct service *find_service(const struct wire_form *form)
{
    struct span version = wire_query_field(form, "Version");

    for (size_t i = 0; i < COUNT(services); i++)
        if (span_is(version, services[i].version))
            return &services[i];
    return NULL;
}

static void reply_xml(struct http_handler *h, struct http_exchange *x, const struct reply *answer,
                      const struct http_protocol_call *call)
{
    const struct service *service = call->service;
    const wire_node *body = parse_reply(h, answer);
    struct buf out = buf_in(h->arena);

    if (answer->status < 400 && call->op) {
        buf_printf(&out, "<%sResponse xmlns=\"%s\"><%sResult>", call->op->name, service->xmlns,
                   call->op->name);
        wire_query_xml(h->arena, &out, call->op->result, body);
        buf_printf(&out,
                   "</%sResult><ResponseMetadata><RequestId>%s</RequestId></ResponseMetadata>"
                   "</%sResponse>",
                   call->op->name, clock_uuid(h->clock, h->arena), call->op->name);
    } else {
        buf_printf(&out,
                   "<ErrorResponse xmlns=\"%s\"><Error><Type>%s</Type><Code>%s</Code><Message>",
                   service->xmlns, fault_of(answer), code_of(h->arena, body));
        wire_query_add_text(&out, message_of(body));
        buf_printf(&out, "</Message></Error><RequestId>%s</RequestId></ErrorResponse>",
                   clock_uuid(h->clock, h->arena));
    }
    buf_add_char(&out, '\n');
    http_reply_body(h, x, answer->status, "text/xml", buf_span(&out));
}

static struct span read_form(struct http_handler *h, const struct http_protocol_call *call)
{
    return call->op ? wire_query_json(h->arena, call->op->members, call->form) : SPAN_LIT("{}");
}

void http_service_query(struct http_handler *h, struct http_exchange *x)
{
    struct http_protocol_call call = {.convert = read_form, .reply = reply_xml};
    const struct service *service;
    struct wire_form form;
    struct span action;

    arena_reset(h->arena);
    if (!wire_query_read(h->arena, x->request.body, &form) || !(service = find_service(&form))) {
        http_reply_unknown(h, x);
        return;
    }
    action = wire_query_field(&form, "Action");
    call.service = service;
    call.op = op_find(service->service, action);
    call.target = span_of(arena_printf(h->arena, "%s%.*s", service->target, SPAN_ARG(action)));
    call.form = &form;
    http_protocol_run(h, x, &call);
}
