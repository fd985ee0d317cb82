#include "ops/transfer/bulk_usage.h"

#include "base/one_more.h"
#include "model/key.h"

/* --- counting --------------------------------------------------------------------------------- */

/* Bytes of the item's entry in the index; 0 without an entry. */
static size_t entry_size(struct call *c, const struct table *table, const struct index *ix,
                         const struct item *it)
{
    struct buf key = buf_in(c->arena);
    struct item part;

    if (!key_of_entry(&key, table, ix, it))
        return 0;
    part = schema_project(c->arena, table, ix, it);
    return schema_entry_size(ix, &part);
}

static struct task_usage *usage_of(struct call *c, struct task *t, const struct index *ix)
{
    for (size_t i = 0; i < t->usage_count; i++)
        if (span_equal(t->usage[i].index, ix->name))
            return &t->usage[i];
    t->usage = one_more_exactly(c->arena, t->usage, t->usage_count, sizeof *t->usage);
    t->usage[t->usage_count] = (struct task_usage){.index = ix->name, .kind = schema_kind(ix)};
    return &t->usage[t->usage_count++];
}

void bulk_usage_add(struct call *c, struct task *t, const struct table *table,
                    const struct item *it)
{
    t->put_bytes += (int64_t)item_size(it);
    for (size_t i = 0; i < table->index_count; i++) {
        size_t bytes = entry_size(c, table, &table->indexes[i], it);

        if (bytes)
            usage_of(c, t, &table->indexes[i])->bytes += (int64_t)bytes;
    }
}

/* --- answers ---------------------------------------------------------------------------------- */

static const struct {
    const char *list, *bytes;
} kinds[] = {
    [KIND_LOCAL] = {"LocalSecondaryIndexes", "BulkPutBytes"},
    [KIND_GLOBAL] = {"GlobalSecondaryIndexes", "BulkPutBytes"},
    [KIND_VECTOR] = {"VectorIndexes", "BulkPutVectorBytes"},
};

static void put_kind(struct wire_writer *w, const struct task *t, enum index_kind kind)
{
    bool open = false;

    for (size_t i = 0; i < t->usage_count; i++) {
        const struct task_usage *u = &t->usage[i];

        if (u->kind != kind)
            continue;
        if (!open) {
            wire_open_member(w, kinds[kind].list, '{');
            open = true;
        }
        wire_key_span(w, u->index);
        wire_open(w, '{');
        wire_put_member_integer(w, kinds[kind].bytes, u->bytes);
        wire_close(w, '}');
    }
    if (open)
        wire_close(w, '}');
}

/* Without vector indexes. */
static int64_t total_bytes(const struct task *t)
{
    int64_t bytes = t->put_bytes;

    for (size_t i = 0; i < t->usage_count; i++)
        if (t->usage[i].kind != KIND_VECTOR)
            bytes += t->usage[i].bytes;
    return bytes;
}

void bulk_usage_put(struct wire_writer *w, const struct task *t)
{
    wire_open_member(w, "BulkOperationUsage", '[');
    wire_open(w, '{');
    wire_put_member_text(w, "TableName", t->table);
    wire_put_member_integer(w, "BulkPutBytes", total_bytes(t));
    wire_open_member(w, "Table", '{');
    wire_put_member_integer(w, "BulkPutBytes", t->put_bytes);
    wire_close(w, '}');
    put_kind(w, t, KIND_LOCAL);
    put_kind(w, t, KIND_GLOBAL);
    put_kind(w, t, KIND_VECTOR);
    wire_close(w, '}');
    wire_close(w, ']');
}
