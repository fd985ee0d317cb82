#include "ops/metrics/metrics_text.h"

#include "base/ascii.h"

/* Whether each value is a time, a size or a number of items, so that its least and its greatest say
 * something. */
static bool has_distribution(enum metric metric)
{
    return metric == METRIC_LATENCY || metric == METRIC_RETURNED_ITEMS ||
           metric == METRIC_RETURNED_BYTES;
}

/* ConsumedReadCapacityUnits → mockddb_consumed_read_capacity_units */
static void add_name(struct buf *out, enum metric metric)
{
    buf_add_text(out, "mockddb");
    for (const char *c = metrics_forms[metric].name; *c; c++) {
        bool capital = *c >= 'A' && *c <= 'Z';

        if (capital)
            buf_add_char(out, '_');
        buf_add_char(out, ascii_lower(*c));
    }
    if (metric == METRIC_LATENCY)
        buf_add_text(out, "_milliseconds");
    if (!has_distribution(metric))
        buf_add_text(out, "_total");
}

static void add_label(struct buf *out, const char *name, struct span value)
{
    buf_printf(out, "%s=\"", name);
    for (size_t i = 0; i < value.len; i++) {
        if (value.at[i] == '"' || value.at[i] == '\\')
            buf_add_char(out, '\\');
        if (value.at[i] == '\n')
            buf_add_text(out, "\\n");
        else
            buf_add_char(out, value.at[i]);
    }
    buf_add_char(out, '"');
}

static void add_line(struct buf *out, const struct metrics_key *key,
                     const struct metrics_text_source *source, const char *ending, double value)
{
    add_name(out, key->metric);
    buf_printf(out, "%s{", ending);
    add_label(out, "world", source->world);
    if (source->region.len) {
        buf_add_char(out, ',');
        add_label(out, "region", key->region.len ? key->region : source->region);
    }
    if (key->table.len) {
        buf_add_char(out, ',');
        add_label(out, "table", key->table);
    }
    if (key->detail.len) {
        buf_add_char(out, ',');
        add_label(out,
                  metrics_forms[key->metric].dimensions == METRIC_OF_OPERATION ? "operation"
                                                                               : "index",
                  key->detail);
    }
    buf_printf(out, "} %.15g\n", value);
}

static void add_source(struct buf *out, enum metric metric,
                       const struct metrics_text_source *source, bool *begun)
{
    const struct metrics_series *s;

    for (size_t i = 0; (s = metrics_at(source->metrics, i)); i++) {
        struct metrics_key key = metrics_key_of(s);
        double count, sum;

        if (key.metric != metric)
            continue;
        metrics_total(s, &count, &sum);
        if (count == 0)
            continue;
        if (!*begun) {
            buf_add_text(out, "# TYPE ");
            add_name(out, metric);
            buf_add_text(out, has_distribution(metric) ? " summary\n" : " counter\n");
        }
        *begun = true;
        add_line(out, &key, source, has_distribution(metric) ? "_sum" : "", sum);
        if (has_distribution(metric))
            add_line(out, &key, source, "_count", count);
    }
}

void metrics_text_write(struct buf *out, const struct metrics_text_source *sources, size_t count)
{
    for (int metric = 0; metric < METRIC_COUNT; metric++) {
        bool begun = false;

        for (size_t i = 0; i < count; i++)
            add_source(out, (enum metric)metric, &sources[i], &begun);
    }
}
