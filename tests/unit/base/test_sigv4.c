#include "unit.h"

#include "base/sigv4.h"

/* Key and date of the published "Signature Version 4 test suite". */
static const struct sigv4_keys keys = {"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                                       NULL};
#define DATE "20150830T123600Z"
#define HOST                            \
    {                                   \
        "host", "example.amazonaws.com" \
    }
#define STAMP              \
    {                      \
        "x-amz-date", DATE \
    }

#define UNRESERVED "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* The two calls were signed by the AWS SDK for Python, the others are of the published suite. */
static const struct {
    const char *name;
    const char *method;
    const char *path, *query; /* as they are sent */
    const char *service;
    struct sigv4_header headers[6];
    size_t header_count;
    const char *body;
    const char *signed_headers;
    const char *signature;
} vectors[] = {
    {"get-vanilla",
     "GET",
     "/",
     "",
     "service",
     {HOST, STAMP},
     2,
     "",
     "host;x-amz-date",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"post-vanilla",
     "POST",
     "/",
     "",
     "service",
     {HOST, STAMP},
     2,
     "",
     "host;x-amz-date",
     "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
    {"post-x-www-form-urlencoded",
     "POST",
     "/",
     "",
     "service",
     {{"content-type", "application/x-www-form-urlencoded"}, HOST, STAMP},
     3,
     "Param1=value1",
     "content-type;host;x-amz-date",
     "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
    {"get-header-value-trim",
     "GET",
     "/",
     "",
     "service",
     {STAMP, HOST, {"my-header2", " \"a   b   c\""}, {"my-header1", " value1 "}},
     4,
     "",
     "host;my-header1;my-header2;x-amz-date",
     "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
    {"get-header-key-duplicate",
     "GET",
     "/",
     "",
     "service",
     {HOST, {"my-header1", "value2"}, {"my-header1", "value2"}, {"my-header1", "value1"}, STAMP},
     5,
     "",
     "host;my-header1;x-amz-date",
     "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
    {"get-vanilla-query-order-key-case",
     "GET",
     "/",
     "Param2=value2&Param1=value1",
     "service",
     {HOST, STAMP},
     2,
     "",
     "host;x-amz-date",
     "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
    {"get-vanilla-query-unreserved",
     "GET",
     "/",
     UNRESERVED "=" UNRESERVED,
     "service",
     {HOST, STAMP},
     2,
     "",
     "host;x-amz-date",
     "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"},
    {"post-vanilla-query",
     "POST",
     "/",
     "Param1=value1",
     "service",
     {HOST, STAMP},
     2,
     "",
     "host;x-amz-date",
     "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"},
    {"get-utf8",
     "GET",
     "/\xE1\x88\xB4",
     "",
     "service",
     {HOST, STAMP},
     2,
     "",
     "host;x-amz-date",
     "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
    {"get-space",
     "GET",
     "/example space/",
     "",
     "service",
     {HOST, STAMP},
     2,
     "",
     "host;x-amz-date",
     "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
    {"get-relative-relative",
     "GET",
     "/example1/example2/../..",
     "",
     "service",
     {HOST, STAMP},
     2,
     "",
     "host;x-amz-date",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-slashes",
     "GET",
     "//example//",
     "",
     "service",
     {HOST, STAMP},
     2,
     "",
     "host;x-amz-date",
     "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"},
    {"get-slash-pointless-dot",
     "GET",
     "/./example",
     "",
     "service",
     {HOST, STAMP},
     2,
     "",
     "host;x-amz-date",
     "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"},
    {"a call of ListTables to a local server",
     "POST",
     "/",
     "",
     "dynamodb",
     {{"content-type", "application/x-amz-json-1.0"},
      {"host", "localhost:8000"},
      STAMP,
      {"x-amz-target", "DynamoDB_20120810.ListTables"}},
     4,
     "{}",
     "content-type;host;x-amz-date;x-amz-target",
     "2c15ed7ee8360be5191c4f7fa4c3786076090b77a41d66fafd26efa4f0cd0e21"},
    {"a call with a session token and a body beyond ASCII",
     "POST",
     "/",
     "",
     "dynamodb",
     {{"content-type", "application/x-amz-json-1.0"},
      {"host", "dynamodb.us-east-1.amazonaws.com"},
      STAMP,
      {"x-amz-target", "DynamoDB_20120810.GetItem"},
      {"x-amz-security-token", "example/token+with==signs"}},
     5,
     "{\"TableName\": \"\xC3\x9C\"}",
     "content-type;host;x-amz-date;x-amz-security-token;x-amz-target",
     "d0859223e15632912ceea498845537546c9d662b16fd9b98733a002956d8a576"},
};

START_TEST(signs_as_the_service_expects)
{
    struct sigv4_request request = {
        .method = vectors[_i].method,
        .path = sigv4_path(arena, span_of(vectors[_i].path)),
        .query = sigv4_query(arena, span_of(vectors[_i].query), ""),
        .headers = vectors[_i].headers,
        .header_count = vectors[_i].header_count,
        .body = span_of(vectors[_i].body),
    };
    struct sigv4_scope scope = {DATE, "us-east-1", vectors[_i].service};
    const char *expected = arena_printf(
        arena,
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/%s/aws4_request, "
        "SignedHeaders=%s, Signature=%s",
        vectors[_i].service, vectors[_i].signed_headers, vectors[_i].signature);

    ck_assert_str_eq(sigv4_authorization(arena, &keys, &scope, &request), expected);
}
END_TEST

static const struct {
    const char *path, *canonical;
} paths[] = {
    {"", "/"},          {"/", "/"},           {"//", "/"},      {"/.", "/"},
    {"/..", "/"},       {"/a", "/a"},         {"/a/", "/a/"},   {"/a/./b", "/a/b"},
    {"/a/b/..", "/a/"}, {"/a/../../b", "/b"}, {"/...", "/..."}, {"/a%20b*", "/a%2520b%2A"},
};

START_TEST(paths_have_one_form)
{
    ck_assert_str_eq(sigv4_path(arena, span_of(paths[_i].path)), paths[_i].canonical);
}
END_TEST

static const struct {
    const char *query, *without, *canonical;
} queries[] = {
    {"", "", ""},
    {"&&", "", ""},
    {"a", "", "a="},
    {"b=2&a=1", "", "a=1&b=2"},
    {"a=2&a=1&a", "", "a=&a=1&a=2"},
    {"a=b=c", "", "a=b%3Dc"},
    {"%41=%2f%7E", "", "A=%2F~"},
    {"a=%4&b=%zz", "", "a=%254&b=%25zz"},
    {"a=b+c", "", "a=b%2Bc"},
    {"X-Amz-Signature=0&X-Amz-Date=1", "X-Amz-Signature", "X-Amz-Date=1"},
    {"X-Amz-Date=1&X-Amz-Signature=0", "X-Amz-Signature", "X-Amz-Date=1"},
};

START_TEST(queries_have_one_form)
{
    ck_assert_str_eq(sigv4_query(arena, span_of(queries[_i].query), queries[_i].without),
                     queries[_i].canonical);
}
END_TEST

START_TEST(secrets_are_the_same_or_not)
{
    ck_assert(sigv4_same(SPAN_LIT("secret"), SPAN_LIT("secret")));
    ck_assert(sigv4_same(SPAN_LIT(""), SPAN_LIT("")));
    ck_assert(!sigv4_same(SPAN_LIT("secret"), SPAN_LIT("secreT")));
    ck_assert(!sigv4_same(SPAN_LIT("secret"), SPAN_LIT("secre")));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, signs_as_the_service_expects, 0, COUNT(vectors));
    tcase_add_loop_test(tc, paths_have_one_form, 0, COUNT(paths));
    tcase_add_loop_test(tc, queries_have_one_form, 0, COUNT(queries));
    tcase_add_test(tc, secrets_are_the_same_or_not);
}

UNIT_TESTS(sigv4, add_tests)
