#include "worlds/snapshot_check.h"

#include "base/siphash.h"
#include "model/item_codec.h"
#include "model/key.h"
#include "model/vector.h"
#include "ops/change.h"
#include "ops/key_check.h"
#include "store/cursor.h"

#include <stdlib.h>

/* Entries of a space, in whatever order they are met: how many, how long, and a sum over keys,
 * sizes and bodies. */
struct tally {
    int64_t entries, bytes;
    int64_t spared; /* by vectors */
    uint64_t sum;
};

/* A table that is gone through. */
struct checking {
    struct arena *arena; /* for what is found */
    struct arena *row;   /* for the row at hand */
    struct store *store;
    struct unit *unit;
    const struct table *table;
    struct tally *wanted; /* of each index, from the items */
};

static const char *damaged(const struct checking *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
static const char *damaged(const struct checking *c, const char *fmt, ...)
{
    va_list args;
    const char *text;

    va_start(args, fmt);
    text = arena_vprintf(c->arena, fmt, args);
    va_end(args);
    return arena_printf(c->arena, "this snapshot is damaged: %s of table %.*s", text,
                        SPAN_ARG(c->table->name));
}

static void count(struct tally *t, struct span key, size_t size, struct span body)
{
    static const struct siphash_key hash = {{1, 2}};
    const uint64_t parts[] = {siphash(&hash, key), size, siphash(&hash, body)};

    t->entries++;
    t->bytes += (int64_t)size;
    t->sum += siphash(&hash, (struct span){(const char *)parts, sizeof parts});
}

/* --- items ------------------------------------------------------------------------------------ */

/* What the indexes should have of the item. */
static void count_wanted(struct checking *c, const struct store_row *row, const struct item *it)
{
    const struct table *t = c->table;

    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];
        struct buf key = buf_in(c->row);
        struct item part;

        if (!change_covers(ix, row->key) || !key_of_entry(&key, t, ix, it))
            continue;
        part = schema_project(c->row, t, ix, it);
        count(&c->wanted[i], buf_span(&key), schema_entry_size(ix, &part), row->body);
        if (schema_kind(ix) == KIND_VECTOR)
            c->wanted[i].spared += vector_spared(ix, item_find(it, ix->vector.attribute));
    }
}

static const char *check_item(struct checking *c, const struct store_row *row)
{
    struct buf key = buf_in(c->row);
    struct item it;

    if (!item_decode_checked(c->row, row->body, &it) || key_check_item(c->row, c->table, &it))
        return damaged(c, "an item");
    key_of_item(&key, c->table, &it);
    if (!span_equal(buf_span(&key), row->key))
        return damaged(c, "the place of an item");
    if (item_size(&it) != row->size)
        return damaged(c, "the size of an item");
    count_wanted(c, row, &it);
    return NULL;
}

/* --- spaces ----------------------------------------------------------------------------------- */

typedef const char *row_check(struct checking *c, const struct store_row *row);

/* Counts a space's entries, and compares that with what the store says of them. */
static const char *check_space(struct checking *c, uint32_t space, const char *what,
                               row_check *check, struct tally *out)
{
    struct space_stats stats = store_stats(c->store, space);
    struct buf low = buf_in(c->arena), high = buf_in(c->arena);
    struct store_range range = {.backwards = false};
    struct store_row row = {.found = true};
    const char *problem = NULL;
    struct cursor *cursor;

    key_of_space(&low, space);
    key_of_space(&high, space + 1);
    range.low = buf_span(&low);
    range.high = buf_span(&high);
    if (cursor_open(c->unit, &range, &cursor))
        return damaged(c, "%s", what);
    while (row.found && !problem) {
        if (cursor_next(cursor, &row))
            problem = damaged(c, "%s", what);
        else if (row.found && !(problem = check ? check(c, &row) : NULL))
            count(out, row.key, row.size, row.body);
        arena_reset(c->row);
    }
    cursor_close(cursor);
    if (!problem && (stats.entries != out->entries || stats.bytes != out->bytes))
        problem = damaged(c, "the number or size of the entries in %s", what);
    return problem;
}

static const char *check_index(struct checking *c, size_t i)
{
    const struct index *ix = &c->table->indexes[i];
    const char *what = arena_printf(c->arena, "index %.*s", SPAN_ARG(ix->name));
    const struct tally *wanted = &c->wanted[i];
    struct tally there = {.entries = 0};
    const char *problem = check_space(c, ix->space, what, NULL, &there);

    if (problem)
        return problem;
    if (there.entries != wanted->entries || there.sum != wanted->sum ||
        store_stats(c->store, ix->space).spared != wanted->spared)
        return damaged(c, "%s, which does not hold what the items say,", what);
    return NULL;
}

/* Spaces whose entries nothing else mentions. */
static const char *check_others(struct checking *c)
{
    const struct table *t = c->table;
    const struct {
        uint32_t space;
        const char *what;
    } others[] = {
        {t->ttl_space, "the times to live"},
        {t->stream_enabled ? t->stream_space : 0, "the stream"},
        {t->recovery.space, "the log for recovery"},
    };

    for (size_t i = 0; i < COUNT(others); i++) {
        struct tally there = {.entries = 0};
        const char *problem = NULL;

        if (others[i].space)
            problem = check_space(c, others[i].space, others[i].what, NULL, &there);
        if (problem)
            return problem;
    }
    return NULL;
}

/* --- tables ----------------------------------------------------------------------------------- */

static const char *check_table(struct checking *c, const struct table *t)
{
    struct tally items = {.entries = 0};
    const char *problem;

    if (t->status == STATUS_DELETING || t->restore.source_arn.len) /* it is not whole */
        return NULL;
    c->table = t;
    c->wanted = arena_array(c->arena, t->index_count, sizeof *c->wanted);
    problem = check_space(c, t->space, "the items", check_item, &items);
    for (size_t i = 0; !problem && i < t->index_count; i++)
        if (t->indexes[i].status != STATUS_DELETING)
            problem = check_index(c, i);
    return problem ? problem : check_others(c);
}

/* --- whose space is whose --------------------------------------------------------------------- */

struct space_list {
    uint32_t *at;
    size_t len;
};

static void list_spaces(struct space_list *list, const struct table *t)
{
    const uint32_t own[] = {t->space, t->ttl_space, t->stream_enabled ? t->stream_space : 0,
                            t->recovery.space};

    for (size_t i = 0; i < COUNT(own); i++)
        if (own[i] || !i)
            list->at[list->len++] = own[i];
    for (size_t i = 0; i < t->index_count; i++)
        list->at[list->len++] = t->indexes[i].space;
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

    return a < b ? -1 : a > b;
}

static const struct table *next_table(struct arena *a, const struct store *s, const struct table *t)
{
    return store_table_after(s, t ? schema_id(a, t->region, t->name) : (struct span){"", 0});
}

/* Each space has one owner. */
static const char *check_owners(struct arena *a, const struct store *s)
{
    struct space_list list = {NULL, 0};
    const struct table *t = NULL;
    size_t most = 0;

    while ((t = next_table(a, s, t)))
        most += 4 + t->index_count;
    list.at = arena_array(a, most, sizeof *list.at);
    while ((t = next_table(a, s, t)))
        list_spaces(&list, t);
    if (list.len)
        qsort(list.at, list.len, sizeof *list.at, by_number);
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i] < KEY_FIRST_SPACE || (i && list.at[i] == list.at[i - 1]))
            return "this snapshot is damaged: two tables or indexes share their entries";
    return NULL;
}

const char *snapshot_check(struct arena *a, struct store *s)
{
    struct checking c = {.arena = a, .store = s};
    const struct table *t = NULL;
    const char *problem = check_owners(a, s);

    if (problem)
        return problem;
    if (unit_begin(s, a, UNIT_READS, &c.unit))
        return "this snapshot is damaged: it cannot be read";
    c.row = arena_new();
    while (!problem && (t = next_table(a, s, t)))
        problem = check_table(&c, t);
    arena_free(c.row);
    unit_undo(c.unit);
    return problem;
}
