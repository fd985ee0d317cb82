#include "unit.h"

#include <stdio.h>
#include <unistd.h>

#include "base/date.h"
#include "http/http_signature.h"

#define NOW_MS 1440938160000 /* 2015-08-30T12:36:00Z */
#define NOW    "20150830T123600Z"
#define BODY   "{\"TableName\":\"T\"}"
#define KEYS   "AKIA secret\nASIA other token/1==\n"

#define MISMATCH                                                                                 \
    "The request signature we calculated does not match the signature you provided. Check your " \
    "AWS Secret Access Key and signing method. Consult the service documentation for details."
#define NOT_OURS "The security token included in the request is invalid."

/* How a client signs, and what of the request is changed on its way. */
struct client {
    const char *access_key, *secret, *token;
    const char *date;       /* X-Amz-Date; NULL: now */
    const char *http_date;  /* Date in its place */
    const char *service;    /* NULL: dynamodb */
    const char *credential; /* NULL: what belongs to the rest */
    const char *algorithm;  /* NULL: AWS4-HMAC-SHA256 */
    const char *without;    /* a header that is not signed */
    const char *method;     /* NULL: POST */
    const char *body, *target, *query;
    const char *added; /* a header more, … */
    bool signs_added;  /* … which is signed */
    const char *value; /* of it; NULL: true */
};

static const struct http_keys *keys;

static void setup(void)
{
    char path[] = "/tmp/test_http_signature.XXXXXX";
    int fd = mkstemp(path);
    const char *problem;

    ck_assert(fd >= 0 && write(fd, KEYS, sizeof KEYS - 1) == sizeof KEYS - 1 && close(fd) == 0);
    keys = http_keys_load(arena, path, &problem);
    unlink(path);
    ck_assert_ptr_nonnull(keys);
}

static enum error_kind verify(const struct http_request *request, struct buf *message)
{
    struct http_claim claim;
    enum error_kind wrong = http_auth_check(request, &claim, message);

    ck_assert_int_eq(wrong, ERROR_NONE);
    return http_signature_verify(arena, keys, NOW_MS, request, &claim, message);
}

static const char *or_else(const char *text, const char *other)
{
    return text ? text : other;
}

static const char *signed_date(const struct client *c)
{
    int64_t ms;

    if (c->http_date && date_read_http(span_of(c->http_date), &ms))
        return date_basic(arena, ms);
    return or_else(c->date, NOW);
}

/* The request's headers; those with a value. */
static size_t headers_of(const struct client *c, struct http_header *out)
{
    const struct http_header all[] = {
        {"Host", "localhost:8000"},
        {"X-Amz-Target", or_else(c->target, "DynamoDB_20120810.DescribeTable")},
        {"X-Amz-Date", c->http_date ? NULL : or_else(c->date, NOW)},
        {"Date", c->http_date},
        {"X-Amz-Security-Token", c->token},
        {"X-Twice", "a  b"},
        {"x-twice", "c"},
        {c->added, c->added ? or_else(c->value, "true") : NULL},
    };
    size_t count = 0;

    for (size_t i = 0; i < COUNT(all); i++)
        if (all[i].value)
            out[count++] = all[i];
    return count;
}

static const char *authorization(const struct client *c)
{
    struct http_header headers[8];
    struct sigv4_header to_sign[8];
    size_t len = headers_of(&(struct client){.date = c->date,
                                             .http_date = c->http_date,
                                             .token = c->token,
                                             .added = c->signs_added ? c->added : NULL},
                            headers),
           count = 0;
    struct sigv4_request request = {
        or_else(c->method, "POST"), "/", "a=1", to_sign, 0, SPAN_LIT(BODY), NULL};
    struct sigv4_scope scope = {signed_date(c), "eu-west-1", or_else(c->service, "dynamodb")};
    struct sigv4_keys signer = {or_else(c->access_key, "AKIA"), or_else(c->secret, "secret"), NULL};
    const char *text;

    for (size_t i = 0; i < len; i++) {
        char *name = arena_text(arena, span_of(headers[i].name));

        for (char *at = name; *at; at++)
            *at = (char)(*at >= 'A' && *at <= 'Z' ? *at + 32 : *at);
        if (!c->without || strcmp(name, c->without) != 0)
            to_sign[count++] = (struct sigv4_header){name, headers[i].value};
    }
    request.header_count = count;
    text = sigv4_authorization(arena, &signer, &scope, &request);
    if (c->credential || c->algorithm)
        text = arena_printf(arena, "%s Credential=%s, %s", or_else(c->algorithm, SIGV4_ALGORITHM),
                            or_else(c->credential, "AKIA/20150830/eu-west-1/dynamodb/aws4_request"),
                            strchr(text, ',') + 1);
    return text;
}

static const struct {
    const char *name;
    struct client client;
    enum error_kind kind;
    const char *message;
} calls[] = {
    {"ours", {0}, ERROR_NONE, ""},
    {"with a token",
     {.access_key = "ASIA", .secret = "other", .token = "token/1=="},
     ERROR_NONE,
     ""},
    {"dated by Date", {.http_date = "Sun, 30 Aug 2015 12:36:10 GMT"}, ERROR_NONE, ""},
    {"15 minutes ago", {.date = "20150830T122100Z"}, ERROR_NONE, ""},
    {"in 15 minutes", {.date = "20150830T125100Z"}, ERROR_NONE, ""},
    {"a world that is signed", {.added = "X-Mockddb-World", .signs_added = true}, ERROR_NONE, ""},
    {"a type that is not", {.added = "Content-Type"}, ERROR_NONE, ""},
    {"a header of others that is not", {.added = "X-Amzn-Trace-Id"}, ERROR_NONE, ""},
    {"GET", {.method = "GET"}, ERROR_NONE, ""},
    {"HEAD", {.method = "HEAD"}, ERROR_NONE, ""},
    {"PUT", {.method = "PUT"}, ERROR_NONE, ""},
    {"DELETE", {.method = "DELETE"}, ERROR_NONE, ""},
    {"OPTIONS", {.method = "OPTIONS"}, ERROR_NONE, ""},
    {"a query in another order", {.query = "?%61=1"}, ERROR_NONE, ""},
    {"another secret", {.secret = "Secret"}, ERROR_INVALID_SIGNATURE, MISMATCH},
    {"another body", {.body = "{}"}, ERROR_INVALID_SIGNATURE, MISMATCH},
    {"another header", {.target = "x"}, ERROR_INVALID_SIGNATURE, MISMATCH},
    {"another query", {.query = "?a=2"}, ERROR_INVALID_SIGNATURE, MISMATCH},
    {"an unknown key", {.access_key = "AKIB"}, ERROR_UNRECOGNIZED_CLIENT, NOT_OURS},
    {"no token", {.access_key = "ASIA", .secret = "other"}, ERROR_UNRECOGNIZED_CLIENT, NOT_OURS},
    {"another token",
     {.access_key = "ASIA", .secret = "other", .token = "token/2=="},
     ERROR_UNRECOGNIZED_CLIENT,
     NOT_OURS},
    {"a token too many", {.token = "token/1=="}, ERROR_UNRECOGNIZED_CLIENT, NOT_OURS},
    {"too old",
     {.date = "20150830T122059Z"},
     ERROR_INVALID_SIGNATURE,
     "Signature expired: 20150830T122059Z is now earlier than 20150830T122100Z "
     "(20150830T123600Z - 15 min.)"},
    {"too new",
     {.date = "20150830T125101Z"},
     ERROR_INVALID_SIGNATURE,
     "Signature not yet current: 20150830T125101Z is still later than 20150830T125100Z "
     "(20150830T123600Z + 15 min.)"},
    {"too old, and unknown",
     {.access_key = "AKIB", .http_date = "Sun, 30 Aug 2015 12:00:00 GMT"},
     ERROR_INVALID_SIGNATURE,
     "Signature expired: 20150830T120000Z is now earlier than 20150830T122100Z "
     "(20150830T123600Z - 15 min.)"},
    {"without host",
     {.without = "host"},
     ERROR_INVALID_SIGNATURE,
     "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization."},
    {"without the target",
     {.without = "x-amz-target"},
     ERROR_INVALID_SIGNATURE,
     "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization."},
    {"with another world",
     {.added = "x-mockddb-world"},
     ERROR_INVALID_SIGNATURE,
     "'x-mockddb-world' must be a 'SignedHeader' in the AWS Authorization."},
    {"with an explanation",
     {.added = "X-MOCKDDB-EXPLAIN"},
     ERROR_INVALID_SIGNATURE,
     "'X-MOCKDDB-EXPLAIN' must be a 'SignedHeader' in the AWS Authorization."},
    {"without a place in the journal",
     {.added = "x-mockddb-aside"},
     ERROR_INVALID_SIGNATURE,
     "'x-mockddb-aside' must be a 'SignedHeader' in the AWS Authorization."},
    {"packed",
     {.added = "Content-Encoding"},
     ERROR_INVALID_SIGNATURE,
     "'Content-Encoding' must be a 'SignedHeader' in the AWS Authorization."},
    {"as a form",
     {.added = "Content-Type", .value = "application/x-www-form-urlencoded; charset=utf-8"},
     ERROR_INVALID_SIGNATURE,
     "'Content-Type' must be a 'SignedHeader' in the AWS Authorization."},
    {"another service",
     {.service = "s3"},
     ERROR_INVALID_SIGNATURE,
     "Credential should be scoped to correct service: 'dynamodb'. "},
    {"another day",
     {.credential = "AKIA/20150829/eu-west-1/dynamodb/aws4_request"},
     ERROR_INVALID_SIGNATURE,
     "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: "
     "'20150829' != '20150830', from '20150830T123600Z'. "},
    {"all of the scope",
     {.credential = "AKIA/x/y/z/w"},
     ERROR_INVALID_SIGNATURE,
     "Credential should be scoped to correct service: 'dynamodb'. Credential should be scoped with "
     "a valid terminator: 'aws4_request', not 'w'. Date in Credential scope does not match "
     "YYYYMMDD "
     "from ISO-8601 version of date from HTTP: 'x' != '20150830', from '20150830T123600Z'. "},
    {"four parts",
     {.credential = "AKIA/20150830/eu-west-1/dynamodb"},
     ERROR_INCOMPLETE_SIGNATURE,
     "Credential must have exactly 5 slash-delimited elements, e.g. "
     "keyid/date/region/service/term, "
     "got 'AKIA/20150830/eu-west-1/dynamodb'"},
    {"six parts",
     {.credential = "AK/IA/20150830/eu-west-1/dynamodb/aws4_request"},
     ERROR_INCOMPLETE_SIGNATURE,
     "Credential must have exactly 5 slash-delimited elements, e.g. "
     "keyid/date/region/service/term, "
     "got 'AK/IA/20150830/eu-west-1/dynamodb/aws4_request'"},
    {"no date",
     {.date = "2015-08-30"},
     ERROR_INCOMPLETE_SIGNATURE,
     "Date must be in ISO-8601 'basic format'. Got '2015-08-30'. See "
     "http://en.wikipedia.org/wiki/ISO_8601"},
    {"another algorithm",
     {.algorithm = "AWS4-HMAC-SHA512"},
     ERROR_INCOMPLETE_SIGNATURE,
     "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA512'."},
};

START_TEST(headers_are_verified)
{
    const struct client *c = &calls[_i].client;
    struct http_header headers[8];
    struct http_request request = {
        .method = http_message_method(or_else(c->method, "POST")),
        .uri = arena_printf(arena, "/%s", or_else(c->query, "?a=1")),
        .headers = headers,
        .header_count = headers_of(c, headers),
        .body = span_of(or_else(c->body, BODY)),
    };
    struct buf message = buf_in(arena);

    for (size_t i = 0; i < request.header_count; i++)
        http_message_note(&request.fields, headers[i].name, headers[i].value);
    request.fields.authorization = authorization(c);
    ck_assert_msg(verify(&request, &message) == calls[_i].kind, "%s: %s", calls[_i].name,
                  buf_text(&message));
    ck_assert_str_eq(buf_text(&message), calls[_i].message);
}
END_TEST

/* --- presigned -------------------------------------------------------------------------------- */

#define PRESIGNED(date, more)                                           \
    "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA%2F20150830" \
    "%2Fus-east-1%2Fdynamodb%2Faws4_request&X-Amz-Date=" date more "&X-Amz-SignedHeaders=host"
#define BAD_EXPIRES "X-Amz-Expires must be a number of seconds from 1 to 604800."

static const struct {
    const char *query;   /* what is signed */
    const char *further; /* what is sent besides */
    enum error_kind kind;
    const char *message;
} urls[] = {
    {PRESIGNED(NOW, ""), "", ERROR_NONE, ""},
    {PRESIGNED("20150830T113600Z", "&X-Amz-Expires=3600"), "", ERROR_NONE, ""},
    {PRESIGNED(NOW, "&X-Amz-Expires=604800"), "", ERROR_NONE, ""},
    {PRESIGNED(NOW, ""), "&a=b", ERROR_INVALID_SIGNATURE, MISMATCH},
    {PRESIGNED(NOW, "&X-Amz-Security-Token=t"), "", ERROR_UNRECOGNIZED_CLIENT, NOT_OURS},
    {PRESIGNED("20150830T113559Z", "&X-Amz-Expires=3600"), "", ERROR_INVALID_SIGNATURE,
     "Signature expired: 20150830T113559Z is now earlier than 20150830T113600Z "
     "(20150830T123600Z - 60 min.)"},
    {PRESIGNED("20150830T123510Z", "&X-Amz-Expires=45"), "", ERROR_INVALID_SIGNATURE,
     "Signature expired: 20150830T123510Z is now earlier than 20150830T123515Z "
     "(20150830T123600Z - 45 sec.)"},
    {PRESIGNED("20150830T120000Z", ""), "", ERROR_INVALID_SIGNATURE,
     "Signature expired: 20150830T120000Z is now earlier than 20150830T122100Z "
     "(20150830T123600Z - 15 min.)"},
    {PRESIGNED(NOW, "&X-Amz-Expires=604801"), "", ERROR_INVALID_SIGNATURE, BAD_EXPIRES},
    {PRESIGNED(NOW, "&X-Amz-Expires=99999999999999999999"), "", ERROR_INVALID_SIGNATURE,
     BAD_EXPIRES},
    {PRESIGNED(NOW, "&X-Amz-Expires=0"), "", ERROR_INVALID_SIGNATURE, BAD_EXPIRES},
    {PRESIGNED(NOW, "&X-Amz-Expires="), "", ERROR_INVALID_SIGNATURE, BAD_EXPIRES},
    {PRESIGNED(NOW, "&X-Amz-Expires=-1"), "", ERROR_INVALID_SIGNATURE, BAD_EXPIRES},
    {PRESIGNED("Sun,%2030%20Aug%202015%2012:36:00%20GMT", ""), "", ERROR_INCOMPLETE_SIGNATURE,
     "Date must be in ISO-8601 'basic format'. Got 'Sun, 30 Aug 2015 12:36:00 GMT'. See "
     "http://en.wikipedia.org/wiki/ISO_8601"},
};

START_TEST(queries_are_verified)
{
    const struct sigv4_header host = {"host", "localhost:8000"};
    const struct http_header sent = {"Host", "localhost:8000"};
    const char *stamp = strstr(urls[_i].query, "X-Amz-Date=") + strlen("X-Amz-Date=");
    struct sigv4_scope scope = {arena_text(arena, (struct span){stamp, strlen(NOW)}), "us-east-1",
                                "dynamodb"};
    struct sigv4_request to_sign = {"POST", "/a/b", sigv4_query(arena, span_of(urls[_i].query), ""),
                                    &host,  1,      SPAN_LIT(BODY),
                                    NULL};
    struct http_request request = {
        .method = HTTP_POST,
        .uri = arena_printf(arena, "/a//b?%s&X-Amz-Signature=%s%s", urls[_i].query,
                            sigv4_signature(arena, "secret", &scope, &to_sign), urls[_i].further),
        .headers = &sent,
        .header_count = 1,
        .body = SPAN_LIT(BODY),
    };
    struct buf message = buf_in(arena);

    ck_assert_int_eq(verify(&request, &message), urls[_i].kind);
    ck_assert_str_eq(buf_text(&message), urls[_i].message);
}
END_TEST

START_TEST(a_url_without_its_target_is_for_no_operation)
{
    const struct sigv4_header host = {"host", "localhost:8000"};
    const struct http_header sent[] = {{"Host", "localhost:8000"},
                                       {"X-Amz-Target", "DynamoDB_20120810.DeleteTable"}};
    struct sigv4_scope scope = {NOW, "us-east-1", "dynamodb"};
    struct sigv4_request to_sign = {
        "POST",         "/", sigv4_query(arena, SPAN_LIT(PRESIGNED(NOW, "")), ""), &host, 1,
        SPAN_LIT(BODY), NULL};
    struct http_request request = {
        .method = HTTP_POST,
        .uri = arena_printf(arena, "/?%s&X-Amz-Signature=%s", PRESIGNED(NOW, ""),
                            sigv4_signature(arena, "secret", &scope, &to_sign)),
        .headers = sent,
        .header_count = COUNT(sent),
        .body = SPAN_LIT(BODY),
    };
    struct buf message = buf_in(arena);

    ck_assert_int_eq(verify(&request, &message), ERROR_INVALID_SIGNATURE);
    ck_assert_str_eq(buf_text(&message),
                     "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.");
}
END_TEST

START_TEST(signed_headers_must_be_there_and_not_too_many)
{
    static const char *const lists[] = {"", "host;x-not-there", "host;;"};
    const struct http_header sent = {"Host", "localhost:8000"};
    struct http_request request = {
        .method = HTTP_POST, .headers = &sent, .header_count = 1, .body = SPAN_LIT(BODY)};
    const char *before = arena_text(
        arena, (struct span){PRESIGNED(NOW, ""), strlen(PRESIGNED(NOW, "")) - 4});
    struct buf many = buf_in(arena);

    for (int i = 0; i < 20000; i++)
        buf_add_text(&many, "host;");
    for (size_t i = 0; i <= COUNT(lists); i++) {
        struct buf message = buf_in(arena);

        request.uri = arena_printf(arena, "/?%s%s&X-Amz-Signature=0", before,
                                   i < COUNT(lists) ? lists[i] : buf_text(&many));
        ck_assert_int_eq(verify(&request, &message), ERROR_INVALID_SIGNATURE);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_loop_test(tc, headers_are_verified, 0, COUNT(calls));
    tcase_add_loop_test(tc, queries_are_verified, 0, COUNT(urls));
    tcase_add_test(tc, a_url_without_its_target_is_for_no_operation);
    tcase_add_test(tc, signed_headers_must_be_there_and_not_too_many);
}

UNIT_TESTS(http_signature, add_tests)
