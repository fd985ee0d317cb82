#include "ops/metrics/metrics_query.h"

#include <math.h>
#include <stdlib.h>

#include "base/base64.h"

#define MINUTE_MS       (60 * LIMIT_SECOND_MS)
#define STEPS_PER_POINT 8 /* to sort and add it */

/* --- shapes ----------------------------------------------------------------------------------- */

const struct wire_shape metrics_query_strings = {.type = WIRE_LIST, .element = &wire_string};

const struct wire_shape metrics_query_structs = {
    .type = WIRE_LIST, .element = WIRE_SHAPE(WIRE_STRUCT, .members = wire_no_members)};

static const struct wire_shape dimension = WIRE_STRUCT_OF("Dimension", {"Name", &wire_string, 0},
                                                          {"Value", &wire_string, 0});
const struct wire_shape metrics_query_dimensions = {.type = WIRE_LIST, .element = &dimension};

const struct wire_shape metrics_query_metric = {
    .type = WIRE_STRUCT,
    .name = "Metric",
    .members = WIRE_MEMBERS({"Namespace", &wire_string, 0}, {"MetricName", &wire_string, 0},
                            {"Dimensions", &metrics_query_dimensions, 0})};

/* --- which series ----------------------------------------------------------------------------- */

/* Whether the list has exactly the dimensions of the metric. */
static bool read_dimensions(struct metrics_query *q, const wire_node *list)
{
    const struct metric_form *form = &metrics_forms[q->key.metric];
    bool alone = form->dimensions == METRIC_OF_INDEX || form->dimensions == METRIC_OF_TABLE;
    size_t count = wire_count(list), wanted;

    for (const wire_node *d = wire_first(list); d; d = wire_next(d)) {
        struct span name = wire_text(wire_get(d, "Name")), value = wire_text(wire_get(d, "Value"));

        if (span_is(name, "TableName"))
            q->key.table = value;
        else if (span_is(name, metrics_details[form->dimensions]))
            q->key.detail = value;
    }
    wanted = form->dimensions == METRIC_OF_ACCOUNT ? 0 : q->key.detail.len ? 2 : 1;
    return count == wanted && (form->dimensions == METRIC_OF_ACCOUNT) == !q->key.table.len &&
           (alone || form->dimensions == METRIC_OF_ACCOUNT || q->key.detail.len);
}

void metrics_query_name(struct metrics_query *q, struct span name_space, struct span name,
                        const wire_node *dimensions)
{
    q->known = false;
    q->key = (struct metrics_key){.metric = METRIC_READ_UNITS};
    for (int i = 0; i < METRIC_COUNT && !q->known; i++)
        if (span_is(name, metrics_forms[i].name)) {
            q->key.metric = (enum metric)i;
            q->known = true;
        }
    q->known = q->known && span_is(name_space, "AWS/DynamoDB") && read_dimensions(q, dimensions);
}

void metrics_query_range(struct metrics_query *q, const wire_node *from, const wire_node *until,
                         const wire_node *period)
{
    int64_t start_ms = wire_time(from, 0);

    q->from_ms = start_ms > 0 ? start_ms - start_ms % MINUTE_MS : 0;
    q->until_ms = wire_time(until, 0);
    q->period_s = wire_integer(period, 60);
}

/* --- buckets ---------------------------------------------------------------------------------- */

struct bucket_list {
    const struct metrics_query *q;
    struct metrics_bucket *at;
    size_t count;
};

/* Adds a point to its bucket; points must come in order. `stays`: the points are one array that
 * outlives the buckets. */
static void add_point(struct bucket_list *to, const struct metrics_point *p, bool stays)
{
    int64_t period_ms = to->q->period_s * LIMIT_SECOND_MS, at_ms = p->minute * MINUTE_MS;
    struct metrics_bucket *b = to->count ? &to->at[to->count - 1] : NULL;

    if (at_ms < to->q->from_ms || at_ms >= to->q->until_ms)
        return;
    at_ms -= at_ms % period_ms;
    if (!b || b->start_ms != at_ms) {
        b = &to->at[to->count++];
        *b = (struct metrics_bucket){
            .start_ms = at_ms, .least = HUGE_VAL, .most = -HUGE_VAL, .points = stays ? p : NULL};
    }
    b->point_count += stays;
    b->count += p->count;
    b->sum += p->sum;
    b->least = fmin(b->least, p->least);
    b->most = fmax(b->most, p->most);
}

static int by_minute(const void *one, const void *two)
{
    int64_t a = ((const struct metrics_point *)one)->minute;
    int64_t b = ((const struct metrics_point *)two)->minute;

    return (a > b) - (a < b);
}

/* Sorts the points first: if the clock was set back, a minute may have two points. */
static void run_counted(struct call *c, const struct metrics_query *q, struct bucket_list *to)
{
    struct metrics_key key = q->key;
    const struct metrics_series *s;
    const struct metrics_point *points;
    struct metrics_point *sorted;
    size_t count;

    key.region = c->region;
    s = metrics_look_up(metrics_sum(c->metrics), &key);
    if (!s || !(count = metrics_points(s, &points)))
        return;
    arena_charge(c->arena, count * STEPS_PER_POINT);
    sorted = arena_array(c->arena, count, sizeof *sorted);
    memcpy(sorted, points, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_minute);
    to->at = arena_array(c->arena, count, sizeof *to->at);
    for (size_t i = 0; i < count; i++)
        add_point(to, &sorted[i], true);
}

/* --- provisioned units ------------------------------------------------------------------------ */

/* Finds the current units of the table or index, and when they were set. */
static bool find_units(const struct table *t, const struct metrics_query *q, double *units,
                       int64_t *since_ms)
{
    const struct index *ix = q->key.detail.len ? schema_find_index(t, q->key.detail) : NULL;
    const struct throughput *now = ix ? &ix->throughput : &t->throughput;

    if (t->on_demand || (q->key.detail.len && (!ix || !ix->global)))
        return false;
    *units = (double)(q->key.metric == METRIC_PROVISIONED_READ ? now->read : now->write);
    *since_ms = t->created_ms;
    if (now->last_increase_ms > *since_ms)
        *since_ms = now->last_increase_ms;
    if (now->last_decrease_ms > *since_ms)
        *since_ms = now->last_decrease_ms;
    return true;
}

/* Provisioned units, for each minute since their last change. Earlier units are not known. */
static void run_stated(struct call *c, const struct metrics_query *q, struct bucket_list *to)
{
    const struct table *t = op_region_table(c, q->key.table);
    int64_t since_ms, end_ms = clock_now_ms(c->clock), bucket_ms, minute;
    size_t room;
    double units;

    if (!t || !find_units(t, q, &units, &since_ms))
        return;
    if (q->until_ms < end_ms)
        end_ms = q->until_ms;
    if (q->from_ms > since_ms)
        since_ms = q->from_ms;
    if (end_ms <= since_ms)
        return;
    bucket_ms = q->period_s * LIMIT_SECOND_MS;
    if (bucket_ms < MINUTE_MS) /* at most one value per minute */
        bucket_ms = MINUTE_MS;
    room = (size_t)((end_ms - since_ms) / bucket_ms) + 2;
    to->at = arena_array(c->arena, room, sizeof *to->at);
    for (minute = since_ms / MINUTE_MS; minute * MINUTE_MS < end_ms; minute++) {
        struct metrics_point p = {
            .minute = minute, .count = 1, .sum = units, .least = units, .most = units};

        arena_charge(c->arena, 1);
        add_point(to, &p, false);
    }
}

size_t metrics_query_run(struct call *c, const struct metrics_query *q, struct metrics_bucket **out)
{
    struct bucket_list to = {.q = q};

    if (q->known && c->metrics &&
        (q->key.metric == METRIC_PROVISIONED_READ || q->key.metric == METRIC_PROVISIONED_WRITE))
        run_stated(c, q, &to);
    else if (q->known && c->metrics)
        run_counted(c, q, &to);
    *out = to.at;
    return to.count;
}

/* --- pages and accounts ----------------------------------------------------------------------- */

bool metrics_query_is_ours(const struct call *c, const wire_node *account)
{
    return !account || span_equal(wire_text(account), c->settings->account);
}

const struct error *metrics_query_read_token(struct call *c, size_t *before)
{
    struct span text = wire_text(wire_get(c->body, "NextToken")), place;
    char *end;

    *before = 0;
    if (!text.len)
        return NULL;
    if (base64_decode(c->arena, text, &place) && place.len) {
        *before = strtoul(arena_text(c->arena, place), &end, 10);
        if (!*end)
            return NULL;
    }
    return error_new(c->arena, ERROR_METRICS_VALUE, "The value for parameter NextToken is invalid");
}

void metrics_query_put_token(struct call *c, size_t before)
{
    struct buf token = buf_in(c->arena);

    base64_encode(&token, span_of(arena_printf(c->arena, "%zu", before)));
    wire_put_member_text(&c->reply, "NextToken", buf_span(&token));
}

/* --- lists that are always empty -------------------------------------------------------------- */

const struct error *metrics_query_nothing(struct call *c)
{
    static const char *const sizes[] = {"MaxRecords", "MaxResults"};
    const struct error *e;
    size_t before;

    for (size_t i = 0; i < COUNT(sizes); i++) {
        const wire_node *size = wire_get(c->body, sizes[i]);

        if (size && (wire_integer(size, 0) < 1 || wire_integer(size, 0) > LIMIT_ALARMS_PAGE))
            return error_new(c->arena, ERROR_METRICS_VALUE,
                             "The value %.*s for parameter %s is not supported: it must be from 1 "
                             "to %d.",
                             SPAN_ARG(wire_raw(size)), sizes[i], LIMIT_ALARMS_PAGE);
    }
    if ((e = metrics_query_read_token(c, &before)))
        return e;
    for (const struct wire_member *m = c->op->result; m->name; m++) {
        if (m->shape != &metrics_query_structs)
            continue;
        wire_open_member(&c->reply, m->name, '[');
        wire_close(&c->reply, ']');
    }
    return NULL;
}

/* --- checks ----------------------------------------------------------------------------------- */

const struct error *metrics_query_missing(struct call *c, const char *parameter)
{
    return error_new(c->arena, ERROR_METRICS_MISSING, "The parameter %s is required.", parameter);
}

const struct error *metrics_query_check_present(struct call *c, const char *first,
                                                const char *second)
{
    if (!wire_text(wire_get(c->body, first)).len)
        return metrics_query_missing(c, first);
    return wire_text(wire_get(c->body, second)).len ? NULL : metrics_query_missing(c, second);
}

/* Whether it is 1, 5, 10, 20, 30 or a multiple of 60. */
static bool is_period(int64_t seconds)
{
    return seconds == 1 || seconds == 5 || seconds == 10 || seconds == 20 || seconds == 30 ||
           (seconds > 0 && seconds % 60 == 0);
}

const struct error *metrics_query_check_period(struct call *c, const wire_node *period)
{
    if (!period)
        return metrics_query_missing(c, "Period");
    if (is_period(wire_integer(period, 0)))
        return NULL;
    return error_new(c->arena, ERROR_METRICS_VALUE,
                     "The value %.*s for parameter Period is not supported: it must be 1, 5, 10, "
                     "20, 30 or a multiple of 60.",
                     SPAN_ARG(wire_raw(period)));
}

const struct error *metrics_query_check_times(struct call *c, const wire_node *from,
                                              const wire_node *until)
{
    if (!from)
        return metrics_query_missing(c, "StartTime");
    if (!until)
        return metrics_query_missing(c, "EndTime");
    if (wire_time(from, 0) < wire_time(until, 0))
        return NULL;
    return error_new(c->arena, ERROR_METRICS_VALUE,
                     "The parameter StartTime must be less than the parameter EndTime.");
}

const struct error *metrics_query_check_size(struct call *c, const wire_node *list, size_t most,
                                             const char *where)
{
    if (wire_count(list) <= most)
        return NULL;
    return error_new(c->arena, ERROR_METRICS_VALUE,
                     "The collection %s must not have a size greater than %zu.", where, most);
}

const struct error *metrics_query_check_dimensions(struct call *c, const wire_node *list,
                                                   const char *where)
{
    static const char *const members[] = {"Name", "Value"};
    const struct error *e = metrics_query_check_size(c, list, LIMIT_METRIC_DIMENSIONS, where);
    size_t number = 1;

    for (const wire_node *d = wire_first(list); d && !e; d = wire_next(d), number++)
        for (size_t i = 0; i < COUNT(members) && !e; i++)
            if (!wire_text(wire_get(d, members[i])).len)
                e = metrics_query_missing(
                    c, arena_printf(c->arena, "%s.member.%zu.%s", where, number, members[i]));
    return e;
}

const struct error *metrics_query_check_word(struct call *c, const wire_node *word,
                                             const char *const *words, const char *where)
{
    struct buf known = buf_in(c->arena);

    if (!word || names_find(words, wire_text(word), -1) >= 0)
        return NULL;
    for (size_t i = 0; words[i]; i++)
        buf_printf(&known, "%s%s", i ? ", " : "", words[i]);
    return error_new(c->arena, ERROR_METRICS_VALUE,
                     "The parameter %s must be a value in the set [ %.*s ]", where,
                     SPAN_ARG(buf_span(&known)));
}

static const char *const *const units = NAMES(
    "Seconds", "Microseconds", "Milliseconds", "Bytes", "Kilobytes", "Megabytes", "Gigabytes",
    "Terabytes", "Bits", "Kilobits", "Megabits", "Gigabits", "Terabits", "Percent", "Count",
    "Bytes/Second", "Kilobytes/Second", "Megabytes/Second", "Gigabytes/Second", "Terabytes/Second",
    "Bits/Second", "Kilobits/Second", "Megabits/Second", "Gigabits/Second", "Terabits/Second",
    "Count/Second", "None");

const struct error *metrics_query_check_unit(struct call *c, const wire_node *unit,
                                             const char *where)
{
    return metrics_query_check_word(c, unit, units, where);
}
