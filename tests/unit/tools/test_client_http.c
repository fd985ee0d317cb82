#include "unit.h"

#include "client/client_http.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

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

#define LARGEST_CHUNK ((size_t)4 << 20)

/* Answers each connection with one chunk of that many bytes, which comes in one piece. */
static pid_t serve_chunks(int listener, size_t len)
{
    pid_t child = fork();
    struct buf answer = buf_in(arena);
    char request[4096];

    if (child)
        return child;
    buf_printf(&answer, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%zx\r\n", len);
    for (size_t i = 0; i < len; i++)
        buf_add_char(&answer, 'x');
    buf_add_text(&answer, "\r\n0\r\n\r\n");
    for (;;) {
        int fd = accept(listener, NULL, NULL);

        if (read(fd, request, sizeof request) > 0)
            for (size_t sent = 0; sent < answer.len;)
                sent += (size_t)write(fd, answer.at + sent, answer.len - sent);
        (void)close(fd);
    }
}

/* The largest chunk that is taken fills what is kept of a connection to the last byte, and what
 * comes with it is too much for a moment: that is no fault of the next request. */
START_TEST(a_large_answer_is_no_fault_of_the_next_one)
{
    const struct client_http_request request = {.method = "GET", .target = "/"};
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct client_http *c;
    pid_t child;

    ck_assert_int_eq(bind(listener, (struct sockaddr *)&at, len), 0);
    ck_assert_int_eq(listen(listener, 4), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&at, &len), 0);
    child = serve_chunks(listener, LARGEST_CHUNK);
    client_http_start();
    ck_assert_ptr_null(client_http_new(
        arena, arena_printf(arena, "http://127.0.0.1:%u", (unsigned)ntohs(at.sin_port)), NULL, &c));
    for (int i = 0; i < 4; i++) {
        struct client_reply reply = {.status = 0};
        const char *problem = client_http_send(c, arena, &request, &reply);

        if (problem || reply.body.len != LARGEST_CHUNK)
            (void)kill(child, SIGKILL);
        ck_assert_msg(!problem, "request %d: %s", i, problem);
        ck_assert_uint_eq(reply.body.len, LARGEST_CHUNK);
    }
    client_http_free(c);
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    (void)close(listener);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_large_answer_is_no_fault_of_the_next_one);
    tcase_add_loop_test(tc, refuses_what_would_be_dropped, 0, COUNT(no_endpoints));
    tcase_add_loop_test(tc, only_addresses_of_this_machine_are_loopback, 0, COUNT(urls));
}

UNIT_TESTS(client_http, add_tests)
