#include "http/http_connection.h"

#include "base/log.h"
#include "http/http_tls.h"

#include <assert.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* One write moves up to this much: with libevent's 16 KiB, an answer of 45 KB takes three turns. */
#define MAX_SINGLE_WRITE ((size_t)16 * 1024 * 1024)

/* libevent reads 4 KB for each event, into a block of 8 KB. If there may be more, it is read at
 * once, a block at a time: libevent's blocks are powers of two, including some bytes of its own. */
#define LIBEVENT_READ ((size_t)4096)
#define READ_BLOCK    ((size_t)64 * 1024 - 128)
#define MAX_READ      ((size_t)1024 * 1024)

#define LONG_BODY ((size_t)64 * 1024) /* from this length on, holding is cheaper than copying */

static struct evbuffer *input_of(const struct http_connection *c)
{
    return bufferevent_get_input(c->stream);
}

static struct evbuffer *output_of(const struct http_connection *c)
{
    return bufferevent_get_output(c->stream);
}

static size_t unsent(const struct http_connection *c)
{
    return evbuffer_get_length(output_of(c));
}

static void empty_buffer(struct evbuffer *buffer)
{
    evbuffer_drain(buffer, evbuffer_get_length(buffer));
}

static void weigh(struct http_connection *c)
{
    size_t waits = evbuffer_get_length(c->out) + unsent(c);

    if (!waits)
        c->held_beside = 0;
    http_turn_weigh(c->turn, c,
                    evbuffer_get_length(input_of(c)) + evbuffer_get_length(c->content) + waits +
                        c->held_beside);
}

static void go_on_reading(struct http_connection *c)
{
    if (!c->ended && !(bufferevent_get_enabled(c->stream) & EV_READ))
        bufferevent_enable(c->stream, EV_READ);
}

/* --- the end of an exchange ------------------------------------------------------------------- */

static void stop_timer(struct http_connection *c)
{
    if (c->timer)
        event_free(c->timer);
    c->timer = NULL;
}

static void forget_exchange(struct http_connection *c)
{
    struct http_exchange *x = &c->exchange;

    if (x->on_gone)
        x->on_gone(x);
    if (x->on_over)
        x->on_over(x);
    *x = (struct http_exchange){.connection = c, .request = {.uri = "", .port = c->turn->port}};
}

void http_connection_close(struct http_connection *c)
{
    stop_timer(c);
    http_turn_forget(c->turn, c);
    forget_exchange(c);
    http_head_free(&c->head);
    evbuffer_free(c->content);
    evbuffer_free(c->out);
    bufferevent_free(c->stream);
    free(c);
}

/* A client that still sends when its connection is closed gets a reset, and may never see why it
 * was refused. So its bytes are read for a moment (RFC 9112, 9.6). */
static void close_behind_reply(struct http_connection *c)
{
    bool sends_on = c->exchange.request.refused || c->exchange.request.unread;

    if (!sends_on || c->ended || c->turn->secure) {
        http_connection_close(c);
        return;
    }
    c->stage = HTTP_LINGERING;
    empty_buffer(input_of(c));
    shutdown(bufferevent_getfd(c->stream), SHUT_WR);
    go_on_reading(c);
    http_turn_linger(c->turn, c);
}

static void read_on(struct http_connection *c);

/* The reply was sent. */
static void finish_reply(struct http_connection *c)
{
    if (c->exchange.reply.close) {
        close_behind_reply(c);
        return;
    }
    forget_exchange(c);
    http_head_reset(&c->head);
    empty_buffer(c->content);
    c->long_body = false;
    c->complete = false;
    c->stage = HTTP_AT_HEAD;
    go_on_reading(c);
    read_on(c);
}

/* --- requests --------------------------------------------------------------------------------- */

static void get_ready(struct http_connection *c)
{
    c->stage = HTTP_READY;
    http_turn_add(c->turn, c);
}

static void refuse_request(struct http_connection *c, int status)
{
    c->exchange.request.refused = status;
    get_ready(c);
}

/* The client asks whether it may send its body. */
static void answer_expectation(struct http_connection *c)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    const struct http_request *request = &c->exchange.request;

    if (request->fields.expect && !request->http_1_0 && !evbuffer_get_length(input_of(c)))
        bufferevent_write(c->stream, go_on, strlen(go_on));
}

static void begin_body(struct http_connection *c)
{
    struct http_exchange *x = &c->exchange;

    c->body = http_body_begin(&x->request.fields);
    x->route = http_handler_route(c->turn->handler, &x->request);
    if (x->route->flags & HTTP_STREAMS_BODY) {
        x->request.unread = true;
        get_ready(c);
    } else if (c->body.left > LIMIT_REQUEST_BYTES) {
        refuse_request(c, 413);
    } else {
        c->stage = HTTP_AT_BODY;
        if (c->body.left || c->body.stage != HTTP_BODY_PLAIN)
            answer_expectation(c);
    }
}

/* Whether it begins like a TLS record with a handshake. */
static bool begins_tls(struct evbuffer *input)
{
    unsigned char head[2];

    return evbuffer_copyout(input, head, sizeof head) == sizeof head && head[0] == 0x16 &&
           head[1] == 0x03;
}

static void read_head(struct http_connection *c)
{
    struct http_request *request = &c->exchange.request;
    int status;

    if (!c->head.len && begins_tls(input_of(c))) {
        if (http_turn_is_news(c->turn, &c->turn->tls_ms))
            log_error("a client speaks TLS on this port, which is for plain HTTP: let it use "
                      "http://, or start with --tls-cert and --tls-key");
        refuse_request(c, 400);
        return;
    }
    switch (http_head_take(&c->head, input_of(c))) {
    case HTTP_HEAD_MORE:
        return;
    case HTTP_HEAD_TOO_LONG:
        refuse_request(c, 431);
        return;
    case HTTP_HEAD_WHOLE:
        break;
    }
    status = http_head_read(&c->head, request);
    if (!status && request->fields.expect &&
        strcasecmp(request->fields.expect, "100-continue") != 0)
        status = 417;
    if (status)
        refuse_request(c, status);
    else
        begin_body(c);
}

static struct span content_of(struct http_connection *c)
{
    size_t len = evbuffer_get_length(c->content);

    return len ? (struct span){(const char *)evbuffer_pullup(c->content, -1), len}
               : (struct span){"", 0};
}

static void read_body(struct http_connection *c)
{
    enum http_body_state state = http_body_move(&c->body, input_of(c), c->content, SIZE_MAX);

    if (evbuffer_get_length(c->content) > LIMIT_REQUEST_BYTES) {
        refuse_request(c, 413);
    } else if (state == HTTP_BODY_BROKEN) {
        refuse_request(c, 400);
    } else if (state == HTTP_BODY_WHOLE) {
        c->long_body = evbuffer_get_length(c->content) >= HTTP_LONG_BODY;
        get_ready(c);
    }
}

/* Reads what has arrived of the next request. */
static void read_on(struct http_connection *c)
{
    if (c->stage == HTTP_AT_HEAD)
        read_head(c);
    if (c->stage == HTTP_AT_BODY)
        read_body(c);
    if (c->ended && c->stage != HTTP_READY)
        http_connection_close(c);
    else
        weigh(c);
}

/* --- replies ---------------------------------------------------------------------------------- */

static void on_body_sent(const void *data, size_t len, void *held)
{
    (void)data, (void)len;
    reply_pool_release(held);
}

/* A long body is held until it is written, not copied. */
static void add_body(struct http_connection *c)
{
    const struct http_reply *reply = &c->exchange.reply;
    struct worlds *worlds = c->turn->handler->worlds;
    struct reply_buffer *held;

    if (!reply->in_buffer || reply->body.len < LONG_BODY) {
        evbuffer_add(c->out, reply->body.at, reply->body.len);
        return;
    }
    held = dispatch_hold_reply(worlds_memory(worlds));
    c->held_beside += reply_pool_held_bytes(held) - reply->body.len;
    evbuffer_add_reference(c->out, reply->body.at, reply->body.len, on_body_sent, held);
}

/* Copies the borrowed parts of the reply into the output. */
static void write_reply(struct http_connection *c)
{
    const struct http_reply *reply = &c->exchange.reply;
    struct buf *text = &c->turn->text;

    text->len = 0;
    buf_printf(text, "HTTP/1.1 %d %s\r\n", reply->status, reply->reason);
    for (size_t i = 0; i < reply->header_count; i++) {
        buf_add_text(text, reply->headers[i].name);
        buf_add(text, ": ", 2);
        buf_add_text(text, reply->headers[i].value);
        buf_add(text, "\r\n", 2);
    }
    buf_add(text, "\r\n", 2);
    evbuffer_add(c->out, text->at, text->len);
    if (c->exchange.request.method != HTTP_HEAD)
        add_body(c);
}

/* Writes as much as the socket takes at once: libevent's output would first ask epoll, which costs
 * three more system calls for each request. */
static void send_reply(struct http_connection *c)
{
    if (c->exchange.reply.dropped) {
        http_connection_close(c);
        return;
    }
    if (!c->turn->secure && !unsent(c))
        evbuffer_write(c->out, bufferevent_getfd(c->stream));
    if (!evbuffer_get_length(c->out) && !unsent(c)) {
        finish_reply(c);
        return;
    }
    c->stage = HTTP_SENDING;
    bufferevent_write_buffer(c->stream, c->out);
    weigh(c);
}

static void set_timer(struct http_connection *c, int64_t ms)
{
    const struct timeval delay = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    process_need(evtimer_add(c->timer, &delay) == 0);
}

/* libevent's clock is coarse, and may be some milliseconds ahead. */
static void on_delay_over(evutil_socket_t fd, short what, void *arg)
{
    struct http_connection *c = arg;
    int64_t left = c->due_ms - clock_monotonic_ms();

    (void)fd, (void)what;
    if (left > 0) {
        set_timer(c, left);
        return;
    }
    stop_timer(c);
    send_reply(c);
}

void http_connection_flushed(struct http_connection *c, bool lost)
{
    if (lost) {
        empty_buffer(c->out);
        http_handler_lose(c->turn->handler, &c->exchange);
        write_reply(c);
    }
    if (c->exchange.delay_ms > 0) {
        c->stage = HTTP_DELAYED;
        c->due_ms = clock_monotonic_ms() + c->exchange.delay_ms +
                    1; /* part of the current millisecond is over */
        c->timer = process_have(evtimer_new(c->turn->base, on_delay_over, c));
        set_timer(c, c->exchange.delay_ms);
        weigh(c);
    } else {
        send_reply(c);
    }
}

/* The handler has returned. */
static void answer_request(struct http_connection *c)
{
    struct http_exchange *x = &c->exchange;

    if (x->pace == HTTP_LATER) {
        c->stage = HTTP_PROMISED;
    } else if (x->pace == HTTP_STREAM && x->request.method != HTTP_HEAD) {
        c->stage = HTTP_STREAMING;
        write_reply(c);
        bufferevent_write_buffer(c->stream, c->out);
        http_turn_add(c->turn, c);
    } else {
        c->stage = HTTP_WAITING;
        write_reply(c);
        http_turn_wait(c->turn, c);
    }
}

void http_exchange_finish(struct http_exchange *x)
{
    struct http_connection *c = x->connection;

    assert(c->stage == HTTP_PROMISED && x->pace != HTTP_NOW);
    if (x->pace == HTTP_LATER) /* otherwise the reply is streamed */
        x->pace = HTTP_NOW;
    http_handler_complete(c->turn->handler, x);
    answer_request(c);
}

/* --- replies that are streamed ---------------------------------------------------------------- */

size_t http_exchange_room(const struct http_exchange *x)
{
    size_t waits = unsent(x->connection);

    return waits < HTTP_STREAM_WINDOW ? HTTP_STREAM_WINDOW - waits : 0;
}

void http_exchange_write(struct http_exchange *x, struct span bytes)
{
    struct http_connection *c = x->connection;
    struct evbuffer *output = output_of(c);

    assert(c->stage == HTTP_STREAMING && !c->complete);
    if (!bytes.len)
        return;
    if (!x->request.http_1_0)
        evbuffer_add_printf(output, "%zx\r\n", bytes.len);
    evbuffer_add(output, bytes.at, bytes.len);
    if (!x->request.http_1_0)
        evbuffer_add(output, "\r\n", 2);
    weigh(c);
}

void http_exchange_end(struct http_exchange *x)
{
    struct http_connection *c = x->connection;

    if (!x->request.http_1_0)
        evbuffer_add(output_of(c), "0\r\n\r\n", 5);
    c->complete = true;
    http_turn_add(c->turn, c);
}

void http_exchange_break(struct http_exchange *x)
{
    x->connection->broken = true;
    http_turn_add(x->connection->turn, x->connection);
}

void http_exchange_wake(struct http_exchange *x)
{
    http_turn_add(x->connection->turn, x->connection);
}

/* A client that has closed its side does not wait for later lines. */
static void stream_on(struct http_connection *c)
{
    struct http_exchange *x = &c->exchange;

    if (!c->complete && !c->broken && http_exchange_room(x))
        x->on_room(x);
    if (c->broken || (c->ended && !c->complete && !unsent(c)))
        http_connection_close(c);
    else if (c->complete && !unsent(c))
        finish_reply(c);
}

/* --- bodies that are streamed ----------------------------------------------------------------- */

static void receive(struct http_connection *c)
{
    struct http_exchange *x = &c->exchange;
    struct evbuffer *input = input_of(c);
    size_t before = evbuffer_get_length(input);
    enum http_body_state state = http_body_move(&c->body, input, c->content, HTTP_STREAM_WINDOW);
    bool last = state == HTTP_BODY_WHOLE;

    if (state == HTTP_BODY_BROKEN) {
        c->exchange.request.refused = 400;
        c->exchange.on_body = NULL;
        http_handler_answer(c->turn->handler, &c->exchange);
        answer_request(c);
        return;
    }
    if (last)
        x->request.unread = false;
    if (last || evbuffer_get_length(c->content)) {
        x->on_body(x, content_of(c), last);
        empty_buffer(c->content);
    }
    if (last || !x->on_body) {
        /* A handler may answer before the end of the body: the rest must not be taken for a
         * request. */
        c->exchange.on_body = NULL;
        if (c->exchange.pace != HTTP_LATER)
            http_handler_complete(c->turn->handler, &c->exchange);
        answer_request(c);
        return;
    }
    if (evbuffer_get_length(input) && evbuffer_get_length(input) < before)
        http_turn_add(c->turn, c);
    else if (c->ended)
        http_connection_close(c);
    else
        go_on_reading(c);
}

/* --- work ------------------------------------------------------------------------------------- */

static void handle(struct http_connection *c)
{
    struct http_exchange *x = &c->exchange;

    if (!x->request.refused)
        x->request.body = content_of(c);
    http_handler_answer(c->turn->handler, x);
    if (x->on_body) {
        c->stage = HTTP_RECEIVING;
        answer_expectation(c);
        receive(c);
    } else {
        answer_request(c);
    }
}

void http_connection_work(struct http_connection *c)
{
    switch (c->stage) {
    case HTTP_READY:
        handle(c);
        break;
    case HTTP_RECEIVING:
        receive(c);
        break;
    case HTTP_STREAMING:
        stream_on(c);
        break;
    default: /* it has nothing left to do */
        break;
    }
}

/* --- events ----------------------------------------------------------------------------------- */

static bool reads_on(const struct http_connection *c)
{
    return c->stage == HTTP_AT_HEAD || c->stage == HTTP_AT_BODY || c->stage == HTTP_RECEIVING;
}

/* Reads everything available into libevent's input; returns false if the connection is lost. */
static bool read_more(struct http_connection *c)
{
    struct evbuffer *input = input_of(c);
    struct evbuffer_iovec block;
    bool lost;
    ssize_t got;

    evbuffer_unfreeze(input, 0);
    do {
        process_need(evbuffer_reserve_space(input, READ_BLOCK, &block, 1) == 1);
        got = read(bufferevent_getfd(c->stream), block.iov_base, READ_BLOCK);
        lost = got < 0 && errno != EAGAIN && errno != EINTR;
        block.iov_len = got > 0 ? (size_t)got : 0;
        evbuffer_commit_space(input, &block, 1);
    } while (got == (ssize_t)READ_BLOCK && evbuffer_get_length(input) < MAX_READ);
    evbuffer_freeze(input, 0);
    return !lost;
}

static void on_readable(struct bufferevent *stream, void *arg)
{
    struct http_connection *c = arg;
    struct evbuffer *input = bufferevent_get_input(stream);

    http_turn_moved(c->turn, c);
    if (!c->turn->secure && reads_on(c) && evbuffer_get_length(input) >= LIBEVENT_READ &&
        !read_more(c)) {
        http_connection_close(c);
        return;
    }
    switch (c->stage) {
    case HTTP_AT_HEAD:
    case HTTP_AT_BODY:
        read_on(c);
        return;
    case HTTP_LINGERING:
        empty_buffer(input);
        return;
    case HTTP_RECEIVING:
        http_turn_add(c->turn, c);
        break;
    default:
        break;
    }
    if (evbuffer_get_length(input) > HTTP_MAX_AHEAD)
        bufferevent_disable(stream, EV_READ);
    weigh(c);
}

static void on_sent(struct bufferevent *stream, void *arg)
{
    struct http_connection *c = arg;

    (void)stream;
    http_turn_moved(c->turn, c);
    if (c->stage == HTTP_SENDING && !unsent(c))
        finish_reply(c);
    else if (c->stage == HTTP_STREAMING)
        http_turn_add(c->turn, c);
}

/* The client sends no more, but may still read. libevent_openssl would stop writing then. */
static void on_end(struct http_connection *c)
{
    c->ended = true;
    switch (c->stage) {
    case HTTP_AT_HEAD:
    case HTTP_AT_BODY:
    case HTTP_LINGERING:
        http_connection_close(c);
        break;
    case HTTP_RECEIVING:
        http_turn_add(c->turn, c);
        break;
    case HTTP_SENDING:
    case HTTP_STREAMING:
        if (c->turn->secure)
            http_connection_close(c);
        else if (c->stage == HTTP_STREAMING)
            http_turn_add(c->turn, c);
        break;
    default:
        break;
    }
}

static void on_event(struct bufferevent *stream, short what, void *arg)
{
    struct http_connection *c = arg;

    if (what & BEV_EVENT_ERROR && c->turn->secure && http_tls_met_http(stream) &&
        http_turn_is_news(c->turn, &c->turn->plain_ms))
        log_error("a client speaks plain HTTP on this port, which is for TLS: let it use https://");
    if (what & BEV_EVENT_ERROR || (what & BEV_EVENT_EOF && what & BEV_EVENT_WRITING))
        http_connection_close(arg);
    else if (what & BEV_EVENT_EOF)
        on_end(arg);
}

bool http_connection_is_idle(struct http_connection *c)
{
    size_t now_unsent = unsent(c);

    if (now_unsent != c->unsent || c->stage == HTTP_PROMISED || c->stage == HTTP_DELAYED ||
        (c->stage == HTTP_STREAMING && !now_unsent))
        c->moved_ms = c->turn->now_ms;
    c->unsent = now_unsent;
    return c->turn->now_ms - c->moved_ms >= HTTP_IDLE_MS;
}

bool http_connection_can_go(const struct http_connection *c)
{
    char next;

    if (c->stage != HTTP_AT_HEAD && c->stage != HTTP_AT_BODY && c->stage != HTTP_LINGERING)
        return false;
    if (c->known && c->turn->now_ms - c->moved_ms < HTTP_USED_MS)
        return false;
    /* A request that has arrived and was not read yet is answered. */
    return recv(bufferevent_getfd(c->stream), &next, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

void http_connection_open(struct http_turn *t, struct bufferevent *stream)
{
    struct http_connection *c = process_zeroed(sizeof *c);

    c->content = process_have(evbuffer_new());
    c->out = process_have(evbuffer_new());
    c->turn = t;
    c->stream = stream;
    c->moved_ms = t->now_ms;
    forget_exchange(c);
    TAILQ_INSERT_TAIL(&t->all, c, all_link);
    t->count++;
    bufferevent_set_max_single_write(stream, MAX_SINGLE_WRITE);
    bufferevent_setwatermark(stream, EV_WRITE, HTTP_STREAM_WINDOW / 2, 0);
    bufferevent_setcb(stream, on_readable, on_sent, on_event, c);
    bufferevent_enable(stream, EV_READ | EV_WRITE);
}
