/* A server with routes of its own, and clients in the same process, which take turns with it. */
#include "unit.h"

#include "http/http_reply.h"
#include "http/http_server.h"
#include "support/offline_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define STREAMED ((size_t)8 * 1024 * 1024)
#define UPLOADED ((size_t)40 * 1000 * 1000)

static struct worlds *worlds;
static struct http_handler *handler;
static struct http_server *server;

static struct http_exchange *promised; /* the newest that is to be answered later */
static size_t streamed, received, parts, most_room;
static int begun, gone;
static int work_ms; /* of the processor, that /now and /slow take */

/* --- routes ----------------------------------------------------------------------------------- */

static void on_gone(struct http_exchange *x)
{
    gone++;
    if (promised == x)
        promised = NULL;
}

static void work(void)
{
    struct timespec began, now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &began);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((now.tv_sec - began.tv_sec) * 1000 + (now.tv_nsec - began.tv_nsec) / 1000000 < work_ms);
}

static void answer_now(struct http_handler *h, struct http_exchange *x)
{
    work();
    http_reply_body(h, x, 200, "text/plain", SPAN_LIT("now"));
}

static void answer_quickly(struct http_handler *h, struct http_exchange *x)
{
    http_reply_body(h, x, 200, "text/plain", SPAN_LIT("quick"));
}

static void answer_slowly(struct http_handler *h, struct http_exchange *x)
{
    begun++;
    work();
    http_reply_body(h, x, 200, "text/plain", SPAN_LIT("slow"));
}

static void answer_later(struct http_handler *h, struct http_exchange *x)
{
    (void)h;
    promised = x;
    x->pace = HTTP_LATER;
    x->on_gone = on_gone;
}

static void answer_after_a_while(struct http_handler *h, struct http_exchange *x)
{
    http_reply_body(h, x, 200, "text/plain", SPAN_LIT("late"));
    x->delay_ms = 60;
    x->on_gone = on_gone;
}

/* STREAMED bytes, as the reader takes them. */
static void stream_on(struct http_exchange *x)
{
    static char part[10000];
    size_t room = http_exchange_room(x);

    most_room = room > most_room ? room : most_room;
    memset(part, 'a', sizeof part);
    while (http_exchange_room(x) && streamed < STREAMED) {
        size_t rest = STREAMED - streamed;
        struct span bytes = {part, rest < sizeof part ? rest : sizeof part};

        http_exchange_write(x, bytes);
        streamed += bytes.len;
    }
    if (streamed == STREAMED)
        http_exchange_end(x);
}

static void stream(struct http_handler *h, struct http_exchange *x)
{
    http_reply_stream(h, x, 200, "text/plain");
    x->on_room = stream_on;
    x->on_gone = on_gone;
}

static void break_off(struct http_exchange *x)
{
    http_exchange_write(x, SPAN_LIT("part"));
    http_exchange_break(x);
}

static void stream_a_part(struct http_handler *h, struct http_exchange *x)
{
    http_reply_stream(h, x, 200, "text/plain");
    x->on_room = break_off;
    x->on_gone = on_gone;
}

/* Events: written when the test says so. */
static void nothing_yet(struct http_exchange *x)
{
    (void)x;
}

static void follow(struct http_handler *h, struct http_exchange *x)
{
    http_reply_stream(h, x, 200, "text/event-stream");
    promised = x;
    x->on_room = nothing_yet;
    x->on_gone = on_gone;
}

static void take_part(struct http_exchange *x, struct span part, bool last)
{
    received += part.len;
    parts++;
    if (last)
        http_reply_body(handler, x, 200, "text/plain",
                        span_of(arena_printf(arena, "%zu", received)));
}

static void receive(struct http_handler *h, struct http_exchange *x)
{
    (void)h;
    begun++;
    x->on_body = take_part;
    x->on_gone = on_gone;
}

static void refuse_part(struct http_exchange *x, struct span part, bool last)
{
    (void)part, (void)last;
    http_reply_body(handler, x, 409, "text/plain", SPAN_LIT("enough"));
    x->on_body = NULL;
}

static void receive_a_part(struct http_handler *h, struct http_exchange *x)
{
    (void)h;
    x->on_body = refuse_part;
}

static const struct http_route routes[] = {
    {.path = "/now", .handle = answer_now},
    {.path = "/quick", .handle = answer_quickly},
    {.path = "/slow", .handle = answer_slowly},
    {.path = "/later", .handle = answer_later},
    {.path = "/while", .handle = answer_after_a_while},
    {.path = "/stream", .handle = stream},
    {.path = "/break", .handle = stream_a_part},
    {.path = "/follow", .handle = follow},
    {.path = "/receive", .flags = HTTP_STREAMS_BODY, .handle = receive},
    {.path = "/refuse", .flags = HTTP_STREAMS_BODY, .handle = receive_a_part},
    {.path = NULL, .handle = http_reply_unknown},
};

/* --- clients ---------------------------------------------------------------------------------- */

static void start(void)
{
    struct http_handler_options handling = {.door = {.served = "127.0.0.1"}, .routes = routes};
    struct http_server_options listening = {.tls = NULL};
    const char *problem = http_sockets_open(arena, "127.0.0.1", 0, &listening.sockets);
    struct clock *clock;

    ck_assert_msg(!problem, "%s", problem);

    worlds = offline_worlds_new(arena, &(struct offline_options){.seed = 1}, &clock);
    handler = http_handler_new(worlds, clock, &handling);
    server = http_server_new(&listening, worlds, handler);
    promised = NULL;
    streamed = received = parts = most_room = 0;
    begun = gone = 0;
    work_ms = 0;
}

static void stop(void)
{
    http_server_free(server);
    http_handler_free(handler);
    worlds_free(worlds);
}

static int connect_to_server(void)
{
    const char *port = strrchr(http_server_url(server), ':') + 1;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)strtoul(port, NULL, 10)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
    return fd;
}

static void send_text(int fd, const char *text)
{
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

/* Turns of the server, for events that are there or come soon. */
static void turns(int count)
{
    static const struct timespec moment = {.tv_nsec = 200000};

    while (count--) {
        nanosleep(&moment, NULL);
        http_server_turn(server, false);
    }
}

/* What has come until the text ends with `end`, or until the server closes (NULL). */
static struct span read_until(int fd, const char *end)
{
    struct buf text = buf_in(arena);
    ssize_t got = 1;

    for (int i = 0; got && i < 20000; i++) {
        turns(1);
        while ((got = read(fd, buf_reserve(&text, 65536), 65536)) > 0)
            text.len += (size_t)got;
        ck_assert(got == 0 || errno == EAGAIN);
        if (end && text.len >= strlen(end) &&
            memcmp(text.at + text.len - strlen(end), end, strlen(end)) == 0)
            return buf_span(&text);
    }
    ck_assert_msg(!end && got == 0, "waited in vain, have %.*s", (int)text.len, text.at);
    return (struct span){text.at ? text.at : "", text.len};
}

static bool has(struct span text, const char *part)
{
    return strstr(arena_text(arena, text), part) != NULL;
}

/* --- replies that come later ------------------------------------------------------------------ */

START_TEST(a_promised_reply_keeps_its_place)
{
    int fd, other;
    struct span text;

    start();
    fd = connect_to_server();
    other = connect_to_server();
    send_text(fd, "GET /later HTTP/1.1\r\n\r\nGET /now HTTP/1.1\r\nConnection: close\r\n\r\n");
    turns(5);
    ck_assert_ptr_nonnull(promised);
    send_text(other, "GET /now HTTP/1.1\r\n\r\n");
    read_until(other, "now");
    http_reply_body(handler, promised, 200, "text/plain", SPAN_LIT("later"));
    http_exchange_finish(promised);
    text = read_until(fd, NULL);
    ck_assert(has(text, "later") && has(text, "now"));
    ck_assert_span_eq(span_from(text, text.len - 3), "now");
    ck_assert_int_eq(gone, 1);
    close(fd);
    close(other);
    stop();
}
END_TEST

START_TEST(a_promised_reply_dies_with_its_connection)
{
    struct linger at_once = {.l_onoff = 1};
    int fd;

    start();
    fd = connect_to_server();
    send_text(fd, "GET /later HTTP/1.1\r\n\r\n");
    turns(5);
    ck_assert_ptr_nonnull(promised);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(fd);
    turns(5);
    ck_assert_ptr_null(promised);
    ck_assert_int_eq(gone, 1);
    fd = connect_to_server();
    send_text(fd, "GET /later HTTP/1.1\r\n\r\n");
    turns(5);
    close(fd);
    stop(); /* with a reply that is still promised */
    ck_assert_int_eq(gone, 2);
}
END_TEST

START_TEST(a_delayed_reply_leaves_after_a_while)
{
    struct timespec before, after;
    int fd;

    start();
    fd = connect_to_server();
    clock_gettime(CLOCK_MONOTONIC, &before);
    send_text(fd, "GET /while HTTP/1.1\r\n\r\n");
    read_until(fd, "late");
    clock_gettime(CLOCK_MONOTONIC, &after);
    ck_assert_int_ge(
        (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000, 60);
    send_text(fd, "GET /while HTTP/1.1\r\n\r\n");
    turns(5);
    close(fd);
    stop(); /* with a reply that waits */
    ck_assert_int_eq(gone, 2);
}
END_TEST

/* --- replies that are streamed ---------------------------------------------------------------- */

START_TEST(a_stream_waits_for_its_reader)
{
    int fd, other;
    struct span text;

    start();
    fd = connect_to_server();
    other = connect_to_server();
    send_text(fd, "GET /stream HTTP/1.1\r\n\r\n");
    turns(300);
    ck_assert_uint_lt(streamed, STREAMED);
    ck_assert_uint_le(most_room, HTTP_STREAM_WINDOW);
    send_text(other, "GET /now HTTP/1.1\r\n\r\n");
    read_until(other, "now");
    text = read_until(fd, "\r\n0\r\n\r\n");
    ck_assert(has((struct span){text.at, 400}, "Transfer-Encoding: chunked\r\n"));
    ck_assert_uint_gt(text.len, STREAMED);
    ck_assert_int_eq(gone, 1);
    send_text(fd, "GET /now HTTP/1.1\r\n\r\n");
    read_until(fd, "now");
    close(fd);
    close(other);
    stop();
}
END_TEST

START_TEST(a_stream_to_http_1_0_ends_with_the_connection)
{
    int fd;
    struct span text;

    start();
    fd = connect_to_server();
    send_text(fd, "GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    text = read_until(fd, NULL);
    ck_assert(!has((struct span){text.at, 400}, "Transfer-Encoding"));
    ck_assert(has((struct span){text.at, 400}, "Connection: close\r\n"));
    ck_assert_uint_ge(text.len, STREAMED);
    ck_assert_span_eq(span_from(text, text.len - 3), "aaa");
    close(fd);
    stop();
}
END_TEST

START_TEST(a_stream_that_breaks_has_no_end)
{
    int fd;
    struct span text;

    start();
    fd = connect_to_server();
    send_text(fd, "GET /break HTTP/1.1\r\n\r\n");
    text = read_until(fd, NULL);
    ck_assert(!has(text, "0\r\n\r\n"));
    ck_assert_int_eq(gone, 1);
    close(fd);
    stop();
}
END_TEST

START_TEST(the_head_of_a_stream_alone_for_head)
{
    int fd;

    start();
    fd = connect_to_server();
    send_text(fd, "HEAD /stream HTTP/1.1\r\n\r\nGET /now HTTP/1.1\r\nConnection: close\r\n\r\n");
    ck_assert(has(read_until(fd, NULL), "\r\n\r\nHTTP/1.1 200 OK\r\n"));
    ck_assert_uint_eq(streamed, 0);
    ck_assert_int_eq(gone, 1);
    close(fd);
    stop();
}
END_TEST

START_TEST(events_arrive_when_they_happen)
{
    int fd;

    start();
    fd = connect_to_server();
    send_text(fd, "GET /follow HTTP/1.1\r\n\r\n");
    read_until(fd, "\r\n\r\n");
    http_exchange_write(promised, SPAN_LIT("data: 1\n\n"));
    ck_assert(has(read_until(fd, "\n\n\r\n"), "data: 1"));
    turns(20);
    http_exchange_write(promised, SPAN_LIT("data: 2\n\n"));
    ck_assert(has(read_until(fd, "\n\n\r\n"), "data: 2"));
    close(fd); /* nobody is there for more */
    turns(5);
    ck_assert_ptr_null(promised);
    stop();
}
END_TEST

/* --- bodies that are streamed ----------------------------------------------------------------- */

/* Sends so much, in chunks of 100 000 bytes or as it is. */
static void send_body(int fd, size_t size, bool chunked)
{
    static char part[100000];

    memset(part, 'b', sizeof part);
    for (size_t sent = 0; sent < size; sent += sizeof part) {
        if (chunked)
            send_text(fd, arena_printf(arena, "%zx\r\n", sizeof part));
        for (size_t at = 0; at < sizeof part;) {
            ssize_t put = write(fd, part + at, sizeof part - at);

            if (put > 0)
                at += (size_t)put;
            else
                turns(1);
        }
        if (chunked)
            send_text(fd, "\r\n");
        turns(1);
    }
}

START_TEST(a_body_of_any_length_is_handed_on_in_parts)
{
    bool chunked = _i;
    int fd;

    start();
    fd = connect_to_server();
    send_text(fd, "POST /receive HTTP/1.1\r\nExpect: 100-continue\r\n");
    send_text(fd, chunked ? "Transfer-Encoding: chunked\r\n\r\n"
                          : arena_printf(arena, "Content-Length: %zu\r\n\r\n", UPLOADED));
    read_until(fd, "HTTP/1.1 100 Continue\r\n\r\n");
    ck_assert_int_eq(begun, 1);
    send_body(fd, UPLOADED, chunked);
    if (chunked)
        send_text(fd, "0\r\n\r\n");
    read_until(fd, arena_printf(arena, "\r\n\r\n%zu", UPLOADED));
    ck_assert_uint_eq(received, UPLOADED);
    ck_assert_uint_gt(parts, 100);
    turns(2);
    ck_assert_int_eq(gone, 1);
    if (!chunked) {
        send_text(fd, "GET /now HTTP/1.1\r\n\r\n");
        read_until(fd, "now");
    }
    close(fd);
    stop();
}
END_TEST

START_TEST(a_body_that_is_broken_off_is_gone)
{
    int fd;

    start();
    fd = connect_to_server();
    send_text(fd, "POST /receive HTTP/1.1\r\nContent-Length: 1000\r\n\r\nabc");
    turns(5);
    ck_assert_uint_eq(received, 3);
    close(fd);
    turns(5);
    ck_assert_int_eq(gone, 1);
    fd = connect_to_server();
    send_text(fd, "POST /receive HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd");
    turns(5);
    send_text(fd, "e");
    ck_assert(has(read_until(fd, NULL), "HTTP/1.1 400 "));
    close(fd);
    turns(2);
    ck_assert_int_eq(gone, 2);
    stop();
}
END_TEST

START_TEST(a_body_may_be_answered_before_its_end)
{
    int fd;
    struct span text;

    start();
    fd = connect_to_server();
    send_text(fd, "POST /refuse HTTP/1.1\r\nContent-Length: 1000\r\n\r\nabc");
    text = read_until(fd, NULL);
    ck_assert(has(text, "HTTP/1.1 409 Conflict\r\n") && has(text, "Connection: close\r\n"));
    close(fd);
    stop();
}
END_TEST

/* --- turns ------------------------------------------------------------------------------------ */

static bool is_answered(int fd)
{
    char text[1000];

    return read(fd, text, sizeof text) > 0;
}

static int count_answered(const int *fds, size_t count)
{
    int answered = 0;

    for (size_t i = 0; i < count; i++)
        answered += is_answered(fds[i]);
    return answered;
}

START_TEST(who_takes_long_goes_behind_the_others)
{
    int slow, prompt[3], answered = 0;

    start();
    slow = connect_to_server();
    work_ms = HTTP_TURN_MS + 5;
    send_text(slow, "GET /now HTTP/1.1\r\n\r\n");
    read_until(slow, "now");
    for (size_t i = 0; i < COUNT(prompt); i++)
        prompt[i] = connect_to_server();
    turns(5);
    work_ms = HTTP_TURN_MS / 2 + 2; /* two in a turn */
    send_text(slow, "GET /now HTTP/1.1\r\n\r\n");
    for (size_t i = 0; i < COUNT(prompt); i++)
        send_text(prompt[i], "GET /now HTTP/1.1\r\n\r\n");
    turns(1);
    answered = count_answered(prompt, COUNT(prompt));
    ck_assert_int_lt(answered, 3);
    ck_assert(!is_answered(slow));
    while (!is_answered(slow)) {
        answered += count_answered(prompt, COUNT(prompt));
        turns(1);
    }
    answered += count_answered(prompt, COUNT(prompt));
    ck_assert_int_eq(answered, 3);
    for (size_t i = 0; i < COUNT(prompt); i++)
        close(prompt[i]);
    close(slow);
    stop();
}
END_TEST

/* Prompt connections that always have a request in line do not keep a slow one from its turn. */
START_TEST(who_takes_long_is_answered_among_busy_others)
{
    int slow, prompt[4], rounds = 0;

    start();
    slow = connect_to_server();
    work_ms = HTTP_TURN_MS + 5;
    send_text(slow, "GET /now HTTP/1.1\r\n\r\n");
    read_until(slow, "now");
    for (size_t i = 0; i < COUNT(prompt); i++)
        prompt[i] = connect_to_server();
    turns(5);
    work_ms = HTTP_TURN_MS / 2 + 2; /* two in a turn, so two are left in line */
    for (size_t i = 0; i < COUNT(prompt); i++)
        send_text(prompt[i], "GET /now HTTP/1.1\r\n\r\n");
    send_text(slow, "GET /now HTTP/1.1\r\n\r\n");
    while (!is_answered(slow)) {
        ck_assert_int_lt(rounds++, 10 * HTTP_MAX_WAIT_MS / HTTP_TURN_MS);
        turns(1);
        for (size_t i = 0; i < COUNT(prompt); i++)
            if (is_answered(prompt[i]))
                send_text(prompt[i], "GET /now HTTP/1.1\r\n\r\n");
    }
    for (size_t i = 0; i < COUNT(prompt); i++)
        close(prompt[i]);
    close(slow);
    stop();
}
END_TEST

/* What does not fit into the socket is sent while the server reads. */
static void send_whole(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t sent = write(fd, text, len);

        ck_assert(sent > 0 || errno == EAGAIN);
        if (sent > 0) {
            text += sent;
            len -= (size_t)sent;
        }
        turns(sent < 0);
    }
}

#define SLOW_CLIENTS 8

/* How the slow clients are slow: each has been so before, each is new, or each sends much. */
enum { SLOW_BEFORE, SLOW_AND_NEW, SLOW_AND_LONG, SLOW_WAYS };

static char long_request[HTTP_LONG_BODY + 100];

/* Asks for what takes a turn and more; the answers are left alone. */
static void ask_slowly(int *fds, int way)
{
    const char *text = "GET /slow HTTP/1.1\r\nX-Amz-Target: DynamoDB_20120810.Scan\r\n\r\n";

    if (way == SLOW_AND_LONG) {
        int head = snprintf(long_request, sizeof long_request,
                            "POST /slow HTTP/1.1\r\nContent-Length: %zu\r\n\r\n", HTTP_LONG_BODY);

        memset(long_request + head, 'a', HTTP_LONG_BODY);
        text = long_request;
    }
    for (size_t i = 0; i < SLOW_CLIENTS; i++) {
        if (way != SLOW_BEFORE)
            fds[i] = connect_to_server();
        send_whole(fds[i], text, strlen(text));
    }
}

/* Whoever is prompt is answered after one slow request at most, whether its connection is new or
 * not. */
START_TEST(who_is_prompt_waits_for_one_slow_request_at_most)
{
    int slow[SLOW_CLIENTS], kept, fresh, way = _i;

    start();
    work_ms = HTTP_TURN_MS + 5;
    kept = connect_to_server();
    send_text(kept, "GET /later HTTP/1.1\r\n\r\n");
    turns(5);
    http_reply_body(handler, promised, 200, "text/plain", SPAN_LIT("later"));
    http_exchange_finish(promised);
    read_until(kept, "later");
    for (size_t i = 0; i < SLOW_CLIENTS; i++) { /* they, and what they ask for, become known */
        slow[i] = connect_to_server();
        send_text(slow[i], "GET /slow HTTP/1.1\r\nX-Amz-Target: DynamoDB_20120810.Scan\r\n\r\n");
        read_until(slow[i], "slow");
    }
    ask_slowly(slow, way);
    turns(3);
    for (int round = 0; round < 3; round++) {
        int before = begun;

        send_text(kept, "GET /quick HTTP/1.1\r\n\r\n");
        read_until(kept, "quick");
        ck_assert_int_le(begun - before, 1);
        before = begun;
        fresh = connect_to_server();
        send_text(fresh, "GET /quick HTTP/1.1\r\n\r\n");
        read_until(fresh, "quick");
        ck_assert_int_le(begun - before, 1);
        close(fresh);
    }
    ck_assert_int_lt(begun, (intmax_t)2 * SLOW_CLIENTS);
    for (size_t i = 0; i < SLOW_CLIENTS; i++)
        close(slow[i]);
    close(kept);
    stop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_promised_reply_keeps_its_place);
    tcase_add_test(tc, a_promised_reply_dies_with_its_connection);
    tcase_add_test(tc, a_delayed_reply_leaves_after_a_while);
    tcase_add_test(tc, a_stream_waits_for_its_reader);
    tcase_add_test(tc, a_stream_to_http_1_0_ends_with_the_connection);
    tcase_add_test(tc, a_stream_that_breaks_has_no_end);
    tcase_add_test(tc, the_head_of_a_stream_alone_for_head);
    tcase_add_test(tc, events_arrive_when_they_happen);
    tcase_add_loop_test(tc, a_body_of_any_length_is_handed_on_in_parts, 0, 2);
    tcase_add_test(tc, a_body_that_is_broken_off_is_gone);
    tcase_add_test(tc, a_body_may_be_answered_before_its_end);
    tcase_add_test(tc, who_takes_long_goes_behind_the_others);
    tcase_add_test(tc, who_takes_long_is_answered_among_busy_others);
    tcase_add_loop_test(tc, who_is_prompt_waits_for_one_slow_request_at_most, 0, SLOW_WAYS);
}

UNIT_TESTS(http_server, add_tests)
