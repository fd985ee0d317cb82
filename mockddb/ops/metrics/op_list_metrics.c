#include "ops/metrics/metrics_query.h"
#include "ops/metrics/metrics_stored.h"

#include <stdlib.h>

#define ACTIVE_MS           ((int64_t)3 * 60 * 60 * LIMIT_SECOND_MS)
#define STEPS_PER_DIMENSION 8 /* to compare it with a metric's dimensions */

/* A dimension of a metric. */
struct listed_dimension {
    const char *name;
    struct span value;
};

static size_t dimensions_of(const struct metrics_key *key, struct listed_dimension *out)
{
    size_t count = 0;

    if (key->table.len)
        out[count++] = (struct listed_dimension){"TableName", key->table};
    if (key->detail.len)
        out[count++] = (struct listed_dimension){
            metrics_details[metrics_forms[key->metric].dimensions], key->detail};
    return count;
}

/* Whether the metric has each dimension of the request, with its value if one is given. */
static bool has_dimensions(const struct call *c, const struct listed_dimension *all, size_t count)
{
    const wire_node *d = wire_first(wire_get(c->body, "Dimensions"));

    for (; d; d = wire_next(d)) {
        arena_charge(c->arena, STEPS_PER_DIMENSION);
        struct span name = wire_text(wire_get(d, "Name")), value = wire_text(wire_get(d, "Value"));
        size_t i = 0;

        while (i < count &&
               !(span_is(name, all[i].name) && (!value.len || span_equal(value, all[i].value))))
            i++;
        if (i == count)
            return false;
    }
    return true;
}

static bool is_listed(const struct call *c, const struct metrics_key *key)
{
    struct span name = wire_text(wire_get(c->body, "MetricName"));
    struct listed_dimension dimensions[2];
    size_t count = dimensions_of(key, dimensions);

    return span_equal(key->region, c->region) &&
           (!name.len || span_is(name, metrics_forms[key->metric].name)) &&
           has_dimensions(c, dimensions, count);
}

static void put_metric(struct wire_writer *w, const struct metrics_key *key)
{
    struct listed_dimension dimensions[2];
    size_t count = dimensions_of(key, dimensions);

    wire_open(w, '{');
    wire_put_member_word(w, "Namespace", "AWS/DynamoDB");
    wire_put_member_word(w, "MetricName", metrics_forms[key->metric].name);
    wire_open_member(w, "Dimensions", '[');
    for (size_t i = 0; i < count; i++) {
        wire_open(w, '{');
        wire_put_member_word(w, "Name", dimensions[i].name);
        wire_put_member_text(w, "Value", dimensions[i].value);
        wire_close(w, '}');
    }
    wire_close(w, ']');
    wire_close(w, '}');
}

static int by_key(const void *one, const void *two)
{
    const struct metrics_key *a = one, *b = two;
    int order = (int)a->metric - (int)b->metric;

    if (!order)
        order = span_compare(a->table, b->table);
    return order ? order : span_compare(a->detail, b->detail);
}

/* Whether the series has values; with RecentlyActive, values of the last three hours. */
static bool is_active(const struct call *c, const struct metrics_series *s)
{
    const struct metrics_point *points;
    size_t count = metrics_points(s, &points);
    int64_t since_ms = clock_now_ms(c->clock) - ACTIVE_MS;

    return count && (!wire_get(c->body, "RecentlyActive") ||
                     (points[count - 1].minute + 1) * 60 * LIMIT_SECOND_MS > since_ms);
}

/* Lists the metrics that match, in order. */
static size_t collect_metrics(struct call *c, struct metrics_key **out)
{
    const struct metrics *all = metrics_sum(c->metrics);
    size_t total = 0, count = 0;

    while (metrics_at(all, total))
        total++;
    *out = arena_array(c->arena, total, sizeof **out);
    for (size_t i = 0; i < total; i++) {
        const struct metrics_series *s = metrics_at(all, i);
        struct metrics_key key = metrics_key_of(s);

        if (is_active(c, s) && is_listed(c, &key))
            (*out)[count++] = key;
    }
    if (count)
        qsort(*out, count, sizeof **out, by_key);
    return count;
}

static const struct error *list_metrics(struct call *c)
{
    struct span name_space = wire_text(wire_get(c->body, "Namespace"));
    struct metrics_key *all = NULL;
    const struct error *e;
    size_t from, i, count = 0;
    const wire_node *active = wire_get(c->body, "RecentlyActive");
    const wire_node *list = wire_get(c->body, "Dimensions");
    size_t number = 1;

    /* Checks the dimensions of the request; each has a name and may have a value. */
    e = metrics_query_check_size(c, list, LIMIT_METRIC_FILTERS, "Dimensions");
    for (const wire_node *d = wire_first(list); d && !e; d = wire_next(d), number++)
        if (!wire_text(wire_get(d, "Name")).len)
            e = metrics_query_missing(c,
                                      arena_printf(c->arena, "Dimensions.member.%zu.Name", number));
    if (e || (e = metrics_query_read_token(c, &from)) ||
        (e = metrics_stored_read(c->unit, c->store, c->arena, c->metrics)))
        return e;
    if (active && !span_is(wire_text(active), "PT3H"))
        return error_new(c->arena, ERROR_METRICS_VALUE,
                         "The value %.*s for parameter RecentlyActive is not supported.",
                         SPAN_ARG(wire_text(active)));
    if (c->metrics && metrics_query_is_ours(c, wire_get(c->body, "OwningAccount")) &&
        (!name_space.len || span_is(name_space, "AWS/DynamoDB")))
        count = collect_metrics(c, &all);
    wire_open_member(&c->reply, "Metrics", '[');
    for (i = from; i < count && i - from < LIMIT_METRICS_PAGE; i++)
        put_metric(&c->reply, &all[i]);
    wire_close(&c->reply, ']');
    if (i < count)
        metrics_query_put_token(c, i);
    return NULL;
}

const struct op op_list_metrics = {
    .name = "ListMetrics",
    .service = OP_MONITORING,
    .members = WIRE_MEMBERS({"Namespace", &wire_string, 0}, {"MetricName", &wire_string, 0},
                            {"Dimensions", &metrics_query_dimensions, 0},
                            {"NextToken", &wire_string, 0}, {"RecentlyActive", &wire_string, 0},
                            {"IncludeLinkedAccounts", &wire_boolean, 0},
                            {"OwningAccount", &wire_string, 0}),
    .result = WIRE_MEMBERS({"Metrics", WIRE_SHAPE(WIRE_LIST, .element = &metrics_query_metric), 0},
                           {"NextToken", &wire_string, 0}),
    .run = list_metrics,
};
