#include "unit.h"

#include "http/http_body.h"

#include <event2/buffer.h>

static struct evbuffer *from, *to;

static void start(void)
{
    from = evbuffer_new();
    to = evbuffer_new();
}

static void stop(void)
{
    evbuffer_free(from);
    evbuffer_free(to);
}

/* Moves a body that comes in steps, and is taken in steps. */
static enum http_body_state move(struct http_body *b, struct span text, size_t step)
{
    enum http_body_state state = HTTP_BODY_MORE;

    for (size_t at = 0; at < text.len && state == HTTP_BODY_MORE; at += step) {
        evbuffer_add(from, text.at + at, text.len - at < step ? text.len - at : step);
        state = http_body_move(b, from, to, step);
    }
    while (state == HTTP_BODY_MORE && evbuffer_get_length(from)) {
        size_t before = evbuffer_get_length(from);

        state = http_body_move(b, from, to, step);
        if (evbuffer_get_length(from) == before)
            break;
    }
    return state;
}

static const struct {
    const char *length; /* NULL: chunks */
    struct span text;
    enum http_body_state state;
    const char *content, *rest;
} bodies[] = {
    {"2", SPAN_LIT_INIT("{}POST"), HTTP_BODY_WHOLE, "{}", "POST"},
    {"007", SPAN_LIT_INIT("{}"), HTTP_BODY_MORE, "{}", ""},
    {"99999999999999999999999", SPAN_LIT_INIT("{}"), HTTP_BODY_MORE, "{}", ""},
    {NULL, SPAN_LIT_INIT("2\r\n{}\r\n0\r\n\r\nPOST"), HTTP_BODY_WHOLE, "{}", "POST"},
    {NULL, SPAN_LIT_INIT("1\r\n{\r\n00001\r\n}\r\n000\r\n\r\n"), HTTP_BODY_WHOLE, "{}", ""},
    {NULL, SPAN_LIT_INIT("a\r\n0123456789\r\nB\r\n0123456789a\r\n0\r\n\r\n"), HTTP_BODY_WHOLE,
     "01234567890123456789a", ""},
    {NULL, SPAN_LIT_INIT("2;a=b\r\n{}\r\n0;last\r\n\r\n"), HTTP_BODY_WHOLE, "{}", ""},
    {NULL, SPAN_LIT_INIT("2 ; a=\"b c\";d\r\n{}\r\n0\r\n\r\n"), HTTP_BODY_WHOLE, "{}", ""},
    {NULL, SPAN_LIT_INIT("2\r\n{}\r\n0\r\nX-A: b\r\nX-C: d\r\n\r\n!"), HTTP_BODY_WHOLE, "{}", "!"},
    {NULL, SPAN_LIT_INIT("0\r\n\r\n"), HTTP_BODY_WHOLE, "", ""},
    {NULL, SPAN_LIT_INIT("2\r\n{}\r\n"), HTTP_BODY_MORE, "{}", ""},
    {NULL, SPAN_LIT_INIT("7fffffffffffffff\r\n{}"), HTTP_BODY_MORE, "{}", ""},
    {NULL, SPAN_LIT_INIT("\r\n{}\r\n0\r\n\r\n"), HTTP_BODY_BROKEN, NULL, NULL},
    {NULL, SPAN_LIT_INIT("zz\r\n"), HTTP_BODY_BROKEN, NULL, NULL},
    {NULL, SPAN_LIT_INIT("+2\r\n{}\r\n0\r\n\r\n"), HTTP_BODY_BROKEN, NULL, NULL},
    {NULL, SPAN_LIT_INIT("-2\r\n{}\r\n0\r\n\r\n"), HTTP_BODY_BROKEN, NULL, NULL},
    {NULL, SPAN_LIT_INIT("0x2\r\n{}\r\n0\r\n\r\n"), HTTP_BODY_BROKEN, NULL, NULL},
    {NULL, SPAN_LIT_INIT(" 2\r\n{}\r\n0\r\n\r\n"), HTTP_BODY_BROKEN, NULL, NULL},
    {NULL, SPAN_LIT_INIT("2 a\r\n{}\r\n0\r\n\r\n"), HTTP_BODY_BROKEN, NULL, NULL},
    {NULL, SPAN_LIT_INIT("2\n{}\r\n0\r\n\r\n"), HTTP_BODY_BROKEN, NULL, NULL},
    {NULL, SPAN_LIT_INIT("2\r\n{}0\r\n\r\n"), HTTP_BODY_BROKEN, NULL, NULL},
    {NULL, SPAN_LIT_INIT("2\0;\r\n{}\r\n0\r\n\r\n"), HTTP_BODY_BROKEN, NULL, NULL},
    {NULL, SPAN_LIT_INIT("10000000000000000\r\n{}\r\n"), HTTP_BODY_BROKEN, NULL, NULL},
};

START_TEST(a_body_ends_where_it_says)
{
    static const size_t steps[] = {1, 3, 1000};
    struct http_fields fields = {.content_length = bodies[_i].length,
                                 .transfer_encoding = bodies[_i].length ? NULL : "chunked"};

    for (size_t i = 0; i < COUNT(steps); i++) {
        struct http_body b = http_body_begin(&fields);
        size_t len;

        start();
        ck_assert_int_eq(move(&b, bodies[_i].text, steps[i]), bodies[_i].state);
        len = evbuffer_get_length(to);
        if (bodies[_i].content) {
            struct span content = {len ? (char *)evbuffer_pullup(to, -1) : "", len};

            ck_assert_span_eq(content, bodies[_i].content);
        }
        if (bodies[_i].rest && steps[i] == 1000)
            ck_assert_uint_eq(evbuffer_get_length(from), strlen(bodies[_i].rest));
        stop();
    }
}
END_TEST

START_TEST(a_request_that_says_nothing_has_no_body)
{
    struct http_fields fields = {0};
    struct http_body b = http_body_begin(&fields);

    start();
    evbuffer_add(from, "POST", 4);
    ck_assert_int_eq(http_body_move(&b, from, to, SIZE_MAX), HTTP_BODY_WHOLE);
    ck_assert_uint_eq(evbuffer_get_length(from), 4);
    stop();
}
END_TEST

/* Of a chunk's first line, of all extensions, of all trailers. */
START_TEST(what_nobody_reads_has_bounds)
{
    static const struct http_fields fields = {.transfer_encoding = "chunked"};
    struct http_body b = http_body_begin(&fields);
    struct span line = {arena_printf(arena, "1;%0*d", (int)HTTP_MAX_CHUNK_LINE, 0),
                        HTTP_MAX_CHUNK_LINE};
    struct buf chunk = buf_in(arena);
    enum http_body_state state = HTTP_BODY_MORE;
    size_t chunks = 0;

    start();
    ck_assert_int_eq(move(&b, line, 1), HTTP_BODY_BROKEN);
    stop();
    buf_printf(&chunk, "1;%0*d\r\n \r\n", 1000, 0);
    b = http_body_begin(&fields);
    start();
    while (state == HTTP_BODY_MORE && ++chunks)
        state = move(&b, buf_span(&chunk), chunk.len);
    ck_assert_int_eq(state, HTTP_BODY_BROKEN);
    ck_assert_uint_eq(chunks, HTTP_MAX_CHUNK_EXTRAS / 1001 + 1);
    stop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_body_ends_where_it_says, 0, COUNT(bodies));
    tcase_add_test(tc, a_request_that_says_nothing_has_no_body);
    tcase_add_test(tc, what_nobody_reads_has_bounds);
}

UNIT_TESTS(http_body, add_tests)
