#include "ops/collection.h"

#include "store/cursor.h"

#include <assert.h>

#define GB ((size_t)1 << 30)

const char collection_exceeded[] = "Collection size exceeded.";

static bool has_collections(const struct table *t)
{
    return t->index_count && !t->indexes[0].global; /* LSIs come first */
}

bool collection_is_limited(const struct call *c, const struct table *t)
{
    return c->settings->item_collection_limit && has_collections(t);
}

/* --- sizes ------------------------------------------------------------------------------------ */

static const struct error *add_partition(struct call *c, uint32_t space, const struct attr *hash,
                                         size_t *size)
{
    struct buf low = buf_in(c->arena), high = buf_in(c->arena);
    struct store_range range = {.keys_only = true};
    struct store_row row;
    struct cursor *cursor;
    const struct error *e;
    bool ends;

    key_of_partition(&low, space, &hash, 1);
    key_of_partition(&high, space, &hash, 1);
    ends = key_next(&high);
    assert(ends);
    (void)ends;
    range.low = buf_span(&low);
    range.high = buf_span(&high);
    cursor = cursor_open(c->unit, range);
    while (!(e = cursor_next(cursor, &row)) && row.found)
        *size += row.size;
    cursor_close(cursor);
    return e;
}

static const struct error *measure_collection(struct call *c, const struct table *t,
                                              const struct item *it, size_t *size)
{
    const struct attr *hash = item_find(it, t->keys.hash[0].name);
    const struct error *e = add_partition(c, t->space, hash, size);

    for (size_t i = 0; !e && i < t->index_count; i++)
        if (schema_kind(&t->indexes[i]) == KIND_LOCAL)
            e = add_partition(c, t->indexes[i].space, hash, size);
    return e;
}

const struct error *collection_check(struct call *c, const struct table *t, const struct item *it,
                                     int64_t growth)
{
    const struct error *e;
    size_t size = 0;

    if (growth <= 0)
        return NULL;
    if ((e = measure_collection(c, t, it, &size)))
        return e;
    if (size + (size_t)growth <= c->settings->item_collection_limit)
        return NULL;
    return error_caused(c->arena, ERROR_ITEM_COLLECTION_SIZE, ERROR_WHY(CAUSE_COLLECTION), "%s",
                        collection_exceeded);
}

/* --- ItemCollectionMetrics -------------------------------------------------------------------- */

bool collection_metrics_asked(const struct call *c, const struct table *t)
{
    return has_collections(t) &&
           span_is(wire_text(wire_get(c->body, "ReturnItemCollectionMetrics")), "SIZE");
}

const struct error *collection_put_metrics(struct call *c, const struct table *t,
                                           const struct item *key)
{
    struct wire_writer *w = &c->reply;
    struct span name = t->keys.hash[0].name;
    struct field hash = {name, *item_find(key, name)};
    const struct error *e;
    size_t size = 0; /* not measured without a limit; few collections have a gigabyte */
    size_t whole;

    if (collection_is_limited(c, t) && (e = measure_collection(c, t, key, &size)))
        return e;
    whole = size / GB;
    wire_open(w, '{');
    wire_key(w, "ItemCollectionKey");
    wire_put_item(w, &(struct item){.at = &hash, .len = 1});
    wire_open_member(w, "SizeEstimateRangeGB", '[');
    wire_put_units(w, (double)whole);
    wire_put_units(w, (double)(whole + 1));
    wire_close(w, ']');
    wire_close(w, '}');
    return NULL;
}

const struct error *collection_reply_metrics(struct call *c, const struct table *t,
                                             const struct item *key)
{
    if (!collection_metrics_asked(c, t))
        return NULL;
    wire_key(&c->reply, "ItemCollectionMetrics");
    return collection_put_metrics(c, t, key);
}
