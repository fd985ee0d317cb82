#include "unit.h"

#include "client_sign.h"

/* Key and date of the published "Signature Version 4 test suite". */
static const struct sign_keys keys = {"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
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

/* The first four are of the published suite; the others were signed by the AWS SDK for Python. */
static const struct {
    const char *name;
    const char *method;
    const char *service;
    struct sign_header headers[6];
    size_t header_count;
    const char *body;
    const char *signed_headers;
    const char *signature;
} vectors[] = {
    {"get-vanilla",
     "GET",
     "service",
     {HOST, STAMP},
     2,
     "",
     "host;x-amz-date",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"post-vanilla",
     "POST",
     "service",
     {HOST, STAMP},
     2,
     "",
     "host;x-amz-date",
     "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
    {"post-x-www-form-urlencoded",
     "POST",
     "service",
     {{"content-type", "application/x-www-form-urlencoded"}, HOST, STAMP},
     3,
     "Param1=value1",
     "content-type;host;x-amz-date",
     "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
    {"get-header-value-trim",
     "GET",
     "service",
     {STAMP, HOST, {"my-header2", " \"a   b   c\""}, {"my-header1", " value1 "}},
     4,
     "",
     "host;my-header1;my-header2;x-amz-date",
     "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
    {"a call of ListTables to a local server",
     "POST",
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
    struct sign_request request = {vectors[_i].method, "/", vectors[_i].headers,
                                   vectors[_i].header_count, span_of(vectors[_i].body)};
    struct sign_scope scope = {DATE, "us-east-1", vectors[_i].service};
    const char *expected = arena_printf(
        arena,
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/%s/aws4_request, "
        "SignedHeaders=%s, Signature=%s",
        vectors[_i].service, vectors[_i].signed_headers, vectors[_i].signature);

    ck_assert_str_eq(sign_authorization(arena, &keys, &scope, &request), expected);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, signs_as_the_service_expects, 0, COUNT(vectors));
}

int main(void)
{
    return unit_run("client_sign", add_tests);
}
