#include "ops/table/table_size.h"

/* The bytes spared in the fullest index on the nth index's vector. 0 if an earlier index has the
 * same vector, so each vector counts once. */
static int64_t spared_from(const struct store *s, const struct table *t, size_t n)
{
    struct space_stats fullest = store_stats(s, t->indexes[n].space);

    for (size_t i = 0; i < t->index_count; i++) {
        struct space_stats stats;

        if (schema_kind(&t->indexes[i]) != KIND_VECTOR ||
            !span_equal(t->indexes[i].vector.attribute, t->indexes[n].vector.attribute))
            continue;
        if (i < n)
            return 0;
        stats = store_stats(s, t->indexes[i].space);
        if (stats.entries > fullest.entries)
            fullest = stats;
    }
    return fullest.spared;
}

struct space_stats table_size(const struct store *s, const struct table *t)
{
    struct space_stats size = store_stats(s, t->space);

    for (size_t i = 0; i < t->index_count; i++)
        if (schema_kind(&t->indexes[i]) == KIND_VECTOR)
            size.bytes -= spared_from(s, t, i);
    return size;
}

void table_size_add(struct table_totals *totals, const struct store *s, const struct table *t)
{
    struct space_stats size = table_size(s, t);

    totals->tables++;
    totals->items += size.entries;
    totals->bytes += size.bytes;
}

struct table_totals table_size_all(struct arena *a, struct store *s)
{
    struct table_totals totals = {.tables = 0};

    for (const struct table *t = NULL; (t = store_table_next(a, s, t));)
        table_size_add(&totals, s, t);
    return totals;
}
