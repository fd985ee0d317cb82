/* metrics.h: what CloudWatch would know of a world: figures by metric, table and minute.
 *
 * A series has one metric of one table, and of one operation or global index where the metric has
 * that dimension; a point is what was added to it in a minute of the world's clock, and a histogram
 * of it. Memory is bounded: where there are too many points, the older half of each series goes.
 * Source: docs/behaviour/metrics.md. */
#ifndef OPS_METRICS_H
#define OPS_METRICS_H

#include "base/span.h"

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
    METRIC_PROVISIONED_READ, /* these two are not counted: they are what the tables say */
    METRIC_PROVISIONED_WRITE,
    METRIC_COUNT
};

/* Which dimensions a series of the metric has besides or instead of TableName. */
enum metric_dimensions {
    METRIC_OF_INDEX, /* or of the table alone */
    METRIC_OF_VECTOR_INDEX,
    METRIC_OF_OPERATION,
    METRIC_OF_TABLE,
    METRIC_OF_ACCOUNT,
    METRIC_DIMENSIONS_COUNT
};

/* A metric's row. */
struct metric_form {
    const char *name; /* "ConsumedReadCapacityUnits" */
    const char *unit; /* "Count" */
    enum metric_dimensions dimensions;
};
extern const struct metric_form metrics_forms[METRIC_COUNT];

/* What the dimension besides TableName is called; "" where there is none. */
extern const char *const metrics_details[METRIC_DIMENSIONS_COUNT];

/* Which series: without a table, the account's; `detail` is the index or operation, or empty. */
struct metrics_key {
    enum metric metric;
    struct span table, detail;
    struct span region; /* as call.region names it; without, the default one */
};

/* A step of a histogram: values that differ by less than a 32nd. `step` orders steps as their
 * values. */
struct metrics_cell {
    double sum;
    uint32_t count, step;
};

struct metrics_point {
    int64_t minute; /* since 1970 */
    double count, sum, least, most;
    struct metrics_cell *cells; /* in order; NULL while all values are the same */
    uint32_t cell_count, cell_room;
};

struct metrics;
struct metrics_series;

#define METRICS_POINTS ((size_t)50000) /* in all series, without another figure: 3 MB */

struct metrics *metrics_new(size_t max_points);
void metrics_free(struct metrics *m); /* m may be NULL */
void metrics_clear(struct metrics *m);

/* Series stay until the next call of this, which says how often some were freed: whoever keeps one
 * calls it before using that. */
uint64_t metrics_make_room(struct metrics *m);

/* The series, which is made where there is none. */
struct metrics_series *metrics_find(struct metrics *m, const struct metrics_key *key);

/* The point that values of that minute are added to. */
struct metrics_point *metrics_begin_point(struct metrics *m, struct metrics_series *s,
                                          int64_t minute);

/* Counts a value, which was added to the point, in its histogram. */
void metrics_spread(struct metrics *m, struct metrics_point *p, double value);

/* What a series begins with: the point that was begun last; NULL where it has none. */
struct metrics_newest {
    struct metrics_point *point;
};

/* Adds a value at a minute since 1970. Here because every call does it. */
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

/* --- reading ---------------------------------------------------------------------------------- */

/* All series one by one, in no order; NULL behind the last. */
const struct metrics_series *metrics_at(const struct metrics *m, size_t i);
struct metrics_key metrics_key_of(const struct metrics_series *s);
size_t metrics_points(const struct metrics_series *s, const struct metrics_point **out);

/* The histogram of a point, in order; where all its values are the same, that is *one, which is
 * filled. Returns how many steps it has. */
size_t metrics_cells(const struct metrics_point *p, struct metrics_cell *one,
                     const struct metrics_cell **out);

/* All that was ever added to the series, of points that went as well. */
void metrics_total(const struct metrics_series *s, double *count, double *sum);

/* The series of that key, or NULL. */
const struct metrics_series *metrics_look_up(const struct metrics *m,
                                             const struct metrics_key *key);

#endif
