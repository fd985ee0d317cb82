/* metrics_text.h: metrics in Prometheus's text format 0.0.4. */
#pragma once

#include "base/buf.h"
#include "ops/metrics/metrics.h"

/* The metrics of a world. */
struct metrics_text_source {
    struct span world;
    struct span region; /* the default region's name; empty: no label */
    const struct metrics *metrics;
};

/* Writes all series of all sources, metric by metric: counters, and for times and sizes sums with
 * counts. */
void metrics_text_write(struct buf *out, const struct metrics_text_source *sources, size_t count);
