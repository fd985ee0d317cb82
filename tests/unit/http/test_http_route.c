#include "unit.h"

#include "http/http_route.h"

enum { PAGE, STEP, REST, QUERY, ADMIN, POSTED, ELSE };

static const struct http_route table[] = {
    [PAGE] = {.path = "/own/page", .methods = HTTP_TAKES(HTTP_GET)},
    [STEP] = {.path = "/own/*/reset", .methods = HTTP_TAKES(HTTP_POST)},
    [REST] = {.path = "/own/all/*"},
    [QUERY] = {.target = "Other_1.", .methods = HTTP_TAKES(HTTP_POST)},
    [ADMIN] = {.path = "/own/door", .flags = HTTP_ADMIN},
    [POSTED] = {.methods = HTTP_TAKES(HTTP_POST) | HTTP_TAKES(HTTP_OPTIONS)},
    [ELSE] = {.path = NULL},
};

static const struct {
    enum http_method method;
    const char *uri, *target;
    size_t row;
} requests[] = {
    {HTTP_GET, "/own/page", NULL, PAGE},
    {HTTP_HEAD, "/own/page?a=/own/all/", NULL, PAGE},
    {HTTP_GET, "http://localhost:8000/own/page", NULL, PAGE},
    {HTTP_GET, "HTTPS://localhost/own/page?a", NULL, PAGE},
    {HTTP_GET, "/own/pages", NULL, ELSE},
    {HTTP_GET, "/own/pag", NULL, ELSE},
    {HTTP_GET, "/?/own/page", NULL, ELSE},
    {HTTP_GET, "?a://b/own/page", NULL, ELSE},
    {HTTP_POST, "/own/page", NULL, POSTED},
    {HTTP_POST, "/own/a/reset", NULL, STEP},
    {HTTP_POST, "/own//reset", NULL, STEP},
    {HTTP_POST, "/own/a/b/reset", NULL, POSTED},
    {HTTP_GET, "/own/a/reset", NULL, ELSE},
    {HTTP_OTHER, "/own/all/", NULL, REST},
    {HTTP_GET, "/own/all/a/b?c", NULL, REST},
    {HTTP_GET, "/own/all", NULL, ELSE},
    {HTTP_POST, "/", "Other_1.Do", QUERY},
    {HTTP_POST, "/", "Other_2.Do", POSTED},
    {HTTP_OPTIONS, "*", "Other_1.Do", POSTED},
    {HTTP_GET, "/own/door", NULL, ADMIN},
};

START_TEST(the_first_row_that_fits_is_taken)
{
    struct http_request request = {.method = requests[_i].method,
                                   .uri = requests[_i].uri,
                                   .fields = {.x_amz_target = requests[_i].target}};

    ck_assert_ptr_eq(http_route_find(table, 0, &request), &table[requests[_i].row]);
}
END_TEST

START_TEST(rows_can_be_left_out)
{
    struct http_request request = {.method = HTTP_GET, .uri = "/own/door"};

    ck_assert_ptr_eq(http_route_find(table, HTTP_ADMIN, &request), &table[ELSE]);
}
END_TEST

static const struct {
    const char *header, *type;
} types[] = {
    {NULL, NULL},
    {"", NULL},
    {"a/b", "a/b"},
    {" A/B ;c=d", "a/b"},
    {"a/bc", NULL},
    {"a/b\t", "a/b"},
    {"x-c;charset=utf-8", "x-c"},
};

START_TEST(a_type_is_known_by_its_name_alone)
{
    static const char *const known[] = {"a/b", "x-c", NULL};

    ck_assert_pstr_eq(http_route_type(types[_i].header, known), types[_i].type);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, the_first_row_that_fits_is_taken, 0, COUNT(requests));
    tcase_add_test(tc, rows_can_be_left_out);
    tcase_add_loop_test(tc, a_type_is_known_by_its_name_alone, 0, COUNT(types));
}

UNIT_TESTS(http_route, add_tests)
