#include "model/key.h"
#include "ops/item/legacy.h"
#include "ops/key_check.h"
#include "ops/op_batch.h"
#include "ops/op_expression.h"
#include "ops/op_fault.h"
#include "ops/op_stored.h"
#include "ops/op_target.h"
#include "ops/op_wanted.h"
#include "ops/pace.h"
#include "ops/table/table_name.h"
#include "ops/throttle/throttle.h"

static const struct wire_shape table_shape = WIRE_STRUCT_OF(
    "KeysAndAttributes",
    {"Keys", WIRE_SHAPE(WIRE_LIST, .element = &wire_attr_map, WIRE_BOUNDS(1, LIMIT_BATCH_KEYS)),
     WIRE_REQUIRED | WIRE_NEW_LENGTH},
    {"AttributesToGet", &wire_name_list, WIRE_NEW_LENGTH}, {"ConsistentRead", &wire_boolean, 0},
    {"ProjectionExpression", &wire_string, 0}, {"ExpressionAttributeNames", &wire_name_map, 0});
static const struct op_styles batch_get_item_styles = {
    .legacy = {{.name = "AttributesToGet"}},
    .expressions = {{.name = "ProjectionExpression"}},
};

/* One table's part of the request. */
struct get_part {
    const wire_node *node;
    struct span name;       /* as sent and as in the answer */
    struct span table_name; /* a table may have two parts, one by name and one by ARN */
    const struct table *table;
    struct capacity *used; /* shared by all parts of a table */
    struct item *keys;
    uint64_t *hashes; /* of the keys: long keys are compared only if these are equal */
    size_t count;
    struct op_batch_range now; /* keys to look up; the rest is unprocessed */
    size_t done;               /* the first key that was not looked up */
    struct expr_projection projection;
    bool consistent;
};

struct get_batch {
    struct get_part *parts;
    size_t count;
    size_t bytes; /* of the items so far */
    bool full;    /* no more items fit, or the request is out of work */
    struct pace pace;
    const struct error *refusal; /* of the first throttled key, or NULL */
};

/* --- the request ----------------------------------------------------------------------------- */

static const struct error *read_keys(struct call *c, struct get_part *part)
{
    const wire_node *keys = wire_get(part->node, "Keys");

    part->keys = arena_array(c->arena, wire_count(keys), sizeof *part->keys);
    part->hashes = arena_array(c->arena, wire_count(keys), sizeof *part->hashes);
    for (const wire_node *n = wire_first(keys); n; n = wire_next(n), part->count++) {
        struct item *key = &part->keys[part->count];
        const struct error *e = wire_read_item(c->arena, n, WIRE_LAYER_CURRENT, key);

        if (e)
            return e;
        part->hashes[part->count] = item_hash(clock_hash_key(c->clock), key);
    }
    return NULL;
}

static const struct error *read_part(struct call *c, struct get_part *part)
{
    struct expr_vars vars;
    const struct error *e;

    part->name = wire_name(part->node);
    part->consistent = wire_bool(wire_get(part->node, "ConsistentRead"), false);
    if ((e = op_expression_check_styles(c, &batch_get_item_styles, part->node)) ||
        (e = read_keys(c, part)) ||
        (e = legacy_attributes_read(c, part->node, &part->projection)) ||
        (e = op_expression_read_vars(c, &batch_get_item_styles, part->node, &vars)) ||
        (e = op_expression_read_projection(c, part->node, &vars, &part->projection)))
        return e;
    return expr_check_unused(c->arena, &vars);
}

/* Where the first `count` keys of a part have a key of another one; count: they do not. */
static size_t find_key(const struct get_part *part, size_t count, const struct get_part *of,
                       size_t at)
{
    size_t i = 0;

    while (i < count &&
           !(part->hashes[i] == of->hashes[at] && item_equal(&part->keys[i], &of->keys[at])))
        i++;
    return i;
}

static const struct error *read_request(struct call *c, struct get_batch *batch)
{
    const wire_node *items = wire_get(c->body, "RequestItems");
    const wire_node **nodes;
    const struct error *e;
    size_t keys = 0;

    for (const wire_node *n = wire_first(items); n; n = wire_next(n))
        keys += wire_count(wire_get(n, "Keys"));
    if (keys > LIMIT_BATCH_KEYS)
        return op_fault_many_items(c, keys, LIMIT_BATCH_KEYS);
    batch->parts = arena_array(c->arena, wire_count(items), sizeof *batch->parts);
    nodes = arena_array(c->arena, wire_count(items), sizeof *nodes);
    for (const wire_node *n = wire_first(items); n; n = wire_next(n)) {
        struct get_part *part = &batch->parts[batch->count];

        nodes[batch->count++] = part->node = n;
        if ((e = read_part(c, part)))
            return error_in(c->arena, e, batch->count);
    }
    /* Refuses a key that occurs earlier in its part or in an earlier part of the same table. */
    for (size_t i = 0; i < batch->count; i++)
        if ((e = table_name_read(c, batch->parts[i].name, &batch->parts[i].table_name)))
            return e;
    for (const struct get_part *part = batch->parts; part < batch->parts + batch->count; part++)
        for (size_t k = 0; k < part->count; k++)
            for (const struct get_part *early = batch->parts; early <= part; early++) {
                size_t count = early < part ? early->count : k, at;

                if (span_equal(early->table_name, part->table_name) &&
                    (at = find_key(early, count, part, k)) < count)
                    return op_fault_repeated_keys(c->arena, part->name, at, k);
            }
    return op_expression_check_mixing(c, &batch_get_item_styles, nodes, batch->count);
}

/* --- the tables ------------------------------------------------------------------------------ */

static const struct error *find_tables(struct call *c, struct get_batch *batch)
{
    const struct error *e;
    size_t keys = 0, before = 0;
    struct op_batch_range now;

    for (size_t i = 0; i < batch->count; i++)
        if ((e = op_target_find_named(c, batch->parts[i].table_name, &batch->parts[i].table)))
            return e;
    for (size_t i = 0; i < batch->count; i++) {
        struct get_part *part = &batch->parts[i];

        for (size_t k = 0; k < part->count; k++)
            if ((e = key_check_parameter(c->arena, part->table, &part->keys[k])))
                return e;
        if ((e = op_expression_check_projection(c, part->table, &part->projection)))
            return e;
        part->used = capacity_named(c, part->table, part->name);
        keys += part->count;
    }
    e = op_batch_range(c, keys, &now); /* the keys that are looked up now */
    for (size_t i = 0; !e && i < batch->count; i++) {
        struct get_part *part = &batch->parts[i];

        part->now = op_batch_range_part(&now, before, part->count);
        part->done = part->now.from;
        before += part->count;
    }
    return e;
}

/* --- the answer ------------------------------------------------------------------------------ */

/* Looks one key up; an item that does not fit makes the answer full. Releases its memory. */
static const struct error *get_one(struct call *c, struct get_batch *batch, struct get_part *part)
{
    const struct item *key = &part->keys[part->done];
    struct arena_mark before = arena_mark(c->arena);
    struct buf position = buf_in(c->arena);
    struct store_row row;
    const struct error *e;

    if (!pace_begins(&batch->pace)) {
        batch->full = true;
        return NULL;
    }
    key_of_item(&position, part->table, key);
    if ((e = op_stored_get(c, buf_span(&position), part->consistent, &row)))
        return e;
    if (batch->bytes + row.size > LIMIT_BATCH_BYTES ||
        c->reply.out->len + row.body.len > LIMIT_BATCH_TEXT) {
        batch->full = true;
        return NULL;
    }
    capacity_add_get(part->used, capacity_at(buf_span(&position)), row.size, part->consistent,
                     true);
    if ((e = throttle_charge(c))) {
        bool first = !part->now.refused; /* its refusal needs the memory */

        op_batch_refuse(c->arena, &part->now, part->done);
        if (!batch->refusal)
            batch->refusal = e;
        if (!first)
            arena_release(c->arena, before);
        return NULL;
    }
    batch->bytes += row.size;
    if (row.found)
        op_stored_put(c, row.body, &part->projection);
    arena_release(c->arena, before);
    return NULL;
}

static const struct error *get_part_items(struct call *c, struct get_batch *batch,
                                          struct get_part *part)
{
    while (!batch->full && part->done < part->now.to) {
        const struct error *e = get_one(c, batch, part);

        if (e)
            return e;
        part->done += !batch->full;
    }
    return NULL;
}

/* Writes the items of all parts of a table as one list. */
static const struct error *put_responses(struct call *c, struct get_batch *batch)
{
    wire_open_member(&c->reply, "Responses", '{');
    for (const struct capacity *table = c->accounts; table; table = table->next) {
        const struct error *e;

        wire_key_span(&c->reply, table->name);
        wire_open(&c->reply, '[');
        for (size_t i = 0; i < batch->count; i++)
            if (batch->parts[i].used == table && (e = get_part_items(c, batch, &batch->parts[i])))
                return e;
        wire_close(&c->reply, ']');
    }
    wire_close(&c->reply, '}');
    return NULL;
}

static const struct error *want_items(struct call *c, const struct get_batch *batch)
{
    struct op_wanted wanted = op_wanted_new(c, LIMIT_BATCH_KEYS);

    for (size_t i = 0; i < batch->count; i++)
        for (size_t k = batch->parts[i].done; k < batch->parts[i].now.to; k++)
            op_wanted_add(c, &wanted, batch->parts[i].table, &batch->parts[i].keys[k]);
    return op_wanted_read(c, &wanted);
}

/* Writes the members that the next request repeats. */
static void put_options(struct wire_writer *w, const wire_node *node)
{
    const wire_node *attributes = wire_get(node, "AttributesToGet");
    const wire_node *names = wire_get(node, "ExpressionAttributeNames");
    const wire_node *consistent = wire_get(node, "ConsistentRead");
    const wire_node *projection = wire_get(node, "ProjectionExpression");

    if (projection)
        wire_put_member_text(w, "ProjectionExpression", wire_text(projection));
    if (consistent)
        wire_put_member_bool(w, "ConsistentRead", wire_bool(consistent, false));
    if (attributes) {
        wire_open_member(w, "AttributesToGet", '[');
        for (const wire_node *n = wire_first(attributes); n; n = wire_next(n))
            wire_put_text(w, wire_text(n));
        wire_close(w, ']');
    }
    if (names) {
        wire_open_member(w, "ExpressionAttributeNames", '{');
        for (const wire_node *n = wire_first(names); n; n = wire_next(n)) {
            wire_key_span(w, wire_name(n));
            wire_put_text(w, wire_text(n));
        }
        wire_close(w, '}');
    }
}

static void put_unprocessed(struct call *c, const struct get_batch *batch)
{
    struct wire_writer *w = &c->reply;

    wire_open_member(w, "UnprocessedKeys", '{');
    for (size_t i = 0; i < batch->count; i++) {
        const struct get_part *part = &batch->parts[i];
        size_t left = op_batch_unprocessed(&part->now, part->done, part->count);

        if (!left)
            continue;
        part->used->unprocessed += left;
        wire_key_span(w, part->name);
        wire_open(w, '{');
        wire_open_member(w, "Keys", '[');
        for (size_t k = 0; k < part->count; k++)
            if (op_batch_is_unprocessed(&part->now, part->done, k))
                wire_put_item(w, &part->keys[k]);
        wire_close(w, ']');
        put_options(w, part->node);
        wire_close(w, '}');
    }
    wire_close(w, '}');
}

static bool is_any_done(const struct get_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct get_part *part = &batch->parts[i];

        if (op_batch_unprocessed(&part->now, part->done, part->count) < part->count)
            return true;
    }
    return false;
}

static const struct error *batch_get_item(struct call *c)
{
    struct get_batch batch = {.pace = pace_of(c->arena)};
    const struct error *e;

    if ((e = read_request(c, &batch)) || (e = find_tables(c, &batch)) ||
        (e = want_items(c, &batch)) || (e = put_responses(c, &batch)))
        return e;
    if (batch.refusal && !is_any_done(&batch))
        return batch.refusal;
    put_unprocessed(c, &batch);
    capacity_reply_list(c);
    return NULL;
}

const struct op op_batch_get_item = {
    .name = "BatchGetItem",
    .form = OP_BATCH_GET,
    .members = WIRE_MEMBERS(
        {"RequestItems",
         WIRE_SHAPE(WIRE_MAP, .element = &table_shape, WIRE_BOUNDS(1, LIMIT_BATCH_KEYS),
                    .key = &wire_table_name, .printed_as_json = true),
         WIRE_REQUIRED | WIRE_NEW_LENGTH},
        {"ReturnConsumedCapacity", &wire_return_capacity, 0}),
    .run = batch_get_item,
};
