#include "client/client_schema.h"

#include "model/schema_members.h"
#include "wire/wire_print.h"
#include "wire/wire_reply.h"

static void copy_member(struct wire_writer *w, const wire_node *from, const char *name)
{
    const wire_node *member = wire_get(from, name);

    if (!member)
        return;
    wire_key(w, name);
    wire_print_json(w->out, member);
    w->comma = true;
}

/* Skips zeros: on-demand tables are described with them. */
static void put_throughput(struct wire_writer *w, const wire_node *from)
{
    const wire_node *given = wire_get(from, "ProvisionedThroughput");

    if (!wire_integer(wire_get(given, "ReadCapacityUnits"), 0))
        return;
    wire_open_member(w, "ProvisionedThroughput", '{');
    copy_member(w, given, "ReadCapacityUnits");
    copy_member(w, given, "WriteCapacityUnits");
    wire_close(w, '}');
}

/* Skips -1, which means no limit. */
static void put_on_demand(struct wire_writer *w, const wire_node *from)
{
    static const char *const members[] = {"MaxReadRequestUnits", "MaxWriteRequestUnits"};
    const wire_node *given = wire_get(from, "OnDemandThroughput");
    bool begun = false;

    for (size_t i = 0; i < COUNT(members); i++) {
        if (wire_integer(wire_get(given, members[i]), 0) < 1)
            continue;
        if (!begun)
            wire_open_member(w, "OnDemandThroughput", '{');
        begun = true;
        copy_member(w, given, members[i]);
    }
    if (begun)
        wire_close(w, '}');
}

/* Warm throughput that every table has is not copied; more than that costs money. */
#define USUAL_READS  12000
#define USUAL_WRITES 4000

static bool is_above(const wire_node *warm, const wire_node *throughput, const char *units,
                     const char *bought, int64_t usual)
{
    int64_t paid = wire_integer(wire_get(throughput, bought), 0);

    return wire_integer(wire_get(warm, units), 0) > (paid > usual ? paid : usual);
}

static void put_warm(struct wire_writer *w, const wire_node *from)
{
    const wire_node *warm = wire_get(from, "WarmThroughput");
    const wire_node *throughput = wire_get(from, "ProvisionedThroughput");

    if (!is_above(warm, throughput, "ReadUnitsPerSecond", "ReadCapacityUnits", USUAL_READS) &&
        !is_above(warm, throughput, "WriteUnitsPerSecond", "WriteCapacityUnits", USUAL_WRITES))
        return;
    wire_open_member(w, "WarmThroughput", '{');
    copy_member(w, warm, "ReadUnitsPerSecond");
    copy_member(w, warm, "WriteUnitsPerSecond");
    wire_close(w, '}');
}

/* The key itself belongs to the account, and is not copied. */
static bool has_kms(const wire_node *table)
{
    const wire_node *sse = wire_get(table, "SSEDescription");

    return span_is(wire_text(wire_get(sse, "SSEType")), "KMS") &&
           !span_is(wire_text(wire_get(sse, "Status")), "DISABLED");
}

static void put_indexes(struct wire_writer *w, const wire_node *table, const char *member)
{
    static const char *const members[] = {"IndexName",  "KeySchema",        "VectorAttribute",
                                          "Dimensions", "DistanceFunction", "SearchSchema",
                                          "Projection"};
    const wire_node *list = wire_get(table, member);

    if (!wire_count(list))
        return;
    wire_open_member(w, member, '[');
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        wire_open(w, '{');
        for (size_t i = 0; i < COUNT(members); i++)
            copy_member(w, n, members[i]);
        put_throughput(w, n);
        put_on_demand(w, n);
        put_warm(w, n);
        wire_close(w, '}');
    }
    wire_close(w, ']');
}

/* The members of one value, except for flags that are not set. */
static void put_members(struct wire_writer *w, const wire_node *table)
{
    for (const struct schema_member *m = NULL; (m = schema_members_next(m, SCHEMA_CREATE));) {
        const wire_node *owner = m->summary ? wire_get(table, m->summary) : table;

        if (m->kind != SCHEMA_FLAG || wire_bool(wire_get(owner, m->wire), false))
            copy_member(w, owner, m->wire);
    }
}

struct span client_schema_of(struct arena *a, struct span name, const wire_node *table,
                             const wire_node *ttl, struct span tags)
{
    struct buf out = buf_in(a);
    struct wire_writer w = {&out, false};
    const wire_node *stream = wire_get(table, "StreamSpecification");
    bool expires = span_is(wire_text(wire_get(ttl, "TimeToLiveStatus")), "ENABLED");

    wire_open(&w, '{');
    wire_put_member_text(&w, "TableName", name);
    copy_member(&w, table, "AttributeDefinitions");
    copy_member(&w, table, "KeySchema");
    put_indexes(&w, table, "LocalSecondaryIndexes");
    put_indexes(&w, table, "GlobalSecondaryIndexes");
    put_indexes(&w, table, "VectorIndexes");
    copy_member(&w, wire_get(table, "BillingModeSummary"), "BillingMode");
    put_throughput(&w, table);
    put_on_demand(&w, table);
    put_warm(&w, table);
    if (has_kms(table)) {
        wire_open_member(&w, "SSESpecification", '{');
        wire_put_member_bool(&w, "Enabled", true);
        wire_put_member_word(&w, "SSEType", "KMS");
        wire_close(&w, '}');
    }
    put_members(&w, table);
    if (tags.len)
        wire_put_member_raw(&w, "Tags", tags);
    if (wire_bool(wire_get(stream, "StreamEnabled"), false))
        copy_member(&w, table, "StreamSpecification");
    if (expires) {
        wire_open_member(&w, "TimeToLiveSpecification", '{');
        copy_member(&w, ttl, "AttributeName");
        wire_put_member_bool(&w, "Enabled", true);
        wire_close(&w, '}');
    }
    wire_close(&w, '}');
    buf_add_char(&out, '\n');
    return buf_span(&out);
}

void client_schema_add_name(struct buf *out, const char *name)
{
    buf_printf(out, "%s%s", out->len ? ", " : "", name);
}

static bool is_provisioned(const wire_node *from)
{
    return wire_integer(wire_get(wire_get(from, "ProvisionedThroughput"), "ReadCapacityUnits"), 0);
}

void client_schema_lacks(struct buf *out, const wire_node *table)
{
    bool provisioned = is_provisioned(table);

    for (const wire_node *n = wire_first(wire_get(table, "GlobalSecondaryIndexes")); n;
         n = wire_next(n))
        provisioned |= is_provisioned(n);
    if (has_kms(table))
        client_schema_add_name(out, "the KMS key");
    if (wire_count(wire_get(table, "Replicas")))
        client_schema_add_name(out, "replicas");
    if (provisioned)
        client_schema_add_name(out, "auto scaling (another service, which is not asked)");
}
