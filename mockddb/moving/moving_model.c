#include "moving/moving_model.h"

#include "base/buf.h"
#include "wire/json.h"
#include "wire/wire_print.h"
#include "wire/wire_reply.h"

#define MAX_ATTRIBUTES 64 /* of keys, those of indexes included */

/* Definitions of attributes that are in keys, each once. */
struct definitions {
    struct span names[MAX_ATTRIBUTES];
    size_t count;
    struct buf json;
};

const char *moving_model_read(struct arena *a, struct span text, const wire_node **first_table)
{
    const wire_node *model;
    struct span service;

    if (wire_parse(a, text, &model))
        return arena_printf(a, "line %zu: this is no JSON", wire_error_line(a, text));
    service = wire_text(wire_get(wire_get(model, "ModelMetadata"), "AWSService"));
    if (service.len && !span_is(service, "Amazon DynamoDB"))
        return arena_printf(a, "this is a model of %.*s", SPAN_ARG(service));
    *first_table = wire_first(wire_get(model, "DataModel"));
    return NULL;
}

/* --- keys ------------------------------------------------------------------------------------- */

static void define(struct definitions *d, struct span name, struct span type)
{
    for (size_t i = 0; i < d->count; i++)
        if (span_equal(d->names[i], name))
            return;
    if (d->count == MAX_ATTRIBUTES)
        return; /* the service says what is too much */
    d->names[d->count++] = name;
    buf_add_text(&d->json, d->count > 1 ? ",{\"AttributeName\":" : "{\"AttributeName\":");
    buf_add_json_string(&d->json, name);
    buf_add_text(&d->json, ",\"AttributeType\":");
    buf_add_json_string(&d->json, type);
    buf_add_char(&d->json, '}');
}

/* One attribute of a key; false where the model has none. */
static bool put_key(struct wire_writer *w, struct definitions *d, const wire_node *attribute,
                    const char *role)
{
    struct span name = wire_text(wire_get(attribute, "AttributeName"));

    if (!name.len)
        return false;
    define(d, name, wire_text(wire_get(attribute, "AttributeType")));
    wire_open(w, '{');
    wire_put_member_text(w, "AttributeName", name);
    wire_put_member_word(w, "KeyType", role);
    wire_close(w, '}');
    return true;
}

static bool put_key_schema(struct wire_writer *w, struct definitions *d, const wire_node *of)
{
    const wire_node *keys = wire_get(of, "KeyAttributes");
    bool has_partition;

    wire_key(w, "KeySchema");
    wire_open(w, '[');
    has_partition = put_key(w, d, wire_get(keys, "PartitionKey"), "HASH");
    (void)put_key(w, d, wire_get(keys, "SortKey"), "RANGE");
    wire_close(w, ']');
    return has_partition;
}

static const char *put_indexes(struct arena *a, struct wire_writer *w, struct definitions *d,
                               const wire_node *table, const char *kind)
{
    const wire_node *list = wire_get(table, kind);

    if (!wire_count(list))
        return NULL;
    wire_key(w, kind);
    wire_open(w, '[');
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        const wire_node *projection = wire_get(n, "Projection");
        struct span name = wire_text(wire_get(n, "IndexName"));

        wire_open(w, '{');
        wire_put_member_text(w, "IndexName", name);
        if (!put_key_schema(w, d, n))
            return arena_printf(a, "index %.*s has no partition key", SPAN_ARG(name));
        wire_key(w, "Projection");
        wire_put_raw(w,
                     projection ? wire_raw(projection) : SPAN_LIT("{\"ProjectionType\":\"ALL\"}"));
        wire_close(w, '}');
    }
    wire_close(w, ']');
    return NULL;
}

/* --- sample data ------------------------------------------------------------------------------ */

static void add_items(struct moving_model_table *out, const wire_node *list)
{
    for (const wire_node *n = wire_first(list); n; n = wire_next(n))
        out->items[out->item_count++] = n;
}

/* Those of the table; where it has none, those of its facets. */
static void take_items(struct arena *a, const wire_node *table, struct moving_model_table *out)
{
    const wire_node *own = wire_get(table, "TableData"), *facets = wire_get(table, "TableFacets");
    size_t count = wire_count(own);

    for (const wire_node *f = wire_first(facets); f && !wire_count(own); f = wire_next(f))
        count += wire_count(wire_get(f, "TableData"));
    out->items = arena_array(a, count + 1, sizeof(const wire_node *));
    add_items(out, own);
    for (const wire_node *f = wire_first(facets); f && !wire_count(own); f = wire_next(f))
        add_items(out, wire_get(f, "TableData"));
}

/* --- tables ----------------------------------------------------------------------------------- */

const char *moving_model_table(struct arena *a, const wire_node *table,
                               struct moving_model_table *out)
{
    struct buf json = buf_in(a);
    struct wire_writer w = {&json, false};
    struct definitions d = {.json = buf_in(a)};
    const char *problem;

    *out = (struct moving_model_table){.name = wire_text(wire_get(table, "TableName"))};
    if (!out->name.len)
        return "a table has no TableName";
    wire_open(&w, '{');
    wire_put_member_text(&w, "TableName", out->name);
    wire_put_member_word(&w, "BillingMode", "PAY_PER_REQUEST");
    if (!put_key_schema(&w, &d, table))
        return arena_printf(a, "table %.*s has no partition key", SPAN_ARG(out->name));
    if ((problem = put_indexes(a, &w, &d, table, "LocalSecondaryIndexes")) ||
        (problem = put_indexes(a, &w, &d, table, "GlobalSecondaryIndexes")))
        return arena_printf(a, "table %.*s: %s", SPAN_ARG(out->name), problem);
    wire_key(&w, "AttributeDefinitions");
    buf_add_char(&json, '[');
    buf_add_span(&json, buf_span(&d.json));
    buf_add_text(&json, "]}");
    out->create_table = buf_span(&json);
    take_items(a, table, out);
    return NULL;
}
