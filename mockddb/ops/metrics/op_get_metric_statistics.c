#include "ops/metrics/metrics_query.h"
#include "ops/metrics/metrics_stored.h"

static const struct wire_shape datapoint = {
    .type = WIRE_STRUCT,
    .members = WIRE_MEMBERS(
        {"Timestamp", &wire_timestamp, 0}, {"SampleCount", &wire_any_double, 0},
        {"Average", &wire_any_double, 0}, {"Sum", &wire_any_double, 0},
        {"Minimum", &wire_any_double, 0}, {"Maximum", &wire_any_double, 0},
        {"Unit", &wire_string, 0},
        {"ExtendedStatistics", WIRE_SHAPE(WIRE_MAP, .element = &wire_any_double), 0})};
static const struct wire_shape datapoints = {.type = WIRE_LIST, .element = &datapoint};

/* Checks one of the two lists: all statistics must exist. */
static const struct error *check_list(struct call *c, const wire_node *list, const char *where,
                                      size_t most, bool plain)
{
    const struct error *e = metrics_query_check_size(c, list, most, where);
    struct metrics_statistic statistic;
    size_t number = 1;

    for (const wire_node *s = wire_first(list); s && !e; s = wire_next(s), number++) {
        const char *place = arena_printf(c->arena, "%s.member.%zu", where, number);

        if (plain)
            e = metrics_query_check_word(c, s, metrics_statistic_names, place);
        else if (!metrics_statistic_read(wire_text(s), &statistic) ||
                 statistic.kind < METRICS_PERCENTILE)
            e = error_new(c->arena, ERROR_METRICS_VALUE,
                          "The value %.*s for parameter %s is not supported.",
                          SPAN_ARG(wire_text(s)), place);
    }
    return e;
}

static const struct error *check_statistics(struct call *c)
{
    const wire_node *plain = wire_get(c->body, "Statistics");
    const wire_node *bounded = wire_get(c->body, "ExtendedStatistics");
    const struct error *e;

    if (!wire_count(plain) && !wire_count(bounded))
        return error_new(c->arena, ERROR_METRICS_COMBINATION,
                         "At least one of the parameters Statistics and ExtendedStatistics must be "
                         "specified.");
    if (wire_count(plain) && wire_count(bounded))
        return error_new(c->arena, ERROR_METRICS_COMBINATION,
                         "The parameters Statistics and ExtendedStatistics are mutually exclusive "
                         "and you have specified both.");
    if ((e = check_list(c, plain, "Statistics", LIMIT_STATISTICS, true)))
        return e;
    return check_list(c, bounded, "ExtendedStatistics", LIMIT_MORE_STATISTICS, false);
}

static const struct error *check_count(struct call *c, const struct metrics_query *q)
{
    int64_t period_ms = q->period_s * LIMIT_SECOND_MS;
    int64_t count = (q->until_ms - q->from_ms + period_ms - 1) / period_ms;

    if (count <= LIMIT_DATAPOINTS)
        return NULL;
    return error_new(c->arena, ERROR_METRICS_COMBINATION,
                     "You have requested up to %lld datapoints, which exceeds the limit of 1,440. "
                     "You may reduce the datapoints requested by increasing Period, or decreasing "
                     "the time range.",
                     (long long)count);
}

static void put_statistic(struct call *c, const struct metrics_bucket *b, struct span name)
{
    struct metrics_statistic statistic;
    double value;

    if (!metrics_statistic_read(name, &statistic) ||
        !metrics_statistic_value(c->arena, &statistic, b, &value))
        return;
    wire_key_span(&c->reply, name);
    wire_put_double(&c->reply, value);
}

static void put_datapoint(struct call *c, const struct metrics_bucket *b, const char *unit)
{
    const wire_node *bounded = wire_get(c->body, "ExtendedStatistics");
    struct wire_writer *w = &c->reply;

    wire_open(w, '{');
    wire_key(w, "Timestamp");
    wire_put_integer(w, b->start_ms / LIMIT_SECOND_MS);
    for (size_t i = 0; metrics_statistic_names[i]; i++)
        if (wire_has_text(wire_get(c->body, "Statistics"), span_of(metrics_statistic_names[i])))
            put_statistic(c, b, span_of(metrics_statistic_names[i]));
    wire_put_member_word(w, "Unit", unit);
    if (wire_count(bounded)) {
        wire_open_member(w, "ExtendedStatistics", '{');
        for (const wire_node *s = wire_first(bounded); s; s = wire_next(s))
            put_statistic(c, b, wire_text(s));
        wire_close(w, '}');
    }
    wire_close(w, '}');
}

static const struct error *get_metric_statistics(struct call *c)
{
    const wire_node *from = wire_get(c->body, "StartTime"), *until = wire_get(c->body, "EndTime");
    struct span name = wire_text(wire_get(c->body, "MetricName"));
    struct span unit = wire_text(wire_get(c->body, "Unit"));
    struct metrics_bucket *buckets;
    struct metrics_query q;
    const struct error *e;
    size_t count;

    if ((e = metrics_query_check_present(c, "Namespace", "MetricName")) ||
        (e = metrics_query_check_times(c, from, until)) ||
        (e = metrics_query_check_period(c, wire_get(c->body, "Period"))) ||
        (e = check_statistics(c)) ||
        (e = metrics_query_check_dimensions(c, wire_get(c->body, "Dimensions"), "Dimensions")) ||
        (e = metrics_query_check_unit(c, wire_get(c->body, "Unit"), "Unit")))
        return e;
    metrics_query_name(&q, wire_text(wire_get(c->body, "Namespace")), name,
                       wire_get(c->body, "Dimensions"));
    metrics_query_range(&q, from, until, wire_get(c->body, "Period"));
    if ((e = check_count(c, &q)) ||
        (e = metrics_stored_read(c->unit, c->store, c->arena, c->metrics)))
        return e;
    count = metrics_query_run(c, &q, &buckets);
    if (unit.len && !span_is(unit, metrics_forms[q.key.metric].unit))
        count = 0;
    wire_put_member_text(&c->reply, "Label", name);
    wire_open_member(&c->reply, "Datapoints", '[');
    for (size_t i = 0; i < count; i++)
        put_datapoint(c, &buckets[i], metrics_forms[q.key.metric].unit);
    wire_close(&c->reply, ']');
    return NULL;
}

const struct op op_get_metric_statistics = {
    .name = "GetMetricStatistics",
    .service = OP_MONITORING,
    .members = WIRE_MEMBERS(
        {"Namespace", &wire_string, 0}, {"MetricName", &wire_string, 0},
        {"Dimensions", &metrics_query_dimensions, 0}, {"StartTime", &wire_timestamp, 0},
        {"EndTime", &wire_timestamp, 0}, {"Period", &wire_any_integer, 0},
        {"Statistics", &metrics_query_strings, 0},
        {"ExtendedStatistics", &metrics_query_strings, 0}, {"Unit", &wire_string, 0}),
    .result = WIRE_MEMBERS({"Datapoints", &datapoints, 0}, {"Label", &wire_string, 0}),
    .run = get_metric_statistics,
};
