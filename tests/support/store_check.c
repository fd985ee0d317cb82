#include "support/store_check.h"

#include "model/item_codec.h"
#include "model/key.h"
#include "store/store_core.h"
#include "support/database.h"

#include <stdlib.h>

/* An entry as it is, or as it should be. */
struct entry {
    struct span key;
    size_t size;
    struct span body; /* of an index's entries: that of the item */
    struct item item; /* of a table's own entries */
};

struct entries {
    struct entry *at;
    size_t len, cap;
};

static void add(struct arena *a, struct entries *all, struct entry e)
{
    if (all->len == all->cap) {
        size_t cap = all->cap ? 2 * all->cap : 64;

        all->at = arena_grow(a, all->at, all->cap * sizeof *all->at, cap * sizeof *all->at);
        all->cap = cap;
    }
    all->at[all->len++] = e;
}

static struct store_range range_of(struct arena *a, uint32_t space)
{
    struct buf low = buf_in(a), high = buf_in(a);

    key_of_space(&low, space);
    key_of_space(&high, space + 1);
    return (struct store_range){.low = buf_span(&low), .high = buf_span(&high)};
}

static bool read_rows(struct cursor *cursor, struct arena *a, bool items, struct entries *out)
{
    struct store_row row;

    for (;;) {
        struct entry e;

        if (cursor_next(cursor, &row))
            return false;
        if (!row.found)
            return true;
        e = (struct entry){arena_span(a, row.key), row.size, arena_span(a, row.body), {.len = 0}};
        if (items && !item_decode_checked(a, e.body, &e.item))
            return false;
        add(a, out, e);
    }
}

/* All entries of a space in order; false when they cannot be read or an item is damaged. */
static bool read_space(struct store *s, struct arena *a, uint32_t space, bool items,
                       struct entries *out)
{
    struct unit *unit;
    bool sound;

    if (unit_begin(s, a, UNIT_READS, &unit))
        return false;
    sound = read_rows(cursor_open(unit, range_of(a, space)), a, items, out);
    return !unit_keep(unit) && sound;
}

static bool read_counts(struct store *s, struct arena *a, uint32_t space, struct space_stats *out)
{
    struct unit *unit;
    bool sound;

    if (unit_begin(s, a, UNIT_READS, &unit))
        return false;
    sound = !unit_stats(unit, space, out);
    return !unit_keep(unit) && sound;
}

static const char *check_counters(struct store *s, struct arena *a, uint32_t space,
                                  const struct entries *all)
{
    struct space_stats stats;
    int64_t bytes = 0;

    if (!read_counts(s, a, space, &stats))
        return arena_printf(a, "the counts of space %u cannot be read", space);
    for (size_t i = 0; i < all->len; i++)
        bytes += (int64_t)all->at[i].size;
    if (stats.entries == (int64_t)all->len && stats.bytes == bytes)
        return NULL;
    return arena_printf(a, "space %u counts %lld entries of %lld bytes and has %zu of %lld", space,
                        (long long)stats.entries, (long long)stats.bytes, all->len,
                        (long long)bytes);
}

static const char *check_items(struct store *s, struct arena *a, const struct table *t,
                               const struct entries *items)
{
    for (size_t i = 0; i < items->len; i++) {
        const struct entry *e = &items->at[i];
        struct buf key = buf_in(a);

        key_of_item(&key, t, &e->item);
        if (!span_equal(buf_span(&key), e->key))
            return arena_printf(a, "an item of %.*s is not where its key is", SPAN_ARG(t->name));
        if (e->size != item_size(&e->item))
            return arena_printf(a, "an item of %.*s has another size", SPAN_ARG(t->name));
    }
    return check_counters(s, a, t->space, items);
}

static int by_key(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;

    return span_compare(a->key, b->key);
}

/* The entries that the index should have, in order. */
static struct entries wanted_entries(struct arena *a, const struct table *t, const struct index *ix,
                                     const struct entries *items)
{
    struct entries wanted = {NULL, 0, 0};

    for (size_t i = 0; i < items->len; i++) {
        const struct entry *e = &items->at[i];
        struct item part = schema_project(a, t, ix, &e->item);
        struct buf key = buf_in(a);

        if (key_of_entry(&key, t, ix, &e->item))
            add(a, &wanted,
                (struct entry){buf_span(&key), schema_entry_size(ix, &part), e->body, {.len = 0}});
    }
    if (wanted.len)
        qsort(wanted.at, wanted.len, sizeof *wanted.at, by_key);
    return wanted;
}

static const char *check_index(struct store *s, struct arena *a, const struct table *t,
                               const struct index *ix, const struct entries *items)
{
    struct entries wanted = wanted_entries(a, t, ix, items), given = {NULL, 0, 0};
    bool whole = !ix->global || ix->status == STATUS_ACTIVE || ix->status == STATUS_UPDATING;

    if (!read_space(s, a, ix->space, false, &given))
        return arena_printf(a, "index %.*s cannot be read", SPAN_ARG(ix->name));
    for (size_t i = 0; whole && i < given.len && i < wanted.len; i++)
        if (by_key(&given.at[i], &wanted.at[i]) ||
            !span_equal(given.at[i].body, wanted.at[i].body) ||
            given.at[i].size != wanted.at[i].size)
            return arena_printf(a, "entry %zu of index %.*s is wrong", i, SPAN_ARG(ix->name));
    if (whole && given.len != wanted.len)
        return arena_printf(a, "index %.*s has %zu entries instead of %zu", SPAN_ARG(ix->name),
                            given.len, wanted.len);
    return check_counters(s, a, ix->space, &given);
}

static const char *check_table(struct store *s, struct arena *a, const struct table *t)
{
    struct entries items = {NULL, 0, 0};
    const char *problem;

    if (!read_space(s, a, t->space, true, &items))
        return arena_printf(a, "the items of %.*s cannot be read", SPAN_ARG(t->name));
    if ((problem = check_items(s, a, t, &items)))
        return problem;
    for (size_t i = 0; i < t->index_count; i++)
        if ((problem = check_index(s, a, t, &t->indexes[i], &items)))
            return problem;
    return NULL;
}

/* Other stores have nothing that no cursor shows. */
static bool is_in_sqlite(const struct store *s)
{
    return s->engine == &store_sqlite;
}

static bool is_doomed(const struct store *s, struct arena *a, uint32_t space)
{
    if (!is_in_sqlite(s))
        return false;
    return database_count(arena_printf(a, "SELECT count(*) FROM doomed WHERE number = %u", space)) >
           0;
}

/* The first number that no space can have yet. */
static uint32_t space_count(const struct store *s)
{
    if (!is_in_sqlite(s))
        return s->next_space;
    return (uint32_t)database_count(
        "SELECT ifnull(max(value), 16) FROM meta WHERE name = 'next_space'");
}

/* Counters of all spaces, those of tables that are gone included. */
static const char *check_spaces(struct store *s, struct arena *a)
{
    uint32_t end = space_count(s);

    for (uint32_t space = 1; space < end; space++) {
        struct entries all = {NULL, 0, 0};
        const char *problem;

        if (is_doomed(s, a, space))
            continue;
        if (!read_space(s, a, space, false, &all))
            return arena_printf(a, "space %u cannot be read", space);
        if ((problem = check_counters(s, a, space, &all)))
            return problem;
    }
    return NULL;
}

/* Without what was given up and is on its way out; a space that shares bodies owns them until its
 * entries go. */
#define SPACE_OF_ENTRY "hex(substr(key, 1, 4))"
#define ENTRIES                                             \
    "(SELECT id FROM entry WHERE " SPACE_OF_ENTRY " NOT IN" \
    " (SELECT printf('%08X', number) FROM doomed))"
#define OWNERS                                          \
    "(SELECT id FROM entry WHERE " SPACE_OF_ENTRY " IN" \
    " (SELECT printf('%08X', space) FROM sharing))"
#define BODIES "(SELECT id FROM item WHERE id >> 38 NOT IN (SELECT number FROM doomed))"

static const char *check_rows(const struct store *s)
{
    uint32_t end = space_count(s);
    int64_t total = 0;

    if (!is_in_sqlite(s))
        return NULL;
    for (uint32_t space = 1; space < end; space++)
        total += store_stats(s, space).entries;
    if (database_count("SELECT count(*) FROM " ENTRIES) != total)
        return "the counters do not add up to the number of entries";
    if (database_count("SELECT count(*) FROM " ENTRIES " WHERE id NOT IN (SELECT id FROM item)"))
        return "an entry has no body";
    if (database_count("SELECT count(*) FROM " BODIES " WHERE id NOT IN " ENTRIES
                       " AND id NOT IN " OWNERS))
        return "a body has no entry";
    if (database_count("SELECT count(*) FROM (SELECT o.id FROM " OWNERS
                       " AS o LEFT JOIN shared AS s"
                       " ON s.id = o.id GROUP BY o.id HAVING count(*) <> 1 + ifnull(s.others, 0))"))
        return "a body's owners are counted wrongly";
    if (database_count("SELECT count(*) FROM shared WHERE others < 1 OR id NOT IN " OWNERS))
        return "a body is shared with nobody";
    return NULL;
}

static const char *check_all(struct store *s, struct arena *a)
{
    const struct table *t = store_table_after(s, (struct span){NULL, 0});
    const char *problem;

    for (; t; t = store_table_after(s, schema_id(a, t->region, t->name)))
        if ((problem = check_table(s, a, t)))
            return problem;
    problem = check_spaces(s, a);
    return problem ? problem : check_rows(s);
}

/* --- contents that were found in order before ------------------------------------------------- */

/* Tests look at the same contents thousands of times. */
static uint64_t known[64];
static size_t known_count;

/* Quick, and good where nobody aims at it. */
static uint64_t mix(uint64_t seen, struct span bytes)
{
    uint64_t word;

    for (; bytes.len >= sizeof word; bytes = span_from(bytes, sizeof word)) {
        memcpy(&word, bytes.at, sizeof word);
        seen = (seen ^ word) * 0x9E3779B97F4A7C15u;
        seen ^= seen >> 29;
    }
    word = bytes.len;
    if (bytes.len)
        memcpy((char *)&word + 1, bytes.at, bytes.len);
    return (seen ^ word) * 0xBF58476D1CE4E5B9u;
}

static uint64_t mix_numbers(uint64_t seen, int64_t a, int64_t b)
{
    const int64_t both[] = {a, b};

    return mix(seen, (struct span){(const char *)both, sizeof both});
}

/* All entries with their bodies, by one of the store's own cursors. */
static bool mix_entries(struct store *s, struct arena *a, uint64_t *seen)
{
    struct store_range range = {.low = range_of(a, 1).low, .high = range_of(a, space_count(s)).low};
    struct cursor *cursor;
    struct unit *unit;
    struct store_row row = {.found = false};
    bool sound = true;

    if (unit_begin(s, a, UNIT_READS, &unit))
        return false;
    cursor = cursor_open(unit, range);
    while (sound && (sound = !cursor_next(cursor, &row)) && row.found) {
        *seen = mix(mix(*seen, row.key), row.body);
        *seen = mix_numbers(*seen, (int64_t)row.size, 0);
    }
    return !unit_keep(unit) && sound;
}

/* What no cursor shows: which body is whose, and what is on its way out. */
static bool mix_owners(struct store_contents *c)
{
    static const char sql[] = "SELECT id, size FROM entry UNION ALL SELECT id, -1 FROM item"
                              " UNION ALL SELECT number, -2 FROM doomed"
                              " UNION ALL SELECT space, -3 FROM sharing"
                              " UNION ALL SELECT id, -3 - others FROM shared";
    sqlite3_stmt *row;

    if (sqlite3_prepare_v2(database_newest(), sql, -1, &row, NULL) != SQLITE_OK)
        return false;
    while (sqlite3_step(row) == SQLITE_ROW) {
        int64_t size = sqlite3_column_int64(row, 1);

        c->hash = mix_numbers(c->hash, sqlite3_column_int64(row, 0), size);
        c->entries += size >= 0;
    }
    return sqlite3_finalize(row) == SQLITE_OK;
}

/* All that the checks depend on; false when it cannot be read. */
static bool read_contents(struct store *s, struct arena *a, struct store_contents *c)
{
    const struct table *t = store_table_after(s, (struct span){NULL, 0});
    uint32_t end = space_count(s);

    *c = (struct store_contents){.hash = end};
    for (uint32_t space = 1; space < end; space++) {
        struct space_stats stats;

        if (!read_counts(s, a, space, &stats))
            return false;
        c->hash = mix_numbers(c->hash, stats.entries, stats.bytes);
    }
    for (; t; t = store_table_after(s, schema_id(a, t->region, t->name)))
        c->hash = mix(c->hash, schema_encode(a, t));
    return mix_entries(s, a, &c->hash) && (!is_in_sqlite(s) || mix_owners(c));
}

const char *store_check_contents(struct store *s, struct arena *a, struct store_contents *c)
{
    const char *problem;

    if (!read_contents(s, a, c))
        return "the store cannot be read";
    for (size_t i = 0; i < known_count && i < COUNT(known); i++)
        if (known[i] == c->hash)
            return NULL;
    if (!(problem = check_all(s, a)))
        known[known_count++ % COUNT(known)] = c->hash;
    return problem;
}

const char *store_check(struct store *s, struct arena *a)
{
    struct store_contents ignored;

    return store_check_contents(s, a, &ignored);
}
