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

/* Two numbers that are one member of a table or an index. */
struct schema_pair {
    const char *member, *reads, *writes;
};
static const struct schema_pair provisioned = {"ProvisionedThroughput", "ReadCapacityUnits",
                                               "WriteCapacityUnits"};
static const struct schema_pair on_demand = {"OnDemandThroughput", "MaxReadRequestUnits",
                                             "MaxWriteRequestUnits"};
static const struct schema_pair warm = {"WarmThroughput", "ReadUnitsPerSecond",
                                        "WriteUnitsPerSecond"};

static int64_t number_in(const wire_node *from, const char *member, const char *name)
{
    return wire_integer(wire_get(wire_get(from, member), name), 0);
}

/* Copies the numbers; those below 1 are left out: -1 means no limit. */
static void put_pair(struct wire_writer *w, const wire_node *from, const struct schema_pair *pair)
{
    wire_open_member(w, pair->member, '{');
    if (number_in(from, pair->member, pair->reads) > 0)
        copy_member(w, wire_get(from, pair->member), pair->reads);
    if (number_in(from, pair->member, pair->writes) > 0)
        copy_member(w, wire_get(from, pair->member), pair->writes);
    wire_close(w, '}');
}

/* Warm throughput that every table has is not copied; more than that costs money. */
#define USUAL_READS  12000
#define USUAL_WRITES 4000

static bool is_warmer(const wire_node *from, const char *units, const char *bought, int64_t usual)
{
    int64_t paid = number_in(from, provisioned.member, bought);

    return number_in(from, warm.member, units) > (paid > usual ? paid : usual);
}

/* On-demand tables are described with zero units. */
static void put_throughput(struct wire_writer *w, const wire_node *from)
{
    if (number_in(from, provisioned.member, provisioned.reads))
        put_pair(w, from, &provisioned);
    if (number_in(from, on_demand.member, on_demand.reads) > 0 ||
        number_in(from, on_demand.member, on_demand.writes) > 0)
        put_pair(w, from, &on_demand);
    if (is_warmer(from, warm.reads, provisioned.reads, USUAL_READS) ||
        is_warmer(from, warm.writes, provisioned.writes, USUAL_WRITES))
        put_pair(w, from, &warm);
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

void client_schema_lacks(struct buf *out, const wire_node *table)
{
    bool scales = number_in(table, provisioned.member, provisioned.reads) > 0;

    for (const wire_node *n = wire_first(wire_get(table, "GlobalSecondaryIndexes")); n;
         n = wire_next(n))
        scales |= number_in(n, provisioned.member, provisioned.reads) > 0;
    if (has_kms(table))
        client_schema_add_name(out, "the KMS key");
    if (wire_count(wire_get(table, "Replicas")))
        client_schema_add_name(out, "replicas");
    if (scales)
        client_schema_add_name(out, "auto scaling (another service, which is not asked)");
}
