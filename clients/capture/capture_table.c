#include "capture/capture_table.h"

#include "client/client_schema.h"

#include <math.h>

const char *capture_table_read(struct client *client, struct arena *a, const char *prefix,
                               struct span name, struct capture_table *out)
{
    struct span full_name = span_of(arena_printf(a, "%s%.*s", prefix, SPAN_ARG(name)));
    struct buf lacks = buf_in(a);
    const char *problem = moving_scan_describe(a, client, full_name, &out->scan);

    if (problem)
        return problem;
    out->name = name;
    out->schema = client_schema_of(a, name, out->scan.described, out->scan.ttl,
                                   (struct span){"", 0});
    client_schema_lacks(&lacks, out->scan.described);
    client_schema_add_name(&lacks, "tags, a resource policy, point-in-time recovery, contributor "
                                   "insights and Kinesis destinations (not asked for)");
    out->lacks = buf_span(&lacks);
    return NULL;
}

bool capture_table_holds_all(const struct capture_table *t, struct span index)
{
    static const char *const lists[] = {"LocalSecondaryIndexes", "GlobalSecondaryIndexes"};

    for (size_t i = 0; i < COUNT(lists); i++)
        for (const wire_node *n = wire_first(wire_get(t->scan.described, lists[i])); n;
             n = wire_next(n)) {
            const wire_node *type = wire_get(wire_get(n, "Projection"), "ProjectionType");

            if (span_equal(wire_text(wire_get(n, "IndexName")), index))
                return span_is(wire_text(type), "ALL");
        }
    return true;
}

double capture_table_units(const struct capture_table *t)
{
    double units = ceil((double)t->scan.bytes / 4096) / 2;

    return units > 0.5 ? units : 0.5;
}
