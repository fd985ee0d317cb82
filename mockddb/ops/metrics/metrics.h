/* metrics.h: CloudWatch's metrics of a world, by metric, table and minute.
 *
 * If several processes use the store, each counts its own calls, and readers get the sum of all
 * (metrics_stored.h).
 *
 * A series has one metric of one table and, if the metric has the dimension, one operation or
 * global index. A point has the values of a minute of the world's clock, and their histogram.
 * Memory is limited: if there are too many points, each series drops its older half. Source:
 * docs/behaviour/metrics.md. */
#pragma once

#include "base/span.h"

/* The numbers are stored (metrics_stored.c): new metrics come last. */
enum metric {
    METRIC_READ_UNITS,
    METRIC_WRITE_UNITS,
    METRIC_LATENCY,
    METRIC_RETURNED_ITEMS,
    METRIC_RETURNED_BYTES,
    METRIC_CONDITION_FAILED,
    METRIC_CONFLICT,
    METRIC_EXPIRED,
    METRIC_THROTTLED_REQUESTS,
    METRIC_READ_THROTTLES,
    METRIC_WRITE_THROTTLES,
    METRIC_SYSTEM_ERRORS,
    METRIC_USER_ERRORS,
    METRIC_VECTOR_SEARCH,
    METRIC_VECTOR_WRITE,
    METRIC_PROVISIONED_READ, /* these two are not counted, but read from tables */
    METRIC_PROVISIONED_WRITE,
    METRIC_COUNT
};

/* The dimensions of a metric, besides or instead of TableName. */
enum metric_dimensions {
    METRIC_OF_INDEX, /* or of the table alone */
    METRIC_OF_VECTOR_INDEX,
    METRIC_OF_OPERATION,
    METRIC_OF_TABLE,
    METRIC_OF_ACCOUNT,
    METRIC_DIMENSIONS_COUNT
};

/* The description of a metric. */
struct metric_form {
    const char *name; /* "ConsumedReadCapacityUnits" */
    const char *unit; /* "Count" */
    enum metric_dimensions dimensions;
};
extern const struct metric_form metrics_forms[METRIC_COUNT];

/* The name of the dimension besides TableName; "" without one. */
extern const char *const metrics_details[METRIC_DIMENSIONS_COUNT];

/* Identifies a series. Without a table it is the account's; `detail` is the index, the operation or
 * empty. */
struct metrics_key {
    enum metric metric;
    struct span table, detail;
    struct span region; /* like call.region: "" is the default region */
};

/* A step of a histogram: values that differ by less than 1/32. Steps have the values' order. */
struct metrics_cell {
    double sum;
    uint32_t count, step;
};

struct metrics_point {
    int64_t minute; /* since 1970 */
    double count, sum, least, most;
    struct metrics_cell *cells; /* in order; NULL while all values are equal */
    uint32_t cell_count, cell_room;
};

struct metrics;
struct metrics_series;

#define METRICS_POINTS ((size_t)50000) /* the default, in all series: 3 MB */

struct metrics *metrics_new(size_t max_points);
void metrics_free(struct metrics *m); /* m may be NULL */
void metrics_clear(struct metrics *m);

/* Frees memory if needed. Series may be freed by this call only; the result counts how often this
 * has happened. A caller that keeps a series must compare it before each use. */
uint64_t metrics_make_room(struct metrics *m);

/* Finds or makes a series. */
struct metrics_series *metrics_find(struct metrics *m, const struct metrics_key *key);

/* Makes the series' point for a minute. */
struct metrics_point *metrics_begin_point(struct metrics *m, struct metrics_series *s,
                                          int64_t minute);

/* Counts a value that was added to the point in its histogram. */
void metrics_spread(struct metrics *m, struct metrics_point *p, double value);

/* The first member of a series: its newest point, or NULL. */
struct metrics_newest {
    struct metrics_point *point;
};

/* Adds a value at a minute since 1970. Inline, because each call does it. */
static inline void metrics_add(struct metrics *m, struct metrics_series *s, int64_t minute,
                               double value)
{
    struct metrics_point *p = ((struct metrics_newest *)s)->point;

    if (!p || p->minute != minute)
        p = metrics_begin_point(m, s, minute);
    p->count++;
    p->sum += value;
    if (value < p->least)
        p->least = value;
    if (value > p->most)
        p->most = value;
    if (p->least != p->most)
        metrics_spread(m, p, value);
}

/* Adds the values of a point to the series' point of its minute. */
void metrics_add_point(struct metrics *m, struct metrics_series *s, const struct metrics_point *p);
/* Adds to a series' totals only. */
void metrics_add_total(struct metrics_series *s, double count, double sum);

/* --- reading ---------------------------------------------------------------------------------- */

/* The metrics that belong to m and have those of all processes, without values, to be filled … */
struct metrics *metrics_sum_begin(struct metrics *m);
/* … and as they were filled last; m itself if it counts the calls of all. m may be NULL. */
const struct metrics *metrics_sum(const struct metrics *m);

/* The i-th series, in no order; NULL after the last. */
const struct metrics_series *metrics_at(const struct metrics *m, size_t i);
struct metrics_key metrics_key_of(const struct metrics_series *s);
size_t metrics_points(const struct metrics_series *s, const struct metrics_point **out);

/* The histogram of a point, in order. If all values are equal, it is *one, filled by this call.
 * Returns the number of steps. */
size_t metrics_cells(const struct metrics_point *p, struct metrics_cell *one,
                     const struct metrics_cell **out);

/* The count and sum of all values ever added, including dropped points. */
void metrics_total(const struct metrics_series *s, double *count, double *sum);

/* Returns the series of the key, or NULL. */
const struct metrics_series *metrics_look_up(const struct metrics *m,
                                             const struct metrics_key *key);
