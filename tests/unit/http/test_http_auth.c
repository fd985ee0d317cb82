#include "unit.h"

#include "http/http_auth.h"

#define FULL "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=0"
#define PARTS                                                                    \
    "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a%2Fb&X-Amz-Signature=0&" \
    "X-Amz-SignedHeaders=host&X-Amz-Date=20240101T000000Z"

static const struct {
    const char *authorization, *x_amz_date, *date, *uri;
    enum error_kind kind;
    const char *message;
} cases[] = {
    {FULL, "20240101T000000Z", NULL, "/", ERROR_NONE, ""},
    {FULL, NULL, "Mon, 01 Jan 2024 00:00:00 GMT", "/", ERROR_NONE, ""},
    {"AWS4-X Credential=a,SignedHeaders=b,Signature=c", "x", NULL, "/", ERROR_NONE, ""},
    {"AWS4-X Signature=c SignedHeaders=b  Credential=a", "x", NULL, "/", ERROR_NONE, ""},
    {NULL, NULL, NULL, "/?" PARTS, ERROR_NONE, ""},
    {NULL, NULL, NULL, "/?other=1&" PARTS "&more", ERROR_NONE, ""},
    {NULL, "x", NULL, "/", ERROR_MISSING_TOKEN, "Request is missing Authentication Token"},
    {"", "x", NULL, "/", ERROR_MISSING_TOKEN, "Request is missing Authentication Token"},
    {"Basic YTpi", "x", NULL, "/", ERROR_MISSING_TOKEN, "Request is missing Authentication Token"},
    {NULL, NULL, NULL, "/?X-Amz-Credential=a", ERROR_MISSING_TOKEN,
     "Request is missing Authentication Token"},
    {FULL, "x", NULL, "/?X-Amz-Algorithm=a", ERROR_INVALID_SIGNATURE,
     "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."},
    {"Basic YTpi", "x", NULL, "/?" PARTS, ERROR_INVALID_SIGNATURE,
     "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."},
    {FULL, "x", NULL, "/?X-Amz-Algorithm", ERROR_INVALID_SIGNATURE,
     "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."},
    {"AWS4-X Credential, Signature=b, SignedHeaders=c", "x", NULL, "/", ERROR_INCOMPLETE_SIGNATURE,
     "Authorization header requires 'Credential' parameter. Authorization=AWS4-X Credential, "
     "Signature=b, SignedHeaders=c"},
    {"AWS4-", NULL, NULL, "/", ERROR_INCOMPLETE_SIGNATURE,
     "Authorization header requires 'Credential' parameter. Authorization header requires "
     "'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. "
     "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
     "Authorization=AWS4-"},
    {"AWS4-X Credential=a, Signature=b", "x", NULL, "/", ERROR_INCOMPLETE_SIGNATURE,
     "Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4-X "
     "Credential=a, Signature=b"},
    {"AWS4-Credential=a SignedHeaders=b Signature=c", "x", NULL, "/", ERROR_INCOMPLETE_SIGNATURE,
     "Authorization header requires 'Credential' parameter. Authorization=AWS4-Credential=a "
     "SignedHeaders=b Signature=c"},
    {FULL, NULL, NULL, "/", ERROR_INCOMPLETE_SIGNATURE,
     "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
     "Authorization=" FULL},
    {NULL, NULL, NULL, "/?X-Amz-Algorithm=a", ERROR_INCOMPLETE_SIGNATURE,
     "AWS query-string parameters must include 'X-Amz-Credential'. AWS query-string parameters "
     "must include 'X-Amz-Signature'. AWS query-string parameters must include "
     "'X-Amz-SignedHeaders'. AWS query-string parameters must include 'X-Amz-Date'. Re-examine "
     "the query-string parameters."},
};

START_TEST(looks_at_the_form_of_a_signature)
{
    struct http_request request = {
        .method = HTTP_POST,
        .uri = cases[_i].uri,
        .fields = {.authorization = cases[_i].authorization,
                   .x_amz_date = cases[_i].x_amz_date,
                   .date = cases[_i].date},
    };
    struct buf message = buf_in(arena);
    struct http_claim claim;

    ck_assert_int_eq(http_auth_check(&request, &claim, &message), cases[_i].kind);
    ck_assert_str_eq(buf_text(&message), cases[_i].message);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, looks_at_the_form_of_a_signature, 0, COUNT(cases));
}

UNIT_TESTS(http_auth, add_tests)
