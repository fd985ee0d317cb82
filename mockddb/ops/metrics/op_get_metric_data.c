#include <strings.h>

#include "base/ascii.h"
#include "ops/metrics/metrics_math.h"
#include "ops/metrics/metrics_query.h"
#include "ops/metrics/metrics_stored.h"

static const struct wire_shape stat = WIRE_STRUCT_OF(
    "MetricStat", {"Metric", &metrics_query_metric, 0}, {"Period", &wire_any_integer, 0},
    {"Stat", &wire_string, 0}, {"Unit", &wire_string, 0});

static const struct wire_shape query = WIRE_STRUCT_OF(
    "MetricDataQuery", {"Id", &wire_string, 0}, {"MetricStat", &stat, 0},
    {"Expression", &wire_string, 0}, {"Label", &wire_string, 0}, {"ReturnData", &wire_boolean, 0},
    {"Period", &wire_any_integer, 0}, {"AccountId", &wire_string, 0});
static const struct wire_shape queries = {.type = WIRE_LIST, .element = &query};

static const struct wire_shape label_options = WIRE_STRUCT_OF("LabelOptions",
                                                              {"Timezone", &wire_string, 0});

static const struct wire_shape values = {.type = WIRE_LIST, .element = &wire_any_double};
static const struct wire_shape message = {
    .type = WIRE_STRUCT,
    .members = WIRE_MEMBERS({"Code", &wire_string, 0}, {"Value", &wire_string, 0})};
static const struct wire_shape messages = {.type = WIRE_LIST, .element = &message};
static const struct wire_shape series = {
    .type = WIRE_STRUCT,
    .members = WIRE_MEMBERS({"Id", &wire_string, 0}, {"Label", &wire_string, 0},
                            {"Timestamps", WIRE_SHAPE(WIRE_LIST, .element = &wire_timestamp), 0},
                            {"Values", &values, 0}, {"StatusCode", &wire_string, 0},
                            {"Messages", &messages, 0})};

#define STEPS_PER_VALUE 2 /* to add it to a curve */

/* The queries: metrics and expressions, with their labels. */
struct asked_queries {
    struct metrics_math_scope scope;
    struct shown {
        struct span label;
        bool shown;
    } * shown; /* of each query */
};

/* "MetricDataQueries.member.2.Id" */
static const char *member_name(struct call *c, size_t number, const char *member)
{
    return arena_printf(c->arena, "MetricDataQueries.member.%zu.%s", number, member);
}

static const struct error *read_metric(struct call *c, const wire_node *n, size_t number,
                                       struct metrics_curve *out)
{
    const wire_node *ms = wire_get(n, "MetricStat"), *m = wire_get(ms, "Metric");
    struct metrics_statistic statistic;
    struct metrics_query q;
    const struct error *e;
    struct metrics_bucket *buckets;
    size_t count;

    if (!m)
        return metrics_query_missing(c, member_name(c, number, "MetricStat"));
    if ((e = metrics_query_check_period(c, wire_get(ms, "Period"))) ||
        (e = metrics_query_check_dimensions(
             c, wire_get(m, "Dimensions"),
             member_name(c, number, "MetricStat.Metric.Dimensions"))) ||
        (e = metrics_query_check_unit(c, wire_get(ms, "Unit"),
                                      member_name(c, number, "MetricStat.Unit"))))
        return e;
    if (!metrics_statistic_read(wire_text(wire_get(ms, "Stat")), &statistic))
        return metrics_query_missing(c, member_name(c, number, "MetricStat.Stat"));
    out->label = wire_text(wire_get(m, "MetricName"));
    metrics_query_name(&q, wire_text(wire_get(m, "Namespace")), out->label,
                       wire_get(m, "Dimensions"));
    metrics_query_range(&q, wire_get(c->body, "StartTime"), wire_get(c->body, "EndTime"),
                        wire_get(ms, "Period"));
    if (wire_get(n, "Label")) /* curves computed from it get the label as well */
        out->label = wire_text(wire_get(n, "Label"));
    if (wire_get(ms, "Unit") &&
        !span_is(wire_text(wire_get(ms, "Unit")), metrics_forms[q.key.metric].unit))
        q.known = false;
    q.known = q.known && metrics_query_is_ours(c, wire_get(n, "AccountId"));
    count = metrics_query_run(c, &q, &buckets);
    arena_charge(c->arena, count * STEPS_PER_VALUE);
    out->period_s = q.period_s;
    out->metric = true;
    out->at = arena_array(c->arena, count + 1, sizeof *out->at);
    for (size_t i = 0; i < count; i++) {
        double value;

        if (metrics_statistic_value(c->arena, &statistic, &buckets[i], &value))
            out->at[out->count++] = (struct metrics_value){buckets[i].start_ms, value};
    }
    return NULL;
}

static const struct error *read_expression(struct call *c, const wire_node *n, size_t number,
                                           struct metrics_math_query *out)
{
    struct span text = wire_text(wire_get(n, "Expression"));
    const struct error *e;

    if (wire_get(n, "MetricStat"))
        return error_new(c->arena, ERROR_METRICS_QUERY,
                         "The parameters %s and %s are mutually exclusive and you have specified "
                         "both.",
                         member_name(c, number, "Expression"),
                         member_name(c, number, "MetricStat"));
    if (wire_get(n, "Period") && (e = metrics_query_check_period(c, wire_get(n, "Period"))))
        return e;
    if (!text.len || text.len > LIMIT_MATH_LEN)
        out->fault = metrics_math_fault(c->arena, false, "it must have 1 to %d characters",
                                        LIMIT_MATH_LEN);
    else if (text.len > 6 && ascii_is_space(text.at[6]) &&
             strncasecmp(text.at, "SELECT", strlen("SELECT")) == 0) /* a language of its own */
        out->fault = metrics_math_fault(c->arena, true,
                                        "mockddb does not have Metrics Insights queries");
    else
        out->fault = metrics_math_read(c->arena, text, &out->tree, &out->ids);
    if (!out->tree) /* not run: it has a fault */
        out->tree = arena_alloc(c->arena, sizeof *out->tree);
    return NULL;
}

static const struct error *read_query(struct call *c, const wire_node *n, size_t i,
                                      struct asked_queries *to)
{
    struct metrics_math_query *q = &to->scope.queries[i];
    struct shown *shown = &to->shown[i];
    const struct error *e;

    q->id = wire_text(wire_get(n, "Id"));
    if (!q->id.len)
        return metrics_query_missing(c, member_name(c, i + 1, "Id"));
    q->result = (struct metrics_operand){.kind = METRICS_CURVE, .count = 1};
    q->result.curves = arena_alloc(c->arena, sizeof *q->result.curves);
    if (wire_get(n, "Expression"))
        e = read_expression(c, n, i + 1, q);
    else
        e = read_metric(c, n, i + 1, q->result.curves);
    if (e)
        return e;
    shown->shown = wire_bool(wire_get(n, "ReturnData"), true);
    shown->label = q->tree ? q->id : q->result.curves->label;
    if (wire_get(n, "Label"))
        shown->label = wire_text(wire_get(n, "Label"));
    return NULL;
}

/* Reads all queries and runs the expressions. */
static const struct error *read_queries(struct call *c, const wire_node *list,
                                        struct asked_queries *out)
{
    size_t count = wire_count(list), i = 0;
    struct metrics_query range;
    const struct error *e;
    int64_t longest = 0;

    metrics_query_range(&range, wire_get(c->body, "StartTime"), wire_get(c->body, "EndTime"), NULL);
    out->scope = (struct metrics_math_scope){
        .arena = c->arena,
        .count = count,
        .queries = arena_array(c->arena, count, sizeof *out->scope.queries),
        .from_ms = range.from_ms,
        .until_ms = range.until_ms,
    };
    out->shown = arena_array(c->arena, count, sizeof *out->shown);
    for (const wire_node *n = wire_first(list); n; n = wire_next(n), i++)
        if ((e = read_query(c, n, i, out)))
            return e;
    /* The period of series made from numbers: the longest period of the metrics. */
    for (i = 0; i < count; i++) {
        const struct metrics_math_query *q = &out->scope.queries[i];

        if (!q->tree && q->result.curves->period_s > longest)
            longest = q->result.curves->period_s;
    }
    for (const wire_node *n = wire_first(list); n && !longest; n = wire_next(n))
        longest = wire_integer(wire_get(n, "Period"), 0);
    out->scope.period_s = longest ? longest : 60;
    metrics_math_run(&out->scope);
    for (i = 0; i < count; i++) {
        const struct metrics_math_query *q = &out->scope.queries[i];

        if (q->fault && !q->fault->unknown)
            return error_new(c->arena, ERROR_METRICS_QUERY, "Error in expression '%.*s': %s",
                             SPAN_ARG(q->id), q->fault->text);
    }
    return NULL;
}

/* --- words ------------------------------------------------------------------------------------ */

static const char *const orders[] = {"TimestampDescending", "TimestampAscending", NULL};

/* Whether the text matches ^[a-z][a-zA-Z0-9_]*$. */
static bool is_id(struct span text)
{
    return text.len && text.at[0] >= 'a' && span_is_all(text, ascii_is_word);
}

/* Whether an earlier query has the same id. */
static bool is_taken(const wire_node *list, const wire_node *one)
{
    struct span id = wire_text(wire_get(one, "Id"));

    for (const wire_node *n = wire_first(list); n != one; n = wire_next(n))
        if (span_equal(wire_text(wire_get(n, "Id")), id))
            return true;
    return false;
}

/* Checks ids and statistics of all queries. One message has all errors, one line each. */
static const struct error *check_words(struct call *c, const wire_node *list)
{
    struct buf faults = buf_in(c->arena);
    struct metrics_statistic known;
    bool twice = false;
    size_t number = 1;

    for (const wire_node *n = wire_first(list); n; n = wire_next(n), number++) {
        struct span id = wire_text(wire_get(n, "Id"));
        const wire_node *statistic = wire_get(wire_get(n, "MetricStat"), "Stat");

        if (id.len && !is_id(id))
            buf_printf(&faults,
                       "%sThe value %.*s for parameter %s is not matching the expected pattern "
                       "^[a-z][a-zA-Z0-9_]*$.",
                       faults.len ? "\n" : "", SPAN_ARG(id), member_name(c, number, "Id"));
        if (statistic && !metrics_statistic_read(wire_text(statistic), &known))
            buf_printf(&faults, "%sThe value %.*s for parameter %s is not a valid statistic.",
                       faults.len ? "\n" : "", SPAN_ARG(wire_text(statistic)),
                       member_name(c, number, "MetricStat.Stat"));
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

/* The part of all queries' values that the answer has. */
struct data_page {
    size_t before, skip; /* values on earlier pages, and how many of them are still to skip */
    size_t room, given;
    bool more;
};

static void put_message(struct call *c, const struct metrics_math_query *q)
{
    struct wire_writer *w = &c->reply;

    if (!q->fault && !q->dropped)
        return;
    wire_open_member(w, "Messages", '[');
    wire_open(w, '{');
    wire_put_member_word(w, "Code", q->fault ? "UnsupportedExpression" : "ArithmeticError");
    wire_put_member_word(w, "Value",
                         q->fault ? q->fault->text
                                  : "One or more data-points have been dropped due to non-numeric "
                                    "values (NaN, -Infinite, +Infinite)");
    wire_close(w, '}');
    wire_close(w, ']');
}

/* Writes the result of a query. A query without values is on the first page only. */
static void put_result(struct call *c, const struct metrics_math_query *q, struct span label,
                       const struct metrics_curve *curve, struct data_page *p)
{
    struct wire_writer *w = &c->reply;
    size_t all = curve->count, from = all < p->skip ? all : p->skip, count = all - from;
    bool rises;

    if (count > p->room - p->given)
        count = p->room - p->given;
    p->skip -= from;
    p->given += count;
    p->more = p->more || from + count < all;
    if (!count && (all || p->before))
        return;
    wire_open(w, '{');
    wire_put_member_text(w, "Id", q->id);
    wire_put_member_text(w, "Label", label);
    /* Writes `count` values from `from` on, in the requested order. */
    rises = span_is(wire_text(wire_get(c->body, "ScanBy")), "TimestampAscending");
    wire_open_member(w, "Timestamps", '[');
    for (size_t i = from; i < from + count; i++)
        wire_put_integer(w, curve->at[rises ? i : curve->count - 1 - i].at_ms / LIMIT_SECOND_MS);
    wire_close(w, ']');
    wire_open_member(w, "Values", '[');
    for (size_t i = from; i < from + count; i++)
        wire_put_double(w, curve->at[rises ? i : curve->count - 1 - i].value);
    wire_close(w, ']');
    wire_put_member_word(w, "StatusCode",
                         q->fault             ? "InternalError"
                         : from + count < all ? "PartialData"
                                              : "Complete");
    put_message(c, q);
    wire_close(w, '}');
}

/* Each series of an array is labelled with the expression's label and its own. */
static void put_results(struct call *c, const struct metrics_math_query *q,
                        const struct shown *shown, struct data_page *p)
{
    static const struct metrics_curve nothing = {.count = 0};

    if (q->fault)
        put_result(c, q, shown->label, &nothing, p);
    for (size_t i = 0; i < q->result.count && !q->fault; i++) {
        const struct metrics_curve *curve = &q->result.curves[i];
        struct span label = shown->label;

        if (q->result.kind == METRICS_CURVES)
            label = span_of(arena_printf(c->arena, "%.*s%s%.*s", SPAN_ARG(label),
                                         label.len ? " " : "", SPAN_ARG(curve->label)));
        put_result(c, q, label, curve, p);
    }
}

static const struct error *get_metric_data(struct call *c)
{
    const wire_node *list = wire_get(c->body, "MetricDataQueries");
    const struct error *e;
    struct asked_queries all;
    struct data_page page;
    const wire_node *most = wire_get(c->body, "MaxDatapoints");
    int64_t room;

    if (!wire_count(list))
        return metrics_query_missing(c, "MetricDataQueries");
    if ((e = metrics_query_check_size(c, list, LIMIT_METRIC_QUERIES, "MetricDataQueries")) ||
        (e = metrics_query_check_times(c, wire_get(c->body, "StartTime"),
                                       wire_get(c->body, "EndTime"))) ||
        (e = metrics_query_check_word(c, wire_get(c->body, "ScanBy"), orders, "ScanBy")))
        return e;
    room = wire_integer(most, LIMIT_METRIC_VALUES);
    page = (struct data_page){.room = (size_t)room};
    if (room < 1 || room > LIMIT_METRIC_VALUES)
        return error_new(c->arena, ERROR_METRICS_VALUE,
                         "The value %.*s for parameter MaxDatapoints is not supported.",
                         SPAN_ARG(wire_raw(most)));
    if ((e = metrics_query_read_token(c, &page.before)))
        return e;
    page.skip = page.before;
    if ((e = check_words(c, list)) ||
        (e = metrics_stored_read(c->unit, c->store, c->arena, c->metrics)) ||
        (e = read_queries(c, list, &all)))
        return e;
    wire_open_member(&c->reply, "MetricDataResults", '[');
    for (size_t i = 0; i < all.scope.count; i++)
        if (all.shown[i].shown)
            put_results(c, &all.scope.queries[i], &all.shown[i], &page);
    wire_close(&c->reply, ']');
    if (page.more)
        metrics_query_put_token(c, page.before + page.given);
    return NULL;
}

const struct op op_get_metric_data = {
    .name = "GetMetricData",
    .service = OP_MONITORING,
    .members = WIRE_MEMBERS({"MetricDataQueries", &queries, 0}, {"StartTime", &wire_timestamp, 0},
                            {"EndTime", &wire_timestamp, 0}, {"NextToken", &wire_string, 0},
                            {"ScanBy", &wire_string, 0}, {"MaxDatapoints", &wire_any_integer, 0},
                            {"LabelOptions", &label_options, 0}),
    .result = WIRE_MEMBERS({"MetricDataResults", WIRE_SHAPE(WIRE_LIST, .element = &series), 0},
                           {"Messages", &messages, 0}, {"NextToken", &wire_string, 0}),
    .run = get_metric_data,
};
