#include "client/client_kinesis.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/process.h"
#include "client/client_aws.h"
#include "wire/wire_reply.h"

#include <event2/event.h>
#include <stdlib.h>

#define BATCH_RECORDS 500 /* the service's limits for PutRecords: 500 records … */
#define BATCH_BYTES   ((size_t)4 * 1000000) /* … and 5 MB of data and keys */

#define TIMEOUT_SECONDS 10
#define FIRST_PAUSE_MS  100
#define LONGEST_PAUSE   5000     /* ms */
#define PATIENCE_US     60000000 /* how long a record is retried before it is dropped */

struct kinesis_waiting {
    struct kinesis_waiting *next;
    int64_t since_us;
    struct span partition_key, data; /* both are stored behind the struct */
};

/* The records of one stream, oldest first. */
struct kinesis_lane {
    struct kinesis_lane *next;
    char *region, *stream;
    struct kinesis_waiting *first, **end;
    int pause_ms; /* of the last failure; 0: no failure */
    int64_t due_us;
    size_t dropped; /* not reported in the log yet */
    bool full;      /* records are being dropped, and the log has reported it */
};

struct client_kinesis {
    struct client_http *http; /* NULL until client_kinesis_start */
    struct event *timer;
    struct clock *clock;
    struct arena *arena; /* of the request under way */
    struct kinesis_lane *lanes;
    size_t bytes;                 /* of the queued records */
    struct kinesis_lane *sending; /* NULL: no request is under way */
    size_t batch;                 /* number of records in the request */
};

struct client_kinesis *client_kinesis_new(void)
{
    struct client_kinesis *k = process_zeroed(sizeof *k);

    k->clock = clock_new_system();
    k->arena = arena_new();
    return k;
}

/* --- records that wait to be sent ----------------------------------------------------------------
 */

static size_t bytes_of(const struct kinesis_waiting *w)
{
    return sizeof *w + w->partition_key.len + w->data.len;
}

static void remove_waiting(struct client_kinesis *k, struct kinesis_lane *lane,
                           struct kinesis_waiting **at)
{
    struct kinesis_waiting *w = *at;

    *at = w->next;
    if (!*at)
        lane->end = at;
    k->bytes -= bytes_of(w);
    free(w);
}

static void drop_first(struct client_kinesis *k, struct kinesis_lane *lane)
{
    remove_waiting(k, lane, &lane->first);
    lane->dropped++;
}

static struct kinesis_lane *lane_of(struct client_kinesis *k, struct span region,
                                    struct span stream)
{
    struct kinesis_lane **at = &k->lanes;

    for (; *at; at = &(*at)->next)
        if (span_is(region, (*at)->region) && span_is(stream, (*at)->stream))
            return *at;
    *at = process_zeroed(sizeof **at);
    (*at)->region = process_text(region);
    (*at)->stream = process_text(stream);
    (*at)->end = &(*at)->first;
    return *at;
}

static void tell_dropped(struct kinesis_lane *lane, const char *why)
{
    if (lane->dropped)
        log_error("%zu records for Kinesis stream %s are dropped: %s", lane->dropped, lane->stream,
                  why);
    lane->dropped = 0;
}

static void append_record(struct client_kinesis *k, struct kinesis_lane *lane,
                          const struct client_kinesis_record *record)
{
    struct kinesis_waiting *w = process_malloc(sizeof *w + record->partition_key.len +
                                               record->data.len);
    char *at = (char *)(w + 1);

    memcpy(at, record->partition_key.at, record->partition_key.len);
    memcpy(at + record->partition_key.len, record->data.at, record->data.len);
    *w = (struct kinesis_waiting){.since_us = clock_ticks_us(k->clock),
                                  .partition_key = {at, record->partition_key.len},
                                  .data = {at + record->partition_key.len, record->data.len}};
    *lane->end = w;
    lane->end = &w->next;
    k->bytes += bytes_of(w);
}

void client_kinesis_free(struct client_kinesis *k)
{
    if (!k)
        return;
    client_http_free(k->http);
    if (k->timer)
        event_free(k->timer);
    while (k->lanes) {
        struct kinesis_lane *lane = k->lanes;

        k->lanes = lane->next;
        while (lane->first)
            drop_first(k, lane);
        tell_dropped(lane, "the server ends");
        free(lane->region);
        free(lane->stream);
        free(lane);
    }
    clock_free(k->clock);
    arena_free(k->arena);
    free(k);
}

/* --- requests --------------------------------------------------------------------------------- */

/* Returns a request with as many of the lane's first records as the limits allow, at least one. */
static struct span body_of(struct client_kinesis *k, const struct kinesis_lane *lane)
{
    struct buf body = buf_in(k->arena), data;
    struct wire_writer out = {.out = &body};
    size_t bytes = 0;

    k->batch = 0;
    wire_open(&out, '{');
    wire_put_member_text(&out, "StreamName", span_of(lane->stream));
    wire_open_member(&out, "Records", '[');
    for (const struct kinesis_waiting *w = lane->first; w && k->batch < BATCH_RECORDS;
         w = w->next) {
        bytes += w->partition_key.len + w->data.len;
        if (k->batch && bytes > BATCH_BYTES)
            break;
        data = buf_in(k->arena);
        base64_encode(&data, w->data);
        wire_open(&out, '{');
        wire_put_member_text(&out, "Data", buf_span(&data));
        wire_put_member_text(&out, "PartitionKey", w->partition_key);
        wire_close(&out, '}');
        k->batch++;
    }
    wire_close(&out, ']');
    wire_close(&out, '}');
    return buf_span(&body);
}

/* --- answers ---------------------------------------------------------------------------------- */

/* Removes the accepted records from the lane. Returns false if some of the batch are left. */
static bool take_results(struct client_kinesis *k, struct kinesis_lane *lane,
                         const wire_node *results)
{
    const wire_node *result = wire_first(results);
    struct kinesis_waiting **at = &lane->first;

    for (size_t i = 0; i < k->batch && *at; i++) {
        if (result && wire_text(wire_get(result, "ErrorCode")).len)
            at = &(*at)->next;
        else
            remove_waiting(k, lane, at);
        result = result ? wire_next(result) : NULL;
    }
    return at == &lane->first;
}

/* Returns why the batch, or a part of it, was not accepted; NULL if all of it was. */
static const char *take_answer(struct client_kinesis *k, struct kinesis_lane *lane,
                               const struct client_reply *reply)
{
    struct client_answer answer;

    if (!client_answer_read(k->arena, reply->status, reply->body, &answer))
        return arena_printf(k->arena, "HTTP %d with something that is not JSON", reply->status);
    if (reply->status != 200)
        return arena_printf(k->arena, "%.*s %.*s", SPAN_ARG(answer.error_type),
                            SPAN_ARG(answer.message));
    return take_results(k, lane, wire_get(answer.body, "Records")) ? NULL : "some are refused";
}

/* Schedules a retry; logs once that the stream's records have to wait. */
static void put_off(struct client_kinesis *k, struct kinesis_lane *lane, const char *why)
{
    int64_t now = clock_ticks_us(k->clock);

    if (!lane->pause_ms)
        log_error("records for Kinesis stream %s have to wait: %s", lane->stream, why);
    lane->pause_ms = !lane->pause_ms                      ? FIRST_PAUSE_MS
                     : lane->pause_ms * 2 < LONGEST_PAUSE ? lane->pause_ms * 2
                                                          : LONGEST_PAUSE;
    lane->due_us = now + (int64_t)lane->pause_ms * 1000;
    while (lane->first && now - lane->first->since_us > PATIENCE_US)
        drop_first(k, lane);
    if (!lane->full)
        tell_dropped(lane, why);
}

static void on_done(void *context, const char *error, const struct client_reply *reply)
{
    struct client_kinesis *k = context;
    struct kinesis_lane *lane = k->sending;

    k->sending = NULL;
    if (!error)
        error = take_answer(k, lane, reply);
    if (error) {
        put_off(k, lane, error);
    } else {
        tell_dropped(lane, "there was no room for them");
        lane->full = false;
        lane->pause_ms = 0;
    }
    arena_reset(k->arena);
    event_active(k->timer, EV_TIMEOUT, 0); /* the connection is still in use */
}

/* --- the loop --------------------------------------------------------------------------------- */

static void send_batch(struct client_kinesis *k, struct kinesis_lane *lane)
{
    const struct client_aws_signer signer = {.keys = {"local", "local", NULL},
                                             .region = lane->region,
                                             .service = "kinesis",
                                             .content_type = "application/x-amz-json-1.1"};
    const struct client_aws_request post = {
        .method = "POST", .path = "/", .query = "", .body = body_of(k, lane)};
    const struct client_http_request request = client_aws_sign(
        k->arena, k->http, &signer, clock_now_ms(k->clock), "Kinesis_20131202.PutRecords", &post);

    k->sending = lane;
    client_http_begin(k->http, k->arena, &request, on_done, k);
}

/* Returns the lane whose records have been due longest, or NULL if no lane has any. */
static struct kinesis_lane *next_lane(const struct client_kinesis *k)
{
    struct kinesis_lane *next = NULL;

    for (struct kinesis_lane *lane = k->lanes; lane; lane = lane->next)
        if (lane->first && (!next || lane->due_us < next->due_us))
            next = lane;
    return next;
}

/* Sends the records that are due, or waits until some are. */
static void pump(struct client_kinesis *k)
{
    struct kinesis_lane *lane = k->http && !k->sending ? next_lane(k) : NULL;
    int64_t now, wait;

    if (!lane)
        return;
    now = clock_ticks_us(k->clock);
    wait = lane->due_us - now;
    if (wait <= 0) {
        lane->due_us = now;
        send_batch(k, lane);
        return;
    }
    event_add(k->timer, &(struct timeval){.tv_sec = wait / 1000000, .tv_usec = wait % 1000000});
}

static void on_timer(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    pump(context);
}

void client_kinesis_put(struct client_kinesis *k, const struct client_kinesis_record *record)
{
    struct kinesis_lane *lane = lane_of(k, record->region, record->stream);

    if (k->bytes + record->data.len <= CLIENT_KINESIS_WAITING) {
        append_record(k, lane, record);
    } else {
        lane->dropped++;
        if (!lane->full)
            log_error(
                "records for Kinesis stream %s are dropped from now on: more than %zu MB wait",
                lane->stream, CLIENT_KINESIS_WAITING >> 20);
        lane->full = true;
    }
    pump(k);
}

const char *client_kinesis_start(struct client_kinesis *k, struct arena *a, const char *url,
                                 struct event_base *base)
{
    const struct client_http_options options = {.timeout_seconds = TIMEOUT_SECONDS, .base = base};
    const char *problem = client_http_new(a, url, &options, &k->http);

    if (problem)
        return problem;
    k->timer = process_have(evtimer_new(base, on_timer, k));
    pump(k);
    return NULL;
}
