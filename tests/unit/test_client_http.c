#include "unit.h"

#include "client/client_http.h"

static const struct {
    const char *url, *host;
    bool loopback;
} urls[] = {
    {"http://127.0.0.1:8000", "127.0.0.1:8000", true},
    {"http://127.8.0.1", "127.8.0.1", true},
    {"https://localhost:443", "localhost", true},
    {"http://[::1]:8000", "[::1]:8000", true},
    {"https://[::1]", "[::1]", true},
    {"http://127.0.0.1.example.com:8000", "127.0.0.1.example.com:8000", false},
    {"http://127.example.com", "127.example.com", false},
    {"http://localhost.example.com", "localhost.example.com", false},
    {"http://0.0.0.0:8000", "0.0.0.0:8000", false},
    {"http://[::2]:8000", "[::2]:8000", false},
    {"http://10.127.0.1", "10.127.0.1", false},
};

/* What decides whether somebody is asked before anything is written. */
START_TEST(only_addresses_of_this_machine_are_loopback)
{
    struct client_http *c;

    client_http_start();
    ck_assert_ptr_null(client_http_new(arena, urls[_i].url, NULL, &c));
    ck_assert_str_eq(client_http_host(c), urls[_i].host);
    ck_assert_int_eq(client_http_is_loopback(c), urls[_i].loopback);
    client_http_free(c);
}
END_TEST

static const char *const no_endpoints[] = {
    "http://127.0.0.1@example.com",
    "http://a:secret@127.0.0.1:8000",
    "http://127.0.0.1:8000?a=b",
    "http://127.0.0.1:8000/#a",
    "http://127.0.0.1:8000/path",
    "http://127.0.0.1:0",
    "http://127.0.0.1:99999",
    "ftp://127.0.0.1",
    "127.0.0.1:8000",
    "http://",
    "",
};

START_TEST(refuses_what_would_be_dropped)
{
    struct client_http *c;
    const char *problem = client_http_new(arena, no_endpoints[_i], NULL, &c);

    ck_assert_ptr_nonnull(problem);
    ck_assert_ptr_nonnull(strstr(problem, "no endpoint"));
    ck_assert_ptr_null(strstr(problem, "secret"));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, refuses_what_would_be_dropped, 0, COUNT(no_endpoints));
    tcase_add_loop_test(tc, only_addresses_of_this_machine_are_loopback, 0, COUNT(urls));
}

int main(void)
{
    return unit_run("client_http", add_tests);
}
