#include "ops/capacity.h"

#include "model/key.h"
#include "model/names.h"

#define READ_UNIT_BYTES  4096
#define WRITE_UNIT_BYTES 1024
#define VECTOR_BYTES_MIN 1024

static struct capacity *begin_account(struct call *c, const struct table *t, struct span name)
{
    struct capacity *used = arena_alloc(c->arena, sizeof *used);

    used->table = t;
    used->name = name;
    used->table_factor = 1;
    if (t->index_count)
        used->indexes = arena_array(c->arena, t->index_count, sizeof *used->indexes);
    used->writes = c->op && c->op->access == OP_WRITES;
    if (c->throttle) {
        /* Remembers the account; ops/throttle charges the units added since. */
        used->paid = arena_alloc(c->arena, sizeof *used->paid);
        *used->paid = *used;
        used->paid->paid = NULL;
        if (used->table->index_count)
            used->paid->indexes = arena_array(c->arena, used->table->index_count,
                                              sizeof *used->indexes);
    }
    return used;
}

struct capacity *capacity_named(struct call *c, const struct table *t, struct span name)
{
    struct capacity **used = &c->accounts;

    while (*used && (*used)->table != t)
        used = &(*used)->next;
    if (!*used)
        *used = begin_account(c, t, name);
    return *used;
}

struct capacity *capacity_of(struct call *c, const struct table *t)
{
    return capacity_named(c, t, t->name);
}

static enum capacity_detail detail_of(const struct call *c)
{
    const wire_node *detail = wire_get(c->body, "ReturnConsumedCapacity");

    if (!detail)
        return DETAIL_NONE;
    return (enum capacity_detail)names_find(names_capacity_details, wire_text(detail), DETAIL_NONE);
}

static bool is_asked(const struct call *c)
{
    return detail_of(c) != DETAIL_NONE;
}

void capacity_add_table(struct capacity *used, struct capacity_place place, double units)
{
    used->table_units += units * used->table_factor;
    used->place = place;
}

void capacity_add_index(struct capacity *used, const struct index *ix, struct capacity_place place,
                        double units)
{
    struct capacity_index *on_index = &used->indexes[ix - used->table->indexes];

    on_index->units += units;
    on_index->used = true;
    on_index->place = place;
}

struct capacity_place capacity_at(struct span key)
{
    return (struct capacity_place){.hash = key_hash(key)};
}

struct capacity_place capacity_over(struct span from, struct span to)
{
    if (from.len < KEY_PREFIX_LEN || to.len < KEY_PREFIX_LEN ||
        memcmp(from.at, to.at, KEY_PREFIX_LEN) != 0)
        return (struct capacity_place){.spread = true};
    return capacity_at(from);
}

void capacity_add_get(struct capacity *used, struct capacity_place place, size_t bytes,
                      bool consistent, bool matches)
{
    capacity_add_table(used, place, capacity_read_units(bytes) * (consistent ? 1 : 0.5));
    used->items_read += bytes != 0;
    used->items_returned += bytes != 0 && matches;
    used->bytes_read += bytes;
}

static double units_of(size_t bytes, size_t unit)
{
    size_t units = (bytes + unit - 1) / unit; /* rounded up */

    return units ? (double)units : 1;
}

double capacity_read_units(size_t bytes)
{
    return units_of(bytes, READ_UNIT_BYTES);
}

double capacity_write_units(size_t bytes)
{
    return units_of(bytes, WRITE_UNIT_BYTES);
}

double capacity_vector_bytes(size_t bytes)
{
    return (double)(bytes < VECTOR_BYTES_MIN ? VECTOR_BYTES_MIN : bytes);
}

static void put_units(struct wire_writer *w, const char *kind, double units)
{
    wire_key(w, "CapacityUnits");
    wire_put_units(w, units);
    if (!kind)
        return;
    wire_key(w, kind);
    wire_put_units(w, units);
}

/* Writes the used indexes of a kind. */
static void put_indexes(struct wire_writer *w, const struct capacity *used, enum index_kind kind)
{
    bool open = false;

    for (size_t i = 0; i < used->table->index_count; i++) {
        const struct index *ix = &used->table->indexes[i];

        if (!used->indexes[i].used || schema_kind(ix) != kind)
            continue;
        if (!open) {
            wire_open_member(w, names_index_lists[kind], '{');
            open = true;
        }
        wire_key_span(w, ix->name);
        wire_open(w, '{');
        wire_key(w, kind == KIND_VECTOR ? "VectorWriteRequestBytes" : "CapacityUnits");
        wire_put_units(w, used->indexes[i].units);
        wire_close(w, '}');
    }
    if (open)
        wire_close(w, '}');
}

double capacity_total(const struct capacity *used)
{
    double total = used->table_units;

    for (size_t i = 0; i < used->table->index_count; i++)
        if (schema_kind(&used->table->indexes[i]) != KIND_VECTOR)
            total += used->indexes[i].units;
    return total;
}

static void put_capacity(struct call *c, const struct capacity *used, struct span name)
{
    struct wire_writer *w = &c->reply;
    const char *kind = !used->shows_kind ? NULL
                       : used->writes    ? "WriteCapacityUnits"
                                         : "ReadCapacityUnits";

    wire_open(w, '{');
    wire_put_member_text(w, "TableName", name);
    put_units(w, kind, capacity_total(used));
    if (detail_of(c) == DETAIL_INDEXES) {
        wire_open_member(w, "Table", '{');
        put_units(w, kind, used->table_units);
        wire_close(w, '}');
        put_indexes(w, used, KIND_LOCAL);
        put_indexes(w, used, KIND_GLOBAL);
        put_indexes(w, used, KIND_VECTOR);
    }
    wire_close(w, '}');
}

void capacity_reply(struct call *c)
{
    struct span sent;

    if (!is_asked(c))
        return;
    sent = wire_text(wire_get(c->body, "TableName")); /* it may be an ARN */
    wire_key(&c->reply, "ConsumedCapacity");
    put_capacity(c, c->accounts, sent.len ? sent : c->accounts->name);
}

void capacity_reply_list(struct call *c)
{
    if (!is_asked(c))
        return;
    wire_open_member(&c->reply, "ConsumedCapacity", '[');
    for (const struct capacity *used = c->accounts; used; used = used->next)
        put_capacity(c, used, used->name);
    wire_close(&c->reply, ']');
}

void capacity_reply_search(struct call *c, double bytes)
{
    struct wire_writer *w = &c->reply;

    if (!is_asked(c))
        return;
    wire_open_member(w, "ConsumedCapacity", '{');
    wire_key(w, "VectorSearchRequestBytes");
    wire_put_units(w, bytes);
    wire_key(w, "VectorSearchUnits");
    wire_put_units(w, bytes);
    wire_close(w, '}');
}
