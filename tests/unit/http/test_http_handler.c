#include "model/limits.h"
#include "unit.h"

#include <stdio.h>

#include "base/crc32.h"
#include "http/http_admin.h"
#include "http/http_handler.h"
#include "support/offline_server.h"
#include "support/worlds_at_once.h"

#define AUTHORIZATION "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=0"
#define NOW_MS        1704067200000 /* Mon, 01 Jan 2024 00:00:00 GMT */
#define JSON_1_0      "application/x-amz-json-1.0"

static struct worlds *worlds;
static struct clock *test_clock;
static struct http_handler *handler;
static struct http_reply reply;

static void start(const char *origins)
{
    struct http_handler_options options = {.region = SPAN_LIT("us-east-1"),
                                           .door = {.served = "127.0.0.1", .origins = origins}};

    worlds = offline_worlds_new(arena, &(struct offline_options){.now_ms = NOW_MS, .seed = 1},
                                &test_clock);
    handler = http_handler_new(worlds, test_clock, &options);
}

static void stop(void)
{
    http_handler_free(handler);
    worlds_free(worlds);
}

/* A request that is answered with {"TableNames":[]}. */
static struct http_request list_tables(void)
{
    struct http_request request = {.method = HTTP_POST, .uri = "/", .body = SPAN_LIT("{}")};

    http_message_note(&request.fields, "Host", "127.0.0.1:8000");
    http_message_note(&request.fields, "authorization", AUTHORIZATION);
    http_message_note(&request.fields, "Content-Type", JSON_1_0);
    http_message_note(&request.fields, "x-amz-date", "20240101T000000Z");
    http_message_note(&request.fields, "X-AMZ-TARGET", "DynamoDB_20120810.ListTables");
    http_message_note(&request.fields, "X-Amz-Targets", "not that one");
    return request;
}

static const char *header(const char *name)
{
    for (size_t i = 0; i < reply.header_count; i++)
        if (strcmp(reply.headers[i].name, name) == 0)
            return reply.headers[i].value;
    return NULL;
}

static void handle(const struct http_request *request)
{
    struct http_exchange x = {.request = *request};

    http_handler_answer(handler, &x);
    reply = x.reply;
}

static void is(int status, const char *reason, const char *body)
{
    ck_assert_int_eq(reply.status, status);
    ck_assert_str_eq(reply.reason, reason);
    ck_assert_span_eq(reply.body, body);
}

START_TEST(nothing_follows_a_request_in_chunks)
{
    struct http_request request = list_tables();

    start("*");
    request.fields.transfer_encoding = "chunked";
    handle(&request);
    is(200, "OK", "{\"TableNames\":[]}");
    ck_assert_str_eq(header("Connection"), "close");
    stop();
}
END_TEST

START_TEST(replies_carry_the_services_headers_in_its_order)
{
    static const char *const order[] = {
        "Server",           "Date",        "Content-Type", "Content-Length", "Connection",
        "x-amzn-RequestId", "x-amz-crc32",
    };
    struct http_request request = list_tables();
    const char *first_id;

    start("*");
    handle(&request);
    is(200, "OK", "{\"TableNames\":[]}");
    ck_assert_uint_eq(reply.header_count, COUNT(order));
    for (size_t i = 0; i < COUNT(order); i++)
        ck_assert_str_eq(reply.headers[i].name, order[i]);
    ck_assert_str_eq(header("Server"), "Server");
    ck_assert_str_eq(header("Date"), "Mon, 01 Jan 2024 00:00:00 GMT");
    ck_assert_str_eq(header("Content-Type"), JSON_1_0);
    ck_assert_str_eq(header("Content-Length"), "17");
    ck_assert_str_eq(header("Connection"), "keep-alive");
    ck_assert_str_eq(header("x-amz-crc32"), "1315925753");
    first_id = arena_text(arena, span_of(header("x-amzn-RequestId")));
    ck_assert_uint_eq(strlen(first_id), 52);
    ck_assert_uint_eq(strspn(first_id, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 52);
    clock_advance(test_clock, 61000);
    handle(&request);
    ck_assert_str_ne(header("x-amzn-RequestId"), first_id);
    ck_assert_str_eq(header("Date"), "Mon, 01 Jan 2024 00:01:01 GMT");
    stop();
}
END_TEST

#define UNKNOWN_PAGE "<UnknownOperationException/>\n"

/* Changes to a request that is fine, and the answer: status, CRC (the service's), content type. */
static const struct {
    enum http_method method;
    const char *content_type, *body, *target, *authorization;
    int status;
    const char *type, *crc, *answer;
} requests[] = {
    {HTTP_GET, NULL, "", NULL, NULL, 404, "text/xml", "3552371480", UNKNOWN_PAGE},
    {HTTP_HEAD, NULL, "", NULL, NULL, 404, "text/xml", "3552371480", UNKNOWN_PAGE},
    {HTTP_OTHER, JSON_1_0, "{}", NULL, NULL, 404, "text/xml", "3552371480", UNKNOWN_PAGE},
    {HTTP_OPTIONS, NULL, "", NULL, NULL, 404, "text/xml", "3552371480", UNKNOWN_PAGE},
    {HTTP_POST, NULL, "{}", "DynamoDB_20120810.ListTables", AUTHORIZATION, 404, "text/xml",
     "3552371480", UNKNOWN_PAGE},
    {HTTP_POST, "application/x-amz-json-1.1", "{}", "DynamoDB_20120810.ListTables", AUTHORIZATION,
     404, "text/xml", "3552371480", UNKNOWN_PAGE},
    {HTTP_POST, "application/jsonx", "{}", NULL, NULL, 404, "text/xml", "3552371480", UNKNOWN_PAGE},
    {HTTP_POST, " Application/JSON ; charset=utf-8", "{}", "DynamoDB_20120810.ListTables",
     AUTHORIZATION, 200, "application/json", "1315925753", "{\"TableNames\":[]}"},
    {HTTP_POST, JSON_1_0, "{", "DynamoDB_20120810.ListTables", AUTHORIZATION, 400, JSON_1_0,
     "3948637019", "{\"__type\":\"com.amazon.coral.service#SerializationException\"}"},
    {HTTP_POST, JSON_1_0, "{", NULL, NULL, 400, JSON_1_0, "3948637019",
     "{\"__type\":\"com.amazon.coral.service#SerializationException\"}"},
    {HTTP_POST, JSON_1_0, "{}", NULL, NULL, 400, JSON_1_0, "1368724161",
     "{\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}"},
    {HTTP_POST, NULL, "", NULL, NULL, 400, "application/json", "1368724161",
     "{\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}"},
    {HTTP_POST, NULL, "", "DynamoDB_20120810.ListTables", AUTHORIZATION, 400, "application/json",
     "3948637019", "{\"__type\":\"com.amazon.coral.service#SerializationException\"}"},
    {HTTP_POST, JSON_1_0, "", "DynamoDB_20120810.ListTables", NULL, 400, JSON_1_0, NULL,
     "{\"__type\":\"com.amazon.coral.service#MissingAuthenticationTokenException\","
     "\"message\":\"Request is missing Authentication Token\"}"},
    {HTTP_POST, JSON_1_0, "{}", "DynamoDBStreams_20120810.ListTables", AUTHORIZATION, 400, JSON_1_0,
     "1368724161", "{\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}"},
};

START_TEST(sorts_requests_out_in_the_services_order)
{
    struct http_request request = {
        .method = requests[_i].method,
        .uri = "/some/path?x=1",
        .fields = {.content_type = requests[_i].content_type,
                   .x_amz_target = requests[_i].target,
                   .x_amz_date = "20240101T000000Z",
                   .authorization = requests[_i].authorization},
        .body = span_of(requests[_i].body),
    };
    char crc[16];

    start("*");
    handle(&request);
    ck_assert_int_eq(reply.status, requests[_i].status);
    ck_assert_span_eq(reply.body, requests[_i].answer);
    ck_assert_str_eq(header("Content-Type"), requests[_i].type);
    ck_assert_ptr_null(header("Access-Control-Allow-Origin"));
    (void)snprintf(crc, sizeof crc, "%u", (unsigned)crc32_of(reply.body));
    ck_assert_str_eq(header("x-amz-crc32"), requests[_i].crc ? requests[_i].crc : crc);
    stop();
}
END_TEST

/* Requests without a body for the root, and the answer to each. */
static const struct {
    enum http_method method;
    const char *host, *uri, *answer, *crc;
} healthy[] = {
    {HTTP_GET, "dynamodb.us-east-1.amazonaws.com", "/",
     "healthy: dynamodb.us-east-1.amazonaws.com ", "3128867991"},
    {HTTP_HEAD, "dynamodb.us-east-1.amazonaws.com", "/?a=b",
     "healthy: dynamodb.us-east-1.amazonaws.com ", "3128867991"},
    {HTTP_GET, "localhost:8000", "http://localhost:8000/", "healthy: localhost:8000 ", NULL},
    {HTTP_GET, NULL, "/", "healthy: dynamodb.us-east-1.amazonaws.com ", "3128867991"},
};

START_TEST(the_root_is_healthy_under_the_name_that_was_asked_for)
{
    struct http_request request = {.method = healthy[_i].method, .uri = healthy[_i].uri};

    start("*");
    request.fields.host = healthy[_i].host;
    handle(&request);
    is(200, "OK", healthy[_i].answer);
    ck_assert_str_eq(header("Content-Type"), "text/plain");
    if (healthy[_i].crc)
        ck_assert_str_eq(header("x-amz-crc32"), healthy[_i].crc);
    stop();
}
END_TEST

START_TEST(started_as_dynamodb_local_the_root_answers_as_that_does)
{
    struct http_handler_options options = {
        .region = SPAN_LIT("us-east-1"), .door = {.served = "127.0.0.1"}, .local_mode = true};
    struct http_request request = {.method = HTTP_GET, .uri = "/"};

    worlds = offline_worlds_new(arena, &(struct offline_options){.now_ms = NOW_MS, .seed = 1},
                                &test_clock);
    handler = http_handler_new(worlds, test_clock, &options);
    handle(&request);
    is(400, "Bad Request",
       "{\"__type\":\"com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken\",\"message\":"
       "\"Request must contain either a valid (registered) AWS access key ID or X.509 "
       "certificate.\"}");
    ck_assert_str_eq(header("Content-Type"), JSON_1_0);
    request = list_tables();
    handle(&request);
    is(200, "OK", "{\"TableNames\":[]}");
    stop();
}
END_TEST

static const struct {
    bool http_1_0;
    const char *connection, *answer;
} connections[] = {
    {false, NULL, "keep-alive"},   {false, "close", "close"},
    {false, "TE, Close", "close"}, {false, "keep-alive", "keep-alive"},
    {true, NULL, "close"},         {true, "Keep-Alive", "keep-alive"},
    {true, "close", "close"},
};

START_TEST(a_reply_says_whether_the_connection_goes_on)
{
    struct http_request request = list_tables();

    start("*");
    request.http_1_0 = connections[_i].http_1_0;
    request.fields.connection = connections[_i].connection;
    handle(&request);
    ck_assert_str_eq(header("Connection"), connections[_i].answer);
    ck_assert_int_eq(reply.close, strcmp(connections[_i].answer, "close") == 0);
    stop();
}
END_TEST

START_TEST(a_body_may_have_16_megabytes_and_no_more)
{
    struct http_request request = list_tables();
    char *body = arena_alloc_raw(arena, LIMIT_REQUEST_BYTES + 1);

    start("*");
    memset(body, ' ', LIMIT_REQUEST_BYTES + 1);
    body[0] = '{';
    body[1] = '}';
    request.body = (struct span){body, LIMIT_REQUEST_BYTES};
    handle(&request);
    is(200, "OK", "{\"TableNames\":[]}");
    request.body.len++;
    handle(&request);
    is(413, "Request Entity Too Large", "");
    ck_assert_str_eq(header("Connection"), "close");
    ck_assert_str_eq(header("Content-Length"), "0");
    ck_assert_ptr_null(header("x-amzn-RequestId"));
    stop();
}
END_TEST

/* --- CORS ------------------------------------------------------------------------------------- */

static const struct {
    const char *allowed, *origin, *answer;
} origins[] = {
    {"*", "http://a.example", "*"},
    {"*", NULL, NULL},
    {NULL, "http://localhost:3000", "*"},
    {"http://a.example", "http://localhost:3000", "http://localhost:3000"},
    {"http://a.example", "http://a.example", "http://a.example"},
    {"http://b.example, http://a.example", "http://a.example", "http://a.example"},
    {"http://b.example,*", "http://a.example", "*"},
};

START_TEST(pages_of_allowed_origins_may_read_replies)
{
    struct http_request request = list_tables();
    const char *allowed;

    start(origins[_i].allowed);
    request.fields.origin = origins[_i].origin;
    handle(&request);
    allowed = header("Access-Control-Allow-Origin");
    ck_assert_str_eq(allowed ? allowed : "none", origins[_i].answer ? origins[_i].answer : "none");
    ck_assert_int_eq(header("Access-Control-Expose-Headers") != NULL, origins[_i].answer != NULL);
    stop();
}
END_TEST

static const struct {
    const char *allowed, *origin;
} strangers[] = {
    {NULL, "http://a.example"},
    {NULL, "null"},
    {"http://b.example", "http://a.example"},
    {"http://a.example.org", "http://a.example"},
};

START_TEST(pages_of_other_origins_are_refused_in_one_sentence)
{
    struct http_request request = list_tables();
    enum http_method methods[] = {HTTP_POST, HTTP_OPTIONS, HTTP_GET, HTTP_PUT};

    start(strangers[_i].allowed);
    request.fields.origin = strangers[_i].origin;
    for (size_t i = 0; i < COUNT(methods); i++) {
        request.method = methods[i];
        handle(&request);
        is(403, "Forbidden",
           "{\"message\":\"pages of this origin may not use the server: --cors ORIGIN or "
           "--allow-host NAME lets them in\"}\n");
        ck_assert_ptr_null(header("Access-Control-Allow-Origin"));
    }
    stop();
}
END_TEST

START_TEST(a_preflight_repeats_what_was_asked)
{
    struct http_request request = {.method = HTTP_OPTIONS, .uri = "/", .body = SPAN_LIT("")};

    start("*");
    request.fields.origin = "http://a.example";
    handle(&request);
    is(200, "OK", "");
    ck_assert_str_eq(header("Content-Length"), "0");
    ck_assert_str_eq(header("Access-Control-Allow-Origin"), "*");
    ck_assert_str_eq(header("Access-Control-Expose-Headers"),
                     "x-amzn-errortype,x-amzn-requestid,x-amzn-errormessage,x-amzn-trace-id,"
                     "x-amz-request-id,x-amz-crc32,date");
    ck_assert_str_eq(header("Access-Control-Max-Age"), "172800");
    ck_assert_ptr_null(header("Access-Control-Allow-Headers"));
    ck_assert_ptr_null(header("Access-Control-Allow-Methods"));
    ck_assert_ptr_null(header("Content-Type"));
    request.fields.access_control_request_headers = "x-amz-target,authorization";
    request.fields.access_control_request_method = "POST";
    handle(&request);
    ck_assert_str_eq(header("Access-Control-Allow-Headers"), "x-amz-target,authorization");
    ck_assert_str_eq(header("Access-Control-Allow-Methods"), "POST");
    request.fields.x_mockddb_explain = "true";
    handle(&request);
    ck_assert_ptr_nonnull(strstr(header("Access-Control-Expose-Headers"), ",x-mockddb-explain"));
    stop();
}
END_TEST

/* --- pages of our own ------------------------------------------------------------------------- */

static const struct {
    enum http_method method;
    const char *uri, *origin;
    int status;
} pages[] = {
    {HTTP_GET, "/_mockddb/health", NULL, 200},
    {HTTP_GET, "/_mockddb/health?verbose", NULL, 200},
    {HTTP_GET, "/_mockddb/health", "http://localhost:8000", 200},
    {HTTP_HEAD, "/_mockddb/health", NULL, 200},
    {HTTP_GET, "http://localhost:8000/_mockddb/health", NULL, 200},
    {HTTP_GET, "http://localhost:8000/_mockddb/health", "http://a.example", 403},
    {HTTP_GET, "/_mockddb/healthy", NULL, 404},
    {HTTP_POST, "/_mockddb/", NULL, 404},
    {HTTP_POST, "/_mockddb/health", NULL, 404},
    {HTTP_OPTIONS, "/_mockddb/health", NULL, 404},
    {HTTP_GET, "/_mockddb/health", "http://a.example", 403},
    {HTTP_OPTIONS, "/_mockddb/health", "http://a.example", 403},
};

START_TEST(own_pages_are_json_and_not_for_other_sites)
{
    struct http_request request = {.method = pages[_i].method,
                                   .uri = pages[_i].uri,
                                   .port = 8000,
                                   .fields = {.host = "localhost:8000", .origin = pages[_i].origin},
                                   .body = SPAN_LIT("")};

    start("*");
    handle(&request);
    ck_assert_int_eq(reply.status, pages[_i].status);
    ck_assert_str_eq(header("Content-Type"), "application/json");
    ck_assert_ptr_null(header("Access-Control-Allow-Origin"));
    if (pages[_i].status == 200)
        ck_assert_span_eq(reply.body, "{\"status\":\"ok\",\"version\":\"" MOCKDDB_VERSION "\"}\n");
    stop();
}
END_TEST

/* --- gzip and lost replies -------------------------------------------------------------------- */

START_TEST(long_replies_are_packed_for_who_asks)
{
    struct http_request request = list_tables();
    char crc[16];

    start("*");
    request.fields.accept_encoding = "gzip";
    handle(&request);
    ck_assert_ptr_null(header("Content-Encoding"));
    request.fields.x_amz_target = "DynamoDB_20120810.DescribeTable";
    request.body = span_of(
        arena_printf(arena, "{\"TableName\":\"%0*d\"}", 5000, 1)); /* repeated in the error */
    handle(&request);
    ck_assert_int_eq(reply.status, 400);
    ck_assert_str_eq(header("Content-Encoding"), "gzip");
    ck_assert_uint_lt(reply.body.len, 1000);
    (void)snprintf(crc, sizeof crc, "%u", (unsigned)crc32_of(reply.body));
    ck_assert_str_eq(header("x-amz-crc32"), crc);
    request.fields.accept_encoding = "identity";
    handle(&request);
    ck_assert_ptr_null(header("Content-Encoding"));
    ck_assert_uint_gt(reply.body.len, 5000);
    stop();
}
END_TEST

/* The world is dropped after its clock has arrived, before the request has its turn. */
START_TEST(a_request_waits_for_no_clock_of_a_world_that_is_gone)
{
    struct http_exchange x = {.request = list_tables()};
    struct world *w;

    start("*");
    ck_assert_ptr_null(worlds_at_once_make(arena, worlds, SPAN_LIT("w"), NULL, &w));
    world_advance_begin(w, 1000);
    http_admin_hold_for_clock(handler, &x, w);
    ck_assert(!http_admin_is_due(handler));
    world_advance_end(w);
    ck_assert(http_admin_is_due(handler));
    ck_assert_ptr_null(worlds_drop(arena, worlds, world_name(w)));
    for (int turn = 0; turn < 3; turn++)
        worlds_flush(worlds);
    ck_assert(http_admin_is_due(handler));
    x.on_gone(&x);
    stop();
}
END_TEST

START_TEST(a_lost_reply_becomes_an_internal_error)
{
    struct http_exchange x = {0};
    struct http_request request = list_tables();

    start("*");
    request.fields.origin = "http://a.example";
    x.request = request;
    x.route = http_handler_route(handler, &request);
    http_handler_lose(handler, &x);
    reply = x.reply;
    is(500, "Internal Server Error",
       "{\"__type\":\"com.amazonaws.dynamodb.v20120810#InternalServerError\","
       "\"message\":\"Internal server error\"}");
    ck_assert_str_eq(header("Content-Type"), JSON_1_0);
    ck_assert_str_eq(header("Access-Control-Allow-Origin"), "*");
    stop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, replies_carry_the_services_headers_in_its_order);
    tcase_add_test(tc, nothing_follows_a_request_in_chunks);
    tcase_add_loop_test(tc, sorts_requests_out_in_the_services_order, 0, COUNT(requests));
    tcase_add_loop_test(tc, the_root_is_healthy_under_the_name_that_was_asked_for, 0,
                        COUNT(healthy));
    tcase_add_test(tc, started_as_dynamodb_local_the_root_answers_as_that_does);
    tcase_add_loop_test(tc, a_reply_says_whether_the_connection_goes_on, 0, COUNT(connections));
    tcase_add_test(tc, a_body_may_have_16_megabytes_and_no_more);
    tcase_add_loop_test(tc, pages_of_allowed_origins_may_read_replies, 0, COUNT(origins));
    tcase_add_loop_test(tc, pages_of_other_origins_are_refused_in_one_sentence, 0,
                        COUNT(strangers));
    tcase_add_test(tc, a_preflight_repeats_what_was_asked);
    tcase_add_loop_test(tc, own_pages_are_json_and_not_for_other_sites, 0, COUNT(pages));
    tcase_add_test(tc, long_replies_are_packed_for_who_asks);
    tcase_add_test(tc, a_lost_reply_becomes_an_internal_error);
    tcase_add_test(tc, a_request_waits_for_no_clock_of_a_world_that_is_gone);
}

UNIT_TESTS(http_handler, add_tests)
