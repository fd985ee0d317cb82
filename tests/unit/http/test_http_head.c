#include "unit.h"

#include "http/http_head.h"

#include <event2/buffer.h>

#define HOST "Host: a\r\n"

static struct http_head head;
static struct evbuffer *bytes;
static struct http_request request;

static void start(void)
{
    head = (struct http_head){0};
    request = (struct http_request){0};
    bytes = evbuffer_new();
}

static void stop(void)
{
    http_head_free(&head);
    evbuffer_free(bytes);
}

/* A head, and what follows it: both whole at once, and a byte at a time. */
static enum http_head_state take(const char *text, size_t len, size_t step)
{
    enum http_head_state state = HTTP_HEAD_MORE;

    for (size_t at = 0; at < len && state == HTTP_HEAD_MORE; at += step) {
        evbuffer_add(bytes, text + at, len - at < step ? len - at : step);
        state = http_head_take(&head, bytes);
    }
    return state;
}

static const struct {
    const char *text;
    enum http_method method;
    const char *uri;
    bool http_1_0;
    size_t header_count;
    const char *host;
} heads[] = {
    {"POST / HTTP/1.1\r\n" HOST "\r\n", HTTP_POST, "/", false, 1, "a"},
    {"GET /a?b=c%20d HTTP/1.0\r\n\r\n", HTTP_GET, "/a?b=c%20d", true, 0, NULL},
    {"\r\n\n\r\nHEAD / HTTP/1.1\n" HOST "\n", HTTP_HEAD, "/", false, 1, "a"},
    {"OPTIONS * HTTP/1.9\r\nHost:  \t a b \t\r\nX: \r\n\r\n", HTTP_OPTIONS, "*", false, 2, "a b"},
    {"BREW http://a/b HTTP/1.1\r\nHost:a\r\n\r\n", HTTP_OTHER, "http://a/b", false, 1, "a"},
    {"post / HTTP/1.1\r\nX_!#$%&'*+-.^`|~9: \xff\r\n\r\n", HTTP_OTHER, "/", false, 1, NULL},
};

START_TEST(a_head_is_read_however_its_bytes_come)
{
    for (size_t step = 1; step < 10000; step += 9998) {
        start();
        ck_assert_int_eq(take(heads[_i].text, strlen(heads[_i].text), step), HTTP_HEAD_WHOLE);
        ck_assert_int_eq(http_head_read(&head, &request), 0);
        ck_assert_int_eq(request.method, heads[_i].method);
        ck_assert_str_eq(request.uri, heads[_i].uri);
        ck_assert_int_eq(request.http_1_0, heads[_i].http_1_0);
        ck_assert_uint_eq(request.header_count, heads[_i].header_count);
        ck_assert_pstr_eq(request.fields.host, heads[_i].host);
        stop();
    }
}
END_TEST

#define LINE(text)   SPAN_LIT_INIT(text "\r\n" HOST "\r\n")
#define HEADER(text) SPAN_LIT_INIT("POST / HTTP/1.1\r\n" text "\r\n\r\n")

static const struct {
    struct span text;
    int status;
} refused[] = {
    {LINE("POST /"), 400},
    {LINE("POST  HTTP/1.1"), 400},
    {LINE("POST / HTTP/1.1 "), 400},
    {LINE("POST / a HTTP/1.1"), 400},
    {LINE("POST /\t HTTP/1.1"), 400},
    {LINE("POST /\x01 HTTP/1.1"), 400},
    {LINE(" / HTTP/1.1"), 400},
    {LINE("(POST) / HTTP/1.1"), 400},
    {LINE("POST / HTTP/11"), 400},
    {LINE("POST / HTTP/one"), 400},
    {LINE("POST / HTTP/1.10"), 400},
    {LINE("POST / http/1.1"), 400},
    {LINE("POST / HTTP/2.0"), 505},
    {LINE("PRI * HTTP/2.0"), 505},
    {HEADER("colonless"), 400},
    {HEADER(": b"), 400},
    {HEADER("A : b"), 400},
    {HEADER("A\t: b"), 400},
    {HEADER(" A: b"), 400},
    {HEADER("A: b\r\n c"), 400},
    {HEADER("A: b\rC: d"), 400},
    {HEADER("A: b\x0b"), 400},
    {HEADER("A: b\x7f"), 400},
    {HEADER("A: b\0c"), 400},
    {HEADER("A\0B: c"), 400},
    {HEADER("Host: a\r\nHost: a"), 400},
    {HEADER("Content-Length: 1\r\nTransfer-Encoding: chunked"), 400},
    {SPAN_LIT_INIT("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400},
};

START_TEST(what_two_readers_might_read_in_two_ways_is_refused)
{
    start();
    ck_assert_int_eq(take(refused[_i].text.at, refused[_i].text.len, 10000), HTTP_HEAD_WHOLE);
    ck_assert_int_eq(http_head_read(&head, &request), refused[_i].status);
    stop();
}
END_TEST

START_TEST(what_follows_a_head_is_left)
{
    static const char text[] = "POST / HTTP/1.1\r\n" HOST "\r\n{}POST";

    start();
    ck_assert_int_eq(take(text, strlen(text), sizeof text), HTTP_HEAD_WHOLE);
    ck_assert_uint_eq(evbuffer_get_length(bytes), strlen("{}POST"));
    stop();
}
END_TEST

START_TEST(a_head_may_have_64_kb)
{
    const char *longest = arena_printf(arena, "GET / HTTP/1.1\r\nX: %0*d\r\n\r\n",
                                       (int)HTTP_MAX_HEAD - 23, 0);

    for (size_t step = 1; step < HTTP_MAX_HEAD * 2; step *= 1000) {
        start();
        ck_assert_int_eq(take(longest, HTTP_MAX_HEAD, step), HTTP_HEAD_WHOLE);
        stop();
        start();
        ck_assert_int_eq(take(arena_printf(arena, "\n%sx", longest) + 1, HTTP_MAX_HEAD, step),
                         HTTP_HEAD_WHOLE);
        stop();
        start();
        ck_assert_int_eq(take(arena_printf(arena, "X%s", longest), HTTP_MAX_HEAD + 1, step),
                         HTTP_HEAD_TOO_LONG);
        stop();
    }
}
END_TEST

START_TEST(a_head_of_many_headers_is_followed_by_a_small_one)
{
    struct buf text = buf_in(arena);

    buf_add_text(&text, "GET / HTTP/1.1\r\n");
    for (int i = 0; i < 15000; i++)
        buf_add_text(&text, "a:\r\n");
    buf_add_text(&text, "\r\n");
    start();
    ck_assert_int_eq(take(text.at, text.len, text.len), HTTP_HEAD_WHOLE);
    ck_assert_int_eq(http_head_read(&head, &request), 0);
    ck_assert_uint_eq(request.header_count, 15000);
    http_head_reset(&head);
    ck_assert_ptr_null(head.text);
    request = (struct http_request){0};
    ck_assert_int_eq(take(heads[0].text, strlen(heads[0].text), 100), HTTP_HEAD_WHOLE);
    ck_assert_int_eq(http_head_read(&head, &request), 0);
    ck_assert_uint_eq(request.header_count, 1);
    stop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_head_is_read_however_its_bytes_come, 0, COUNT(heads));
    tcase_add_loop_test(tc, what_two_readers_might_read_in_two_ways_is_refused, 0, COUNT(refused));
    tcase_add_test(tc, what_follows_a_head_is_left);
    tcase_add_test(tc, a_head_may_have_64_kb);
    tcase_add_test(tc, a_head_of_many_headers_is_followed_by_a_small_one);
}

UNIT_TESTS(http_head, add_tests)
