#include "capture/capture_table.h"

#include "client/client_schema.h"
#include "wire/wire_reply.h"

#include <math.h>

static struct span named(struct arena *a, const char *prefix, struct span name)
{
    struct buf out = buf_in(a);
    struct wire_writer w = {&out, false};

    wire_open(&w, '{');
    wire_put_member_word(&w, "TableName", arena_printf(a, "%s%.*s", prefix, SPAN_ARG(name)));
    wire_close(&w, '}');
    return buf_span(&out);
}

/* Reads a number, whatever the endpoint sends. */
static double counted(const wire_node *number)
{
    int64_t count = wire_integer(number, 0);

    return count > 0 ? (double)count : 0;
}

const char *capture_table_read(struct capture_caller *c, struct arena *a, const char *prefix,
                               struct span name, struct capture_table *out)
{
    struct span request = named(a, prefix, name);
    struct client_answer described, ttl;
    struct buf lacks = buf_in(a);
    const wire_node *table;
    const char *problem;

    if ((problem = capture_call(c, a, CAPTURE_DESCRIBE_TABLE, request, &described)) ||
        (problem = capture_call(c, a, CAPTURE_DESCRIBE_TTL, request, &ttl)))
        return problem;
    table = wire_get(described.body, "Table");
    *out = (struct capture_table){
        .name = name,
        .bytes = counted(wire_get(table, "TableSizeBytes")),
        .items = counted(wire_get(table, "ItemCount")),
        .indexes = {wire_get(table, "LocalSecondaryIndexes"),
                    wire_get(table, "GlobalSecondaryIndexes")},
        .schema = client_schema_of(a, name, table, wire_get(ttl.body, "TimeToLiveDescription"),
                                   (struct span){"", 0}),
    };
    client_schema_lacks(&lacks, table);
    client_schema_add_name(&lacks, "tags, a resource policy, point-in-time recovery, contributor "
                                   "insights and Kinesis destinations (not asked for)");
    out->lacks = buf_span(&lacks);
    for (const wire_node *n = wire_first(wire_get(table, "KeySchema"));
         n && out->key_count < COUNT(out->keys); n = wire_next(n))
        out->keys[out->key_count++] = wire_text(wire_get(n, "AttributeName"));
    if (!out->key_count)
        return "DescribeTable: the endpoint's answer is not a table";
    return NULL;
}

bool capture_table_holds_all(const struct capture_table *t, struct span index)
{
    for (size_t i = 0; i < COUNT(t->indexes); i++)
        for (const wire_node *n = wire_first(t->indexes[i]); n; n = wire_next(n)) {
            const wire_node *type = wire_get(wire_get(n, "Projection"), "ProjectionType");

            if (span_equal(wire_text(wire_get(n, "IndexName")), index))
                return span_is(wire_text(type), "ALL");
        }
    return true;
}

double capture_table_units(const struct capture_table *t)
{
    double units = ceil(t->bytes / 4096) / 2;

    return units > 0.5 ? units : 0.5;
}
