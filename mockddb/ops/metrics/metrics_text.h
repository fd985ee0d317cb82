/* metrics_text.h: metrics as Prometheus reads them (text format 0.0.4). */
#ifndef OPS_METRICS_TEXT_H
#define OPS_METRICS_TEXT_H

#include "base/buf.h"
#include "ops/metrics/metrics.h"

/* Whose metrics. */
struct metrics_text_source {
    struct span world;
    struct span region; /* the default one's name; empty: there is one for all */
    const struct metrics *metrics;
};

/* All series of all sources, metric by metric: counters, and sums with counts of what has sizes. */
void metrics_text_write(struct buf *out, const struct metrics_text_source *sources, size_t count);

#endif
