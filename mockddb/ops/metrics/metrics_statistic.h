/* metrics_statistic.h: statistics of the values of a period: Sum, p99, TM(10%:90%), PR(:300) …
 *
 * Percentiles and trimmed statistics use histograms: each value counts as the mean of its step,
 * whose values differ by less than 1/32. Source: docs/behaviour/metrics.md. */
#pragma once

#include "base/arena.h"
#include "ops/metrics/metrics.h"

/* A period with values. */
struct metrics_bucket {
    int64_t start_ms;
    double count, sum, least, most;
    const struct metrics_point *points; /* of its minutes; NULL: all values are equal */
    size_t point_count;
};

enum metrics_statistic_kind {
    METRICS_SAMPLE_COUNT,
    METRICS_AVERAGE,
    METRICS_SUM,
    METRICS_MINIMUM,
    METRICS_MAXIMUM,
    METRICS_PERCENTILE, /* this and all later kinds have bounds */
    METRICS_TRIMMED_MEAN,
    METRICS_TRIMMED_COUNT,
    METRICS_TRIMMED_SUM,
    METRICS_WINSORIZED_MEAN,
    METRICS_PERCENTILE_RANK
};

struct metrics_statistic {
    enum metrics_statistic_kind kind;
    bool percent;     /* the bounds are percentages */
    double low, high; /* exclusive, inclusive */
};

/* The names of statistics without bounds, in the service's order; ends with NULL. */
extern const char *const metrics_statistic_names[];

/* False if there is no such statistic. */
bool metrics_statistic_read(struct span text, struct metrics_statistic *out);

/* False for a mean without any value within its bounds. */
bool metrics_statistic_value(struct arena *a, const struct metrics_statistic *s,
                             const struct metrics_bucket *b, double *out);
