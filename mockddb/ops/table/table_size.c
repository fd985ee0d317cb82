#include "ops/table/table_size.h"

/* Takes away the bytes spared in the fullest index on the nth index's vector; nothing if an earlier
 * index has the same vector, so each vector counts once. */
static const struct error *take_spared(struct unit *u, const struct table *t, size_t n,
                                       struct space_stats *size)
{
    struct space_stats fullest = {.entries = -1};

    for (size_t i = 0; i < t->index_count; i++) {
        struct space_stats stats;
        const struct error *e;

        if (schema_kind(&t->indexes[i]) != KIND_VECTOR ||
            !span_equal(t->indexes[i].vector.attribute, t->indexes[n].vector.attribute))
            continue;
        if (i < n)
            return NULL;
        if ((e = unit_stats(u, t->indexes[i].space, &stats)))
            return e;
        if (stats.entries > fullest.entries)
            fullest = stats;
    }
    size->bytes -= fullest.spared;
    return NULL;
}

const struct error *table_size(struct unit *u, const struct table *t, struct space_stats *out)
{
    const struct error *e = unit_stats(u, t->space, out);

    for (size_t i = 0; i < t->index_count && !e; i++)
        if (schema_kind(&t->indexes[i]) == KIND_VECTOR)
            e = take_spared(u, t, i, out);
    return e;
}

void table_size_add(struct table_totals *totals, struct unit *u, const struct table *t)
{
    struct space_stats size;

    if (table_size(u, t, &size))
        return;
    totals->tables++;
    totals->items += size.entries;
    totals->bytes += size.bytes;
}

struct table_totals table_size_all(struct arena *a, struct store *s)
{
    struct table_totals totals = {.tables = 0};
    struct unit *u;

    if (unit_begin(s, a, UNIT_READS, &u))
        return totals;
    for (const struct table *t = NULL; (t = store_table_next(a, s, t));)
        table_size_add(&totals, u, t);
    unit_undo(u);
    return totals;
}
