#include "stream_lambda/lambda_delivery.h"

#include "base/buf.h"
#include "stream_lambda/lambda_response.h"
#include "stream_lambda/lambda_work.h"

#include <event2/event.h>
#include <stdlib.h>

#define RETRY_FIRST_MS 200 /* doubles with each retry … */
#define RETRY_MOST_MS  30000
#define REACH_AGAIN_MS 1000
#define RETENTION_MS   (INT64_C(24) * 60 * 60 * 1000) /* a record's life in its stream */

struct lambda_delivery {
    struct lambda_run *run;
    const char *shard;
    struct arena *arena;   /* of the batch */
    struct arena *scratch; /* of one call */
    const struct lambda_record **records;
    struct lambda_work work;
    struct event *timer; /* to the next call */
    bool calling;
    bool reached;    /* the last call reached the function */
    int last_status; /* of the function's last answer; 0: it was not called yet */
    void (*done)(void *context);
    void *context;
};

/* --- giving up -------------------------------------------------------------------------------- */

static void give_up(struct lambda_delivery *d, const struct lambda_piece *lost,
                    const char *condition)
{
    struct lambda_failure failure = {
        .condition = condition,
        .calls = lost->failures,
        .status = lost->failures ? d->last_status : 0,
        .shard = d->shard,
        .records = d->records + lost->from,
        .count = lost->to - lost->from,
    };
    const char *problem = lambda_failure_write(d->run->failures, d->scratch, &failure);

    lambda_run_say("%s: gave %zu record(s) up (%s), from number %.*s on", d->shard, failure.count,
                   condition, SPAN_ARG(failure.records[0]->sequence));
    d->run->totals.given_up += failure.count;
    if (problem)
        lambda_run_fail(d->run, problem);
}

/* Gives up the first records of the batch that are too old. */
static void give_up_old(struct lambda_delivery *d)
{
    int64_t max_age = d->run->options->max_age;
    int64_t oldest_ms = clock_now_ms(d->run->clock) -
                        (max_age < 0 ? RETENTION_MS : max_age * INT64_C(1000));
    const struct lambda_piece *p;

    while ((p = lambda_work_next(&d->work)) && d->records[p->from]->arrival_ms < oldest_ms) {
        struct lambda_piece lost = *p;

        for (lost.to = lost.from; lost.to < p->to; lost.to++)
            if (d->records[lost.to]->arrival_ms >= oldest_ms)
                break;
        lambda_work_skip(&d->work, lost.to);
        give_up(d, &lost, "RecordAgeExceeded");
    }
}

/* --- answers ---------------------------------------------------------------------------------- */

static int64_t retry_delay_ms(const struct lambda_piece *p)
{
    int64_t ms = RETRY_FIRST_MS;

    for (int64_t i = 1; i < p->retries && ms < RETRY_MOST_MS; i++)
        ms *= 2;
    return ms < RETRY_MOST_MS ? ms : RETRY_MOST_MS;
}

/* The records of the piece failed, from `first` on. Returns when to try again. */
static int64_t take_failure(struct lambda_delivery *d, size_t first, const char *why)
{
    const struct lambda_options *o = d->run->options;
    struct lambda_work_rules rules = {.bisect = o->bisect, .max_retries = o->max_retries};
    struct lambda_piece piece = *lambda_work_next(&d->work), lost;

    lambda_run_say("%s: %zu of %zu record(s) failed: %s", d->shard, piece.to - first,
                   piece.to - piece.from, why);
    d->run->totals.delivered += first - piece.from;
    switch (lambda_work_failed(&d->work, &rules, first, &lost)) {
    case WORK_RETRY:
        return retry_delay_ms(lambda_work_next(&d->work));
    case WORK_GIVEN_UP:
        give_up(d, &lost, "RetryAttemptsExhausted");
        return 0;
    default:
        return 0;
    }
}

static int64_t take_success(struct lambda_delivery *d)
{
    const struct lambda_piece *p = lambda_work_next(&d->work);

    d->run->totals.delivered += p->to - p->from;
    if (d->run->options->verbose)
        lambda_run_say("%s: %zu record(s) done", d->shard, p->to - p->from);
    lambda_work_succeeded(&d->work);
    return 0;
}

static int64_t take_answer(struct lambda_delivery *d, const struct lambda_function_result *result)
{
    const struct lambda_piece *p = lambda_work_next(&d->work);
    size_t count = p->to - p->from, failed;
    const char *why;

    if (!d->run->options->reports_failures)
        return take_success(d);
    if ((why = lambda_response_read(d->scratch, result->answer, d->records + p->from, count,
                                    &failed)))
        return take_failure(d, p->from, why);
    return failed == count ? take_success(d)
                           : take_failure(d, p->from + failed, "reported by the function");
}

/* No function received the records, so this does not count as a failure. */
static int64_t take_absence(struct lambda_delivery *d, const char *why)
{
    if (d->run->options->once)
        lambda_run_fail(d->run, why);
    else if (d->reached)
        lambda_run_say("%s; trying again", why);
    d->reached = false;
    return REACH_AGAIN_MS;
}

static void on_result(void *context, const struct lambda_function_result *result)
{
    struct lambda_delivery *d = context;
    int64_t delay_ms;

    d->calling = false;
    if (result->outcome == FUNCTION_NOT_REACHED) {
        delay_ms = take_absence(d, result->why);
    } else {
        d->reached = true;
        d->last_status = result->status;
        delay_ms = result->outcome == FUNCTION_FAILED
                       ? take_failure(d, lambda_work_next(&d->work)->from, result->why)
                       : take_answer(d, result);
    }
    lambda_run_timer_set(d->timer, delay_ms);
    d->run->changed(d->run);
}

/* --- calls ------------------------------------------------------------------------------------ */

static void call_function(struct lambda_delivery *d, const struct lambda_piece *p)
{
    struct buf event;

    arena_reset(d->scratch);
    event = buf_in(d->scratch);
    buf_add_text(&event, "{\"Records\":[");
    for (size_t i = p->from; i < p->to; i++) {
        if (i > p->from)
            buf_add_char(&event, ',');
        buf_add_span(&event, d->records[i]->event);
    }
    buf_add_text(&event, "]}");
    d->calling = true;
    d->run->totals.calls++;
    d->run->function->call(d->run->function, d->scratch, buf_span(&event), on_result, d);
}

static void on_timer(evutil_socket_t fd, short what, void *context)
{
    struct lambda_delivery *d = context;
    const struct lambda_piece *p;

    (void)fd, (void)what;
    if (d->run->stopping)
        return;
    give_up_old(d);
    if ((p = lambda_work_next(&d->work)))
        call_function(d, p);
    else
        d->done(d->context);
}

void lambda_delivery_begin(struct lambda_delivery *d, const struct lambda_queue *q, size_t count)
{
    const struct lambda_record *record = q->first;

    arena_reset(d->arena);
    d->records = arena_array(d->arena, count, sizeof(const struct lambda_record *));
    for (size_t i = 0; i < count; i++, record = record->next)
        d->records[i] = record;
    d->last_status = 0;
    lambda_work_begin(&d->work, count);
    lambda_run_timer_set(d->timer, 0);
}

bool lambda_delivery_is_calling(const struct lambda_delivery *d)
{
    return d->calling;
}

struct lambda_delivery *lambda_delivery_new(struct lambda_run *run, const char *shard,
                                            void (*done)(void *), void *context)
{
    struct lambda_delivery *d = process_zeroed(sizeof *d);

    d->run = run;
    d->shard = shard;
    d->arena = arena_new();
    d->scratch = arena_new();
    d->timer = lambda_run_timer_new(run, on_timer, d);
    d->reached = true;
    d->done = done;
    d->context = context;
    return d;
}

void lambda_delivery_free(struct lambda_delivery *d)
{
    event_free(d->timer);
    arena_free(d->arena);
    arena_free(d->scratch);
    free(d);
}
