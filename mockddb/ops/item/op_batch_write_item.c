#include "ops/collection.h"
#include "ops/key_check.h"
#include "ops/op_batch.h"
#include "ops/op_fault.h"
#include "ops/op_target.h"
#include "ops/op_wanted.h"
#include "ops/op_write.h"
#include "ops/pace.h"
#include "ops/throttle/throttle_error.h"
#include "wire/wire_attr.h"

static const struct wire_shape put_shape = {
    .type = WIRE_STRUCT,
    .name = "PutRequest",
    .members = WIRE_MEMBERS({"Item", &wire_attr_map, WIRE_REQUIRED}),
    .printed_more = ", workloadProfileName=null"};
static const struct wire_shape delete_shape = WIRE_STRUCT_OF(
    "DeleteRequest", {"Key", &wire_attr_map, WIRE_REQUIRED});
static const struct wire_shape write_shape = {
    .type = WIRE_STRUCT,
    .name = "WriteRequest",
    .members = WIRE_MEMBERS({"DeleteRequest", &delete_shape, 0}, {"PutRequest", &put_shape, 0}),
    .printed = WIRE_MEMBERS({"PutRequest", &put_shape, 0}, {"DeleteRequest", &delete_shape, 0})};
static const struct wire_shape request_items_shape = {
    .type = WIRE_MAP,
    .element = WIRE_SHAPE(WIRE_LIST, .element = &write_shape, WIRE_BOUNDS(1, LIMIT_BATCH_WRITES)),
    WIRE_AT_MOST(LIMIT_BATCH_WRITES),
    .key = &wire_table_name,
    .map_values_named = true};
struct write {
    bool is_put;
    struct item item; /* the item to put or the key to delete */
};

/* One table's part of the request. */
struct write_part {
    struct span name; /* as sent */
    const struct table *table;
    struct write *writes;
    size_t count;
    struct op_batch_range now; /* writes to do; the rest is unprocessed */
    size_t done;               /* the first write that was not done */
};

struct write_batch {
    struct write_part *parts;
    size_t count;
    const struct error *refusal; /* of the first throttled write, or NULL */
};

/* --- the request ----------------------------------------------------------------------------- */

static const struct error *read_write(struct call *c, const wire_node *node, struct write *out)
{
    const wire_node *put = wire_get(node, "PutRequest"), *del = wire_get(node, "DeleteRequest");
    const wire_node *values = put ? wire_get(put, "Item") : wire_get(del, "Key");
    const struct error *e;

    if (!put == !del) /* the text is the service's */
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(put || !wire_first(node) ? CAUSE_ENTRY_ACTIONS : CAUSE_UNKNOWN,
                      .operand = SPAN_LIT("RequestItems"), .count = put ? 2 : 0,
                      .beside = SPAN_LIT("PutRequest and DeleteRequest")),
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
            "the supported datatypes");
    out->is_put = put != NULL;
    if ((e = wire_read_item(c->arena, values, WIRE_LAYER_OLDER, &out->item)) || !put)
        return e;
    return op_write_check_size(c->arena, &out->item);
}

static const struct error *read_part(struct call *c, const wire_node *node, struct write_part *out)
{
    out->name = wire_name(node);
    out->writes = arena_array(c->arena, wire_count(node), sizeof *out->writes);
    for (const wire_node *n = wire_first(node); n; n = wire_next(n)) {
        const struct error *e = read_write(c, n, &out->writes[out->count++]);

        if (e)
            return e;
    }
    return NULL;
}

static const struct error *read_request(struct call *c, struct write_batch *batch)
{
    const wire_node *items = wire_get(c->body, "RequestItems");
    const struct error *e;
    size_t writes = 0;

    if (!wire_count(items))
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_MEMBER_FEW, .operand = SPAN_LIT("RequestItems"),
                                      .beside = SPAN_LIT("1")),
                            "The requestItems parameter is required for BatchWriteItem");
    for (const wire_node *n = wire_first(items); n; n = wire_next(n))
        writes += wire_count(n);
    if (writes > LIMIT_BATCH_WRITES)
        return op_fault_many_items(c, writes, LIMIT_BATCH_WRITES);
    batch->parts = arena_array(c->arena, wire_count(items), sizeof *batch->parts);
    for (const wire_node *n = wire_first(items); n; n = wire_next(n))
        if ((e = read_part(c, n, &batch->parts[batch->count++])))
            return e;
    return NULL;
}

/* --- the tables ------------------------------------------------------------------------------ */

/* Whether both items have equal values of the first `count` attributes of the key. */
static bool share_parts(const struct key_schema *keys, size_t count, const struct item *a,
                        const struct item *b)
{
    const struct key_part *part;

    for (size_t i = 0; i < count && (part = schema_key_part(keys, i)); i++) {
        const struct attr *left = item_find(a, part->name);
        const struct attr *right = item_find(b, part->name);

        if (!left || !right || !attr_equal(left, right))
            return false;
    }
    return true;
}

static const struct error *check_write(struct call *c, const struct table *t, const struct write *w)
{
    const struct error *e;

    if (!w->is_put)
        return key_check_parameter(c->arena, t, &w->item);
    if ((e = key_check_batch_item(c->arena, t, &w->item)))
        return e;
    return op_write_check_indexes(c->arena, t, &w->item);
}

static const struct error *check_part(struct call *c, const struct write_part *part)
{
    const struct key_schema *keys = &part->table->keys;
    const struct error *e = NULL;

    for (size_t i = 1; i < part->count; i++)
        for (size_t k = 0; k < i; k++)
            if (share_parts(keys, schema_key_count(keys), &part->writes[i].item,
                            &part->writes[k].item))
                return op_fault_repeated_keys(c->arena, part->name, k, i);
    for (size_t i = 0; !e && i < part->count; i++)
        e = check_write(c, part->table, &part->writes[i]);
    return e;
}

static const struct error *find_tables(struct call *c, struct write_batch *batch)
{
    const struct error *e;
    size_t count = 0;

    for (size_t i = 0; i < batch->count; i++)
        if ((e = op_target_find_named(c, batch->parts[i].name, &batch->parts[i].table)))
            return e;
    for (size_t i = 0; i < batch->count; i++) {
        struct write_part *part = &batch->parts[i], *same = batch->parts;

        while (same < batch->parts + count && same->table != part->table)
            same++;
        if (same < batch->parts + count) { /* the table is named twice, by name and by ARN */
            size_t size = sizeof *same->writes;

            same->writes = arena_grow(c->arena, same->writes, same->count * size,
                                      (same->count + part->count) * size);
            memcpy(same->writes + same->count, part->writes, part->count * size);
            same->count += part->count;
        } else {
            batch->parts[count++] = *part;
        }
    }
    batch->count = count;
    for (size_t i = 0; i < batch->count; i++)
        if ((e = check_part(c, &batch->parts[i])))
            return e;
    return NULL;
}

static bool is_any_done(const struct write_part *part)
{
    return op_batch_unprocessed(&part->now, part->done, part->count) < part->count;
}

/* --- the writes ------------------------------------------------------------------------------ */

static const struct error *write_item(struct call *c, const struct write_part *part,
                                      struct capacity *used)
{
    const struct write *w = &part->writes[part->done];
    struct change ch;
    const struct error *e = change_begin(c, part->table, &w->item, &ch);

    if (e)
        return e;
    return w->is_put ? change_put(c, &ch, &w->item, used) : change_delete(c, &ch, used);
}

static const struct error *want_items(struct call *c, const struct write_batch *batch)
{
    struct op_wanted wanted = op_wanted_new(c, LIMIT_BATCH_WRITES);

    for (size_t i = 0; i < batch->count; i++)
        for (size_t k = batch->parts[i].done; k < batch->parts[i].now.to; k++)
            op_wanted_add(c, &wanted, batch->parts[i].table, &batch->parts[i].writes[k].item);
    return op_wanted_read(c, &wanted);
}

/* Does one write; a throttled write is left unprocessed. */
static const struct error *write_one(struct call *c, struct write_batch *batch,
                                     struct write_part *part, struct capacity *used)
{
    const struct error *e = write_item(c, part, used);

    if (!throttle_error_is_one(e))
        return e;
    op_batch_refuse(c->arena, &part->now, part->done);
    if (!batch->refusal)
        batch->refusal = e;
    return NULL;
}

static const struct error *write_part_items(struct call *c, struct write_batch *batch,
                                            struct write_part *part, struct pace *pace)
{
    struct capacity *used = capacity_named(c, part->table, part->name);

    while (part->done < part->now.to && pace_begins(pace)) {
        struct arena_mark before = arena_mark(c->arena);
        const bool *refused = part->now.refused;
        const struct error *e = write_one(c, batch, part, used);

        if (e)
            return e;
        if (part->now.refused == refused) /* else the refusal needs this memory */
            arena_release(c->arena, before);
        part->done++;
    }
    used->unprocessed += op_batch_unprocessed(&part->now, part->done, part->count);
    return NULL;
}

/* --- the answer ------------------------------------------------------------------------------ */

static void put_unprocessed(struct wire_writer *w, const struct write_batch *batch)
{
    wire_open_member(w, "UnprocessedItems", '{');
    for (size_t i = 0; i < batch->count; i++) {
        const struct write_part *part = &batch->parts[i];

        if (!op_batch_unprocessed(&part->now, part->done, part->count))
            continue;
        wire_key_span(w, part->name);
        wire_open(w, '[');
        for (size_t k = 0; k < part->count; k++)
            if (op_batch_is_unprocessed(&part->now, part->done, k)) {
                wire_open(w, '{');
                wire_open_member(w, part->writes[k].is_put ? "PutRequest" : "DeleteRequest", '{');
                wire_key(w, part->writes[k].is_put ? "Item" : "Key");
                wire_put_item(w, &part->writes[k].item);
                wire_close(w, '}');
                wire_close(w, '}');
            }
        wire_close(w, ']');
    }
    wire_close(w, '}');
}

/* Whether an earlier write has the same partition key. */
static bool is_seen(const struct write_part *part, size_t at)
{
    const struct key_schema *keys = &part->table->keys;

    for (size_t i = part->now.from; i < at; i++)
        if (share_parts(keys, keys->hash_count, &part->writes[i].item, &part->writes[at].item))
            return true;
    return false;
}

static const struct error *reply_metrics(struct call *c, const struct write_batch *batch)
{
    const struct error *e;
    bool open = false;

    for (size_t i = 0; i < batch->count; i++) {
        const struct write_part *part = &batch->parts[i];

        if (!is_any_done(part) || !collection_metrics_asked(c, part->table))
            continue;
        if (!open) {
            wire_open_member(&c->reply, "ItemCollectionMetrics", '{');
            open = true;
        }
        wire_key_span(&c->reply, part->name);
        wire_open(&c->reply, '[');
        for (size_t k = part->now.from; k < part->done; k++)
            if (!op_batch_is_unprocessed(&part->now, part->done, k) && !is_seen(part, k) &&
                (e = collection_put_metrics(c, part->table, &part->writes[k].item)))
                return e;
        wire_close(&c->reply, ']');
    }
    if (open)
        wire_close(&c->reply, '}');
    return NULL;
}

static const struct error *batch_write_item(struct call *c)
{
    struct write_batch batch = {.count = 0};
    struct pace pace = pace_of(c->arena);
    struct op_batch_range now;
    size_t writes = 0, before = 0;
    const struct error *e;
    bool any = false;

    if ((e = read_request(c, &batch)) || (e = find_tables(c, &batch)))
        return e;
    for (size_t i = 0; i < batch.count; i++)
        writes += batch.parts[i].count;
    if ((e = op_batch_range(c, writes, &now)))
        return e;
    for (size_t i = 0; i < batch.count; i++) {
        struct write_part *part = &batch.parts[i];

        part->now = op_batch_range_part(&now, before, part->count);
        part->done = part->now.from;
        before += part->count;
    }
    if ((e = want_items(c, &batch)))
        return e;
    /* When the request is out of work the rest stays unprocessed, like at a busy service. */
    for (size_t i = 0; i < batch.count; i++) {
        if ((e = write_part_items(c, &batch, &batch.parts[i], &pace)))
            return e;
        any |= is_any_done(&batch.parts[i]);
    }
    if (batch.refusal && !any)
        return batch.refusal;
    put_unprocessed(&c->reply, &batch);
    if ((e = reply_metrics(c, &batch)))
        return e;
    capacity_reply_list(c);
    return NULL;
}

const struct op op_batch_write_item = {
    .name = "BatchWriteItem",
    .access = OP_WRITES,
    .form = OP_BATCH_WRITE,
    .members = WIRE_MEMBERS({"ReturnConsumedCapacity", &wire_return_capacity, 0},
                            {"ReturnItemCollectionMetrics", &wire_return_metrics, 0},
                            {"RequestItems", &request_items_shape, WIRE_REQUIRED | WIRE_LAST}),
    .run = batch_write_item,
};
