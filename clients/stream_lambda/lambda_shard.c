#include "stream_lambda/lambda_shard.h"

#include "stream_lambda/lambda_delivery.h"
#include "stream_lambda/lambda_event.h"

#include <event2/event.h>
#include <stdlib.h>

#define POLL_MS        250 /* four times a second, as the service does */
#define TROUBLE_MS     1000
#define ASK_FOR_END_MS 1000
#define YEAR_10000_S   253402300800.0 /* records with a later time are read at once */

enum shard_state { SHARD_WAITING, SHARD_READING, SHARD_READ, SHARD_ENDED };

struct lambda_shard {
    struct lambda_run *run;
    struct arena *arena;
    struct span id, parent;
    const char *start;
    enum shard_state state;
    struct event *timer; /* for the next step */
    char *iterator;      /* NULL: not requested yet */
    char *sequence;      /* start after this sequence number; NULL: at `start` */
    int64_t next_poll_ms;
    bool caught_up;
    bool in_trouble; /* the last poll failed, and this was reported */
    struct lambda_queue queue;
    struct lambda_delivery *delivery;
    size_t delivering; /* records at the head of the queue that the function has */
};

static void keep_text(char **place, struct span text)
{
    free(*place);
    *place = NULL;
    if (!text.len)
        return;
    *place = process_malloc(text.len + 1);
    memcpy(*place, text.at, text.len);
    (*place)[text.len] = '\0';
}

/* --- reading ---------------------------------------------------------------------------------- */

static void forget_iterator(struct lambda_shard *s)
{
    keep_text(&s->iterator, (struct span){NULL, 0});
}

/* Records between the last one read and the oldest one kept are lost. */
static void start_at_horizon(struct lambda_shard *s)
{
    lambda_run_say("%.*s: records were trimmed before they were read", SPAN_ARG(s->id));
    forget_iterator(s);
    keep_text(&s->sequence, (struct span){NULL, 0});
    s->start = "TRIM_HORIZON";
}

static void try_later(struct lambda_shard *s)
{
    s->next_poll_ms = clock_now_ms(s->run->clock) + TROUBLE_MS;
}

/* How errors of the service are handled; all others end the run. */
static const struct {
    const char *type;
    void (*react)(struct lambda_shard *s);
} reactions[] = {
    {"ExpiredIteratorException", forget_iterator},
    {"TrimmedDataAccessException", start_at_horizon},
    {"LimitExceededException", try_later},
    {"ThrottlingException", try_later},
    {"ProvisionedThroughputExceededException", try_later},
    {"InternalServerError", try_later},
};

static void take_error(struct lambda_shard *s, const struct lambda_source_error *error)
{
    for (size_t i = 0; i < COUNT(reactions); i++) {
        if (span_is(error->error_type, reactions[i].type)) {
            reactions[i].react(s);
            return;
        }
    }
    if (error->error_type.len || s->run->options->once) {
        lambda_run_fail(s->run, error->text);
        return;
    }
    if (!s->in_trouble)
        lambda_run_say("%s; trying again", error->text);
    s->in_trouble = true;
    try_later(s);
}

static int64_t arrival_ms(const struct lambda_shard *s, const wire_node *change)
{
    double seconds = wire_double(wire_get(change, "ApproximateCreationDateTime"), 0);

    return seconds > 0 && seconds < YEAR_10000_S ? (int64_t)(seconds * 1000)
                                                 : clock_now_ms(s->run->clock);
}

static void take_record(struct lambda_shard *s, struct lambda_page *page, const wire_node *node)
{
    const struct lambda_options *o = s->run->options;
    const wire_node *change = wire_get(node, "dynamodb"), *event;
    struct arena *a = lambda_queue_page_arena(page);
    struct lambda_record record = {
        .event = lambda_event_record(a, node, s->run->source.arn),
        .sequence = wire_text(wire_get(change, "SequenceNumber")),
        .arrival_ms = arrival_ms(s, change),
    };

    if (!wire_next(node))
        keep_text(&s->sequence, record.sequence);
    if (o->filter_count && !wire_parse(a, record.event, &event) &&
        !lambda_filter_any_matches(o->filters, o->filter_count, event))
        s->run->totals.filtered++;
    else
        lambda_queue_add(&s->queue, page, &record, clock_now_ms(s->run->clock));
}

static void take_records(struct lambda_shard *s, struct lambda_page *page, const wire_node *records,
                         struct span next)
{
    size_t count = wire_count(records);

    for (const wire_node *node = wire_first(records); node; node = wire_next(node))
        take_record(s, page, node);
    keep_text(&s->iterator, next);
    if (!next.len)
        s->state = SHARD_READ;
    s->in_trouble = false;
    s->caught_up = !count;
    s->next_poll_ms = clock_now_ms(s->run->clock) + (count ? 0 : POLL_MS);
    if (count)
        s->run->last_record_ms = clock_now_ms(s->run->clock);
}

static struct lambda_source_error locate(struct lambda_shard *s, struct arena *a)
{
    const char *type = s->sequence ? "AFTER_SEQUENCE_NUMBER" : s->start;
    struct span iterator;
    struct lambda_source_error error = lambda_source_iterator(&s->run->source, a, s->id.at, type,
                                                              s->sequence, &iterator);

    if (!error.text)
        keep_text(&s->iterator, iterator);
    return error;
}

static void poll_records(struct lambda_shard *s)
{
    struct lambda_source_error error = {NULL, {NULL, 0}};
    struct lambda_page *page = lambda_queue_page();
    struct arena *a = lambda_queue_page_arena(page);
    const wire_node *records = NULL;
    struct span next = {NULL, 0};

    if (!s->iterator)
        error = locate(s, a);
    if (!error.text)
        error = lambda_source_records(&s->run->source, a, s->iterator, &records, &next);
    if (error.text)
        take_error(s, &error);
    else
        take_records(s, page, records, next);
    lambda_queue_page_close(page);
}

/* --- one step after another ------------------------------------------------------------------- */

static void wait_for_next(struct lambda_shard *s, int64_t now_ms)
{
    int64_t until_ms = s->next_poll_ms;
    int64_t window_ms = s->queue.since_ms + s->run->options->batch_window * INT64_C(1000);

    if (s->queue.len && window_ms < until_ms)
        until_ms = window_ms;
    lambda_run_timer_set(s->timer, until_ms > now_ms ? until_ms - now_ms : 0);
}

static bool begin_batch(struct lambda_shard *s, int64_t now_ms)
{
    const struct lambda_options *o = s->run->options;
    struct lambda_batch_rules rules = {.size = (size_t)o->batch_size,
                                       .window_ms = o->batch_window * INT64_C(1000)};
    bool at_end = s->state == SHARD_READ || (o->once && s->caught_up);

    if (!s->queue.len || !(s->delivering = lambda_queue_batch(&s->queue, &rules, now_ms, at_end)))
        return false;
    lambda_delivery_begin(s->delivery, &s->queue, s->delivering);
    return true;
}

static void on_timer(evutil_socket_t fd, short what, void *context)
{
    struct lambda_shard *s = context;
    int64_t now_ms = clock_now_ms(s->run->clock);

    (void)fd, (void)what;
    if (s->run->stopping || begin_batch(s, now_ms))
        return;
    if (s->state == SHARD_READ) {
        if (s->run->shard_ended(s->run))
            s->state = SHARD_ENDED;
        else
            lambda_run_timer_set(s->timer, ASK_FOR_END_MS);
    } else {
        if (now_ms >= s->next_poll_ms)
            poll_records(s);
        wait_for_next(s, clock_now_ms(s->run->clock));
    }
    s->run->changed(s->run);
}

static void on_delivered(void *context)
{
    struct lambda_shard *s = context;

    lambda_queue_drop(&s->queue, s->delivering, clock_now_ms(s->run->clock));
    s->delivering = 0;
    lambda_run_timer_set(s->timer, 0);
}

/* --- life ------------------------------------------------------------------------------------- */

struct lambda_shard *lambda_shard_new(struct lambda_run *run,
                                      const struct lambda_shard_options *options)
{
    struct arena *a = arena_new();
    struct lambda_shard *s = arena_alloc(a, sizeof *s);

    s->run = run;
    s->arena = a;
    s->id = arena_span(a, options->id);
    s->parent = arena_span(a, options->parent);
    s->start = options->start;
    s->state = s->start ? SHARD_WAITING : SHARD_ENDED;
    s->timer = lambda_run_timer_new(run, on_timer, s);
    s->delivery = lambda_delivery_new(run, s->id.at, on_delivered, s);
    return s;
}

void lambda_shard_free(struct lambda_shard *s)
{
    lambda_queue_drop(&s->queue, s->queue.len, 0);
    lambda_delivery_free(s->delivery);
    event_free(s->timer);
    free(s->iterator);
    free(s->sequence);
    arena_free(s->arena);
}

struct span lambda_shard_id(const struct lambda_shard *s)
{
    return s->id;
}

struct span lambda_shard_parent(const struct lambda_shard *s)
{
    return s->parent;
}

const char *lambda_shard_locate(struct lambda_shard *s)
{
    return lambda_shard_has_ended(s) ? NULL : locate(s, s->arena).text;
}

void lambda_shard_start(struct lambda_shard *s)
{
    if (s->state != SHARD_WAITING)
        return;
    s->state = SHARD_READING;
    lambda_run_timer_set(s->timer, 0);
}

bool lambda_shard_has_ended(const struct lambda_shard *s)
{
    return s->state == SHARD_ENDED;
}

bool lambda_shard_is_idle(const struct lambda_shard *s)
{
    return lambda_shard_has_ended(s) ||
           (s->state == SHARD_READING && s->caught_up && !s->queue.len);
}

bool lambda_shard_is_calling(const struct lambda_shard *s)
{
    return lambda_delivery_is_calling(s->delivery);
}
