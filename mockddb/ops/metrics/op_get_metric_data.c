#include "base/ascii.h"
#include "model/limits.h"
#include "ops/metrics/metrics_query.h"

static const struct wire_member metric_members[] = {
    {"Namespace", &wire_string, 0},
    {"MetricName", &wire_string, 0},
    {"Dimensions", &metrics_query_dimensions, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape metric = {
    .type = WIRE_STRUCT, .name = "Metric", .members = metric_members};

static const struct wire_member stat_members[] = {
    {"Metric", &metric, 0},    {"Period", &metrics_query_integer, 0},
    {"Stat", &wire_string, 0}, {"Unit", &wire_string, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape stat = {
    .type = WIRE_STRUCT, .name = "MetricStat", .members = stat_members};

static const struct wire_member query_members[] = {
    {"Id", &wire_string, 0},          {"MetricStat", &stat, 0},
    {"Expression", &wire_string, 0},  {"Label", &wire_string, 0},
    {"ReturnData", &wire_boolean, 0}, {"Period", &metrics_query_integer, 0},
    {"AccountId", &wire_string, 0},   {NULL, NULL, 0},
};
static const struct wire_shape query = {
    .type = WIRE_STRUCT, .name = "MetricDataQuery", .members = query_members};
static const struct wire_shape queries = {.type = WIRE_LIST, .element = &query};

static const struct wire_member label_members[] = {
    {"Timezone", &wire_string, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape label_options = {
    .type = WIRE_STRUCT, .name = "LabelOptions", .members = label_members};

static const struct wire_member get_metric_data_members[] = {
    {"MetricDataQueries", &queries, 0},  {"StartTime", &metrics_query_time, 0},
    {"EndTime", &metrics_query_time, 0}, {"NextToken", &wire_string, 0},
    {"ScanBy", &wire_string, 0},         {"MaxDatapoints", &metrics_query_integer, 0},
    {"LabelOptions", &label_options, 0}, {NULL, NULL, 0},
};

static const struct wire_shape times = {.type = WIRE_LIST, .element = &metrics_query_time};
static const struct wire_shape values = {.type = WIRE_LIST, .element = &metrics_query_double};
static const struct wire_member message_members[] = {
    {"Code", &wire_string, 0},
    {"Value", &wire_string, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape message = {.type = WIRE_STRUCT, .members = message_members};
static const struct wire_shape messages = {.type = WIRE_LIST, .element = &message};
static const struct wire_member series_members[] = {
    {"Id", &wire_string, 0}, {"Label", &wire_string, 0},      {"Timestamps", &times, 0},
    {"Values", &values, 0},  {"StatusCode", &wire_string, 0}, {"Messages", &messages, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape series = {.type = WIRE_STRUCT, .members = series_members};
static const struct wire_shape all_series = {.type = WIRE_LIST, .element = &series};

static const struct wire_member get_metric_data_result[] = {
    {"MetricDataResults", &all_series, 0},
    {"Messages", &messages, 0},
    {"NextToken", &wire_string, 0},
    {NULL, NULL, 0},
};

/* One of the queries, read. */
struct asked {
    struct metrics_query q;
    struct span id, label;
    size_t statistic;
    bool shown;
};

static const struct error *wrong(struct call *c, struct span id, const char *text)
{
    return error_new(c->arena, ERROR_METRICS_QUERY, "Error in expression '%.*s': %s", SPAN_ARG(id),
                     text);
}

/* "MetricDataQueries.member.2.Id" */
static const char *place(struct call *c, size_t number, const char *member)
{
    return arena_printf(c->arena, "MetricDataQueries.member.%zu.%s", number, member);
}

static const struct error *read_query(struct call *c, const wire_node *n, size_t number,
                                      struct asked *out)
{
    const wire_node *ms = wire_get(n, "MetricStat"), *m = wire_get(ms, "Metric");
    const struct error *e;
    int statistic;

    out->id = wire_text(wire_get(n, "Id"));
    if (!out->id.len)
        return metrics_query_missing(c, place(c, number, "Id"));
    if (wire_get(n, "Expression"))
        return wrong(c, out->id, "metric math is not supported by mockddb");
    if (!m)
        return metrics_query_missing(c, place(c, number, "MetricStat"));
    if ((e = metrics_query_check_period(c, wire_get(ms, "Period"))) ||
        (e = metrics_query_check_dimensions(c, wire_get(m, "Dimensions"),
                                            place(c, number, "MetricStat.Metric.Dimensions"))) ||
        (e = metrics_query_check_unit(c, wire_get(ms, "Unit"),
                                      place(c, number, "MetricStat.Unit"))))
        return e;
    statistic = names_find(metrics_query_statistics, wire_text(wire_get(ms, "Stat")), -1);
    if (statistic < 0)
        return wrong(c, out->id, "the statistic is not supported by mockddb");
    out->statistic = (size_t)statistic;
    out->shown = wire_bool(wire_get(n, "ReturnData"), true);
    out->label = wire_text(wire_get(m, "MetricName"));
    metrics_query_name(&out->q, wire_text(wire_get(m, "Namespace")), out->label,
                       wire_get(m, "Dimensions"));
    metrics_query_range(&out->q, wire_get(c->body, "StartTime"), wire_get(c->body, "EndTime"),
                        wire_get(ms, "Period"));
    if (wire_get(n, "Label"))
        out->label = wire_text(wire_get(n, "Label"));
    if (wire_get(ms, "Unit") &&
        !span_is(wire_text(wire_get(ms, "Unit")), metrics_forms[out->q.key.metric].unit))
        out->q.known = false;
    out->q.known = out->q.known && metrics_query_is_ours(c, wire_get(n, "AccountId"));
    return NULL;
}

/* --- words ------------------------------------------------------------------------------------ */

static const char *const orders[] = {"TimestampDescending", "TimestampAscending", NULL};

/* ^[a-z][a-zA-Z0-9_]*$ */
static bool is_id(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_letter(text.at[i]) &&
            !(i && (ascii_is_digit(text.at[i]) || text.at[i] == '_')))
            return false;
    return text.len && text.at[0] >= 'a';
}

/* One of the sums, counts and bounds, or what the service has besides: p99, tm90, PR(1:2), IQM … */
static bool is_statistic(struct span text)
{
    static const char *const ranks[] = {"p", "tm", "tc", "ts", "wm", NULL};
    static const char *const ranges[] = {"PR(", "TM(", "TC(", "TS(", "WM(", "IQM", NULL};

    for (size_t i = 0; ranks[i]; i++)
        if (span_starts_with(text, span_of(ranks[i])) && text.len > strlen(ranks[i]) &&
            ascii_is_digit(text.at[strlen(ranks[i])]))
            return true;
    for (size_t i = 0; ranges[i]; i++)
        if (span_starts_with(text, span_of(ranges[i])))
            return true;
    return names_find(metrics_query_statistics, text, -1) >= 0;
}

/* Whether a query before this one has its id. */
static bool is_taken(const wire_node *list, const wire_node *one)
{
    struct span id = wire_text(wire_get(one, "Id"));

    for (const wire_node *n = wire_first(list); n != one; n = wire_next(n))
        if (span_equal(wire_text(wire_get(n, "Id")), id))
            return true;
    return false;
}

/* Ids and statistics of all queries: what is wrong with them is told together, a line each. */
static const struct error *check_words(struct call *c, const wire_node *list)
{
    struct buf faults = buf_in(c->arena);
    bool twice = false;
    size_t number = 1;

    for (const wire_node *n = wire_first(list); n; n = wire_next(n), number++) {
        struct span id = wire_text(wire_get(n, "Id"));
        const wire_node *statistic = wire_get(wire_get(n, "MetricStat"), "Stat");

        if (id.len && !is_id(id))
            buf_printf(&faults,
                       "%sThe value %.*s for parameter %s is not matching the expected pattern "
                       "^[a-z][a-zA-Z0-9_]*$.",
                       faults.len ? "\n" : "", SPAN_ARG(id), place(c, number, "Id"));
        if (statistic && !is_statistic(wire_text(statistic)))
            buf_printf(&faults, "%sThe value %.*s for parameter %s is not a valid statistic.",
                       faults.len ? "\n" : "", SPAN_ARG(wire_text(statistic)),
                       place(c, number, "MetricStat.Stat"));
        twice = twice || (id.len && is_taken(list, n));
    }
    if (twice && !faults.len)
        buf_add_span(&faults,
                     SPAN_LIT("The values for parameter id in MetricDataQueries are not unique."));
    return faults.len
               ? error_new(c->arena, ERROR_METRICS_QUERY, "%.*s", SPAN_ARG(buf_span(&faults)))
               : NULL;
}

/* --- pages ------------------------------------------------------------------------------------ */

/* What an answer has of the values of all queries, one after the other. */
struct page {
    size_t before, skip; /* values that earlier answers had, and those of them that are still met */
    size_t room, given;
    bool more;
};

static const struct error *read_page(struct call *c, struct page *p)
{
    const wire_node *most = wire_get(c->body, "MaxDatapoints");
    int64_t room = wire_integer(most, LIMIT_METRIC_VALUES);
    const struct error *e;

    *p = (struct page){.room = (size_t)room};
    if (room < 1 || room > LIMIT_METRIC_VALUES)
        return error_new(c->arena, ERROR_METRICS_VALUE,
                         "The value %.*s for parameter MaxDatapoints is not supported.",
                         SPAN_ARG(wire_raw(most)));
    if ((e = metrics_query_read_token(c, &p->before)))
        return e;
    p->skip = p->before;
    return NULL;
}

static void put_values(struct wire_writer *w, const struct asked *a,
                       const struct metrics_bucket *buckets, size_t count)
{
    wire_key(w, "Timestamps");
    wire_open(w, '[');
    for (size_t i = 0; i < count; i++)
        wire_put_integer(w, buckets[i].start_ms / LIMIT_SECOND_MS);
    wire_close(w, ']');
    wire_key(w, "Values");
    wire_open(w, '[');
    for (size_t i = 0; i < count; i++)
        wire_put_double(w, metrics_query_statistic(&buckets[i], a->statistic));
    wire_close(w, ']');
}

static void turn_round(struct metrics_bucket *buckets, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct metrics_bucket other = buckets[count - 1 - i];

        buckets[count - 1 - i] = buckets[i];
        buckets[i] = other;
    }
}

/* A query without values is told of once. */
static void put_result(struct call *c, const struct asked *a, struct page *p)
{
    struct wire_writer *w = &c->reply;
    struct metrics_bucket *buckets;
    size_t all = metrics_query_run(c, &a->q, &buckets);
    size_t from = all < p->skip ? all : p->skip, count = all - from;

    if (!span_is(wire_text(wire_get(c->body, "ScanBy")), "TimestampAscending"))
        turn_round(buckets, all);
    if (count > p->room - p->given)
        count = p->room - p->given;
    p->skip -= from;
    p->given += count;
    p->more = p->more || from + count < all;
    if (!count && (all || p->before))
        return;
    if (from) /* there may be none, and NULL takes no offset, not even 0 */
        buckets += from;
    wire_open(w, '{');
    wire_put_member_text(w, "Id", a->id);
    wire_put_member_text(w, "Label", a->label);
    put_values(w, a, buckets, count);
    wire_put_member_word(w, "StatusCode", from + count < all ? "PartialData" : "Complete");
    wire_close(w, '}');
}

static const struct error *get_metric_data(struct call *c)
{
    const wire_node *list = wire_get(c->body, "MetricDataQueries");
    size_t count = wire_count(list), i = 0;
    const struct error *e;
    struct asked *all;
    struct page page;

    if (!count)
        return metrics_query_missing(c, "MetricDataQueries");
    if ((e = metrics_query_check_size(c, list, LIMIT_METRIC_QUERIES, "MetricDataQueries")) ||
        (e = metrics_query_check_times(c, wire_get(c->body, "StartTime"),
                                       wire_get(c->body, "EndTime"))) ||
        (e = metrics_query_check_word(c, wire_get(c->body, "ScanBy"), orders, "ScanBy")) ||
        (e = read_page(c, &page)) || (e = check_words(c, list)))
        return e;
    all = arena_array(c->arena, count, sizeof *all);
    for (const wire_node *n = wire_first(list); n; n = wire_next(n), i++)
        if ((e = read_query(c, n, i + 1, &all[i])))
            return e;
    wire_key(&c->reply, "MetricDataResults");
    wire_open(&c->reply, '[');
    for (i = 0; i < count; i++)
        if (all[i].shown)
            put_result(c, &all[i], &page);
    wire_close(&c->reply, ']');
    if (page.more)
        metrics_query_put_token(c, page.before + page.given);
    return NULL;
}

const struct op op_get_metric_data = {
    .name = "GetMetricData",
    .service = OP_MONITORING,
    .access = OP_READS,
    .members = get_metric_data_members,
    .result = get_metric_data_result,
    .run = get_metric_data,
};
