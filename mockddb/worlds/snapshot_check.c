#include "worlds/snapshot_check.h"

#include "base/damaged.h"
#include "base/siphash.h"
#include "base/utf8.h"
#include "model/item_codec.h"
#include "model/key.h"
#include "model/limits.h"
#include "model/table_space.h"
#include "model/vector.h"
#include "ops/backup/backup.h"
#include "ops/backup/recovery_log.h"
#include "ops/global/replication.h"
#include "ops/index_entries.h"
#include "ops/key_check.h"
#include "ops/stream/stream.h"
#include "ops/transfer/export_state.h"
#include "ops/transfer/task_check.h"
#include "ops/ttl/ttl_index.h"
#include "store/cursor.h"
#include "store/space_copy.h"
#include "worlds/snapshot_owners.h"
#include "worlds/world.h"

#include <stdlib.h>

#define SLICE_ROWS  50
#define SLICE_BYTES ((size_t)64 * 1024)

/* The most that an item's text has for each byte of its size, as in "\u0001":{"NULL":true}, and
 * besides, for empty values with short names. A longer text is not decoded, as that takes several
 * times its length. */
#define TEXT_OF_A_BYTE 12
#define TEXT_BESIDES   ((size_t)4096)

/* The entries of a space in any order: their number, and a sum over keys, sizes and bodies. */
struct tally {
    int64_t entries;
    int64_t spared; /* bytes that vectors do not count */
    uint64_t sum;
};

struct snapshot_check;

/* A space whose rows are read. */
struct walk {
    uint32_t space;
    const char *what;
    const char *(*row)(struct snapshot_check *c,
                       const struct store_row *row); /* NULL: no check of its rows */
    const char *(*end)(struct snapshot_check *c);    /* NULL: no check at its end */
    const struct index *ix;                          /* for an index */
};

struct snapshot_check {
    struct arena *arena; /* for errors, and the unit's */
    struct arena *work;  /* for the current table, … */
    struct arena *row;   /* … and for the current row */
    struct store *store;
    struct unit *unit;
    struct settings settings;
    struct snapshot_owners *owners; /* … of its spaces, checked first */
    bool owned;                     /* the owners were checked */
    struct siphash_key
        hash;        /* used only in this check, so no file can be made to have equal sums */
    size_t phase;    /* tables, backups, streams, then tasks; … */
    struct buf last; /* … id of the last table, key of the last backup or stream */
    struct table_totals content; /* of the tables so far */
    struct span name;            /* of the current table, … */
    const struct table *table;
    struct stream stream; /* … or of the stream's table */
    struct task task;
    struct walk *walks; /* of the current table */
    size_t walk, walk_count;
    struct cursor *cursor; /* of the current walk, once it has begun */
    struct tally there;
    struct tally *wanted; /* for each index, computed from the items */
    struct tally wanted_ttl;
};

static const char *damaged(const struct snapshot_check *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
static const char *damaged(const struct snapshot_check *c, const char *fmt, ...)
{
    va_list args;
    const char *text;

    va_start(args, fmt);
    text = arena_vprintf(c->arena, fmt, args);
    va_end(args);
    return arena_printf(c->arena, "this snapshot is damaged: %s of table %.*s", text,
                        SPAN_ARG(c->name));
}

static void count_entry(const struct snapshot_check *c, struct tally *t, struct span key,
                        size_t size, struct span body)
{
    const uint64_t parts[] = {siphash(&c->hash, key), size, siphash(&c->hash, body)};

    t->entries++;
    t->sum += siphash(&c->hash, (struct span){(const char *)parts, sizeof parts});
}

/* --- items ------------------------------------------------------------------------------------ */

/* Counts the entries that the item should have in the indexes and in the order of the times to
 * live. */
static void count_wanted(struct snapshot_check *c, const struct store_row *row,
                         const struct item *it)
{
    const struct table *t = c->table;
    struct buf order = buf_in(c->row);

    if (ttl_index_covers(&order, t, it, row->key))
        count_entry(c, &c->wanted_ttl, buf_span(&order), 0, row->body);
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];
        struct buf key = buf_in(c->row);
        struct item part;

        if (!index_entries_cover(ix, row->key) || !key_of_entry(&key, t, ix, it))
            continue;
        part = schema_project(c->row, t, ix, it);
        count_entry(c, &c->wanted[i], buf_span(&key), schema_entry_size(ix, &part), row->body);
        if (schema_kind(ix) == KIND_VECTOR)
            c->wanted[i].spared += vector_spared(ix, item_find(it, ix->vector.attribute));
    }
}

/* Checks the text of an item of the table; `tail` is the part of its key after the space. */
static const char *check_text(struct snapshot_check *c, struct span tail, struct span body,
                              struct item *it)
{
    struct buf key = buf_in(c->row);

    if (body.len > LIMIT_ITEM_BYTES * TEXT_OF_A_BYTE || !utf8_valid(body) ||
        !item_decode_checked(c->row, body, it) || key_check_item(c->row, c->table, it))
        return damaged(c, "an item");
    key_of_item(&key, c->table, it);
    return span_equal(span_from(buf_span(&key), KEY_SPACE_LEN), tail)
               ? NULL
               : damaged(c, "the place of an item");
}

/* Like check_text, with the item's size. */
static const char *check_stored(struct snapshot_check *c, struct span tail, size_t size,
                                struct span body, struct item *it)
{
    const char *problem;

    if (size > LIMIT_ITEM_BYTES || body.len > size * TEXT_OF_A_BYTE + TEXT_BESIDES)
        return damaged(c, "an item");
    if ((problem = check_text(c, tail, body, it)))
        return problem;
    return item_size(it) == size ? NULL : damaged(c, "the size of an item");
}

/* Ahead of its position a copy contains only what its source has changed or deleted since the copy
 * began. Items that the source still has unchanged must not be there: the copy could not insert
 * them again. */
static bool is_ahead_of_copy(struct snapshot_check *c, const struct store_row *row)
{
    struct span tail = span_from(row->key, KEY_SPACE_LEN);
    struct buf key = buf_in(c->row);
    struct space_copy_state copy;
    struct store_row source;

    if (!space_copy_find(c->store, c->walks[c->walk].space, &copy) ||
        (copy.position.len && span_compare(tail, span_from(copy.position, KEY_SPACE_LEN)) <= 0))
        return true;
    key_of_space(&key, copy.from);
    buf_add_span(&key, tail);
    return !unit_get(c->unit, buf_span(&key), &source) &&
           (!source.found || source.handle >= copy.end_id);
}

static const char *check_item(struct snapshot_check *c, const struct store_row *row)
{
    struct item it;
    const char *problem = check_stored(c, span_from(row->key, KEY_SPACE_LEN), row->size, row->body,
                                       &it);

    if (!problem && !is_ahead_of_copy(c, row))
        return damaged(c, "an unfinished copy, which has items that it has yet to copy,");

    if (!problem)
        count_wanted(c, row, &it);
    return problem;
}

/* --- streams and logs ------------------------------------------------------------------------- */

/* Numbers that the store gives out later must be new. */
static const char *check_number(struct snapshot_check *c, uint64_t number)
{
    return number > store_last_number(c->store)
               ? damaged(c, "%s, which has a number that was not given out yet,",
                         c->walks[c->walk].what)
               : NULL;
}

/* Returns a call for reading rows; its arena is the row's. */
static struct call call_of(struct snapshot_check *c)
{
    return (struct call){
        .arena = c->row, .store = c->store, .unit = c->unit, .settings = &c->settings};
}

static const char *check_record(struct snapshot_check *c, const struct store_row *row)
{
    const char *problem = check_number(c, stream_read_record(row).number);
    struct call call = call_of(c);

    return problem || stream_record_is_sound(&call, &c->stream, row)
               ? problem
               : damaged(c, "a record of the stream");
}

/* Entries of logs begin with their number. */
static const char *check_log(struct snapshot_check *c, const struct store_row *row)
{
    return check_number(c, damaged_big_endian(row->key, KEY_SPACE_LEN, sizeof(uint64_t)));
}

static const char *check_replicated(struct snapshot_check *c, const struct store_row *row)
{
    const char *problem = check_log(c, row);
    struct call call = call_of(c);

    return problem || replication_entry_is_sound(&call, c->table, row)
               ? problem
               : damaged(c, "a write on its way to replicas");
}

static const char *check_latest(struct snapshot_check *c, const struct store_row *row)
{
    struct call call = call_of(c);

    return replication_latest_is_sound(&call, c->table, row)
               ? NULL
               : damaged(c, "the latest write for replicas");
}

/* A restore creates items from these rows. */
static const char *check_change(struct snapshot_check *c, const struct store_row *row)
{
    struct recovery_change change = recovery_log_read(row);
    const char *problem = check_log(c, row);
    struct item it;

    if (change.ms < 0 || change.ms > CLOCK_LAST_MS)
        return damaged(c, "the time of a change");
    return problem || !change.had_item
               ? problem
               : check_stored(c, change.item_key, change.size, change.item, &it);
}

/* --- exports, imports and bulk puts ----------------------------------------------------------- */

/* An item as it was at the moment of an export. */
static const char *check_kept(struct snapshot_check *c, const struct store_row *row)
{
    struct span items[2];
    size_t count = export_state_kept(&c->task, row, items);
    const char *problem = NULL;
    struct item it;

    for (size_t i = 0; !problem && i < count; i++)
        problem = check_text(c, span_from(row->key, KEY_SPACE_LEN), items[i], &it);
    return problem;
}

/* The key of an object that will be read. */
static const char *check_object(struct snapshot_check *c, const struct store_row *row)
{
    return utf8_valid(span_from(row->key, KEY_SPACE_LEN)) ? NULL : damaged(c, "an import");
}

/* A line of a report. */
static const char *check_line(struct snapshot_check *c, const struct store_row *row)
{
    const wire_node *line;

    return span_find(row->body, '\n') || wire_parse(c->row, row->body, &line)
               ? damaged(c, "the report of a bulk put")
               : NULL;
}

/* --- spaces ----------------------------------------------------------------------------------- */

static const char *end_index(struct snapshot_check *c)
{
    const struct index *ix = c->walks[c->walk].ix;
    const struct tally *wanted = &c->wanted[ix - c->table->indexes];

    if (c->there.entries != wanted->entries || c->there.sum != wanted->sum ||
        store_stats(c->store, ix->space).spared != wanted->spared)
        return damaged(c, "index %.*s, whose entries do not match the items,", SPAN_ARG(ix->name));
    return NULL;
}

static const char *end_ttl(struct snapshot_check *c)
{
    if (c->there.entries != c->wanted_ttl.entries || c->there.sum != c->wanted_ttl.sum)
        return damaged(c, "the order of the times to live, which does not match the items,");
    return NULL;
}

/* Only indexes have vectors. */
static const char *end_plain(struct snapshot_check *c)
{
    return store_stats(c->store, c->walks[c->walk].space).spared
               ? damaged(c, "the size of %s", c->walks[c->walk].what)
               : NULL;
}

static const char *check_row(struct snapshot_check *c, const struct store_row *row)
{
    const struct arena_budget budget = SNAPSHOT_ROW_BUDGET;
    const struct walk *w = &c->walks[c->walk];
    jmp_buf landing;

    if (setjmp(landing) == ARENA_SPENT_NOTHING) {
        const char *problem;

        arena_limit(c->row, &budget, &landing);
        problem = w->row ? w->row(c, row) : NULL;
        arena_unlimit(c->row);
        return problem;
    }
    return damaged(c, "a row that needs too much memory");
}

/* Reads a slice of the walk's rows. */
static const char *walk_on(struct snapshot_check *c)
{
    const struct walk *w = &c->walks[c->walk];
    const char *problem = NULL;
    size_t bytes = 0;

    if (!c->cursor) {
        c->there = (struct tally){.entries = 0};
        c->cursor = cursor_open(c->unit, cursor_range(c->work, w->space));
    }
    for (int i = 0; !problem && i < SLICE_ROWS && bytes < SLICE_BYTES; i++) {
        struct arena_mark mark;
        struct store_row row;

        if (cursor_next(c->cursor, &row))
            return damaged(c, "%s", w->what);
        if (!row.found) {
            cursor_close(c->cursor);
            c->cursor = NULL;
            problem = w->end ? w->end(c) : NULL;
            c->walk++;
            return problem;
        }
        mark = arena_mark(c->arena); /* frees what was looked up for the row */
        if (!(problem = check_row(c, &row))) {
            arena_release(c->arena, mark);
            count_entry(c, &c->there, row.key, row.size, row.body);
        }
        bytes += row.body.len;
        arena_reset(c->row);
        store_release_tables(c->store);
    }
    return problem;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* Whether the index may have entries for only some of the items. */
static bool is_partial(const struct table *t, const struct index *ix)
{
    return t->status == STATUS_DELETING || t->restore.source_arn.len ||
           ix->status == STATUS_DELETING;
}

static struct walk walk_of(const struct table *t, const struct table_space *space)
{
    struct walk w = {space->number, space->what, NULL, end_plain, space->ix};

    if (space->number == t->space) {
        w.row = check_item;
    } else if (space->number == t->recovery.space) {
        w.row = check_change;
    } else if (space->number == t->global.log_space) {
        w.row = check_replicated;
    } else if (space->number == t->global.latest_space) {
        w.row = check_latest;
    } else if (space->ix) {
        w.what = "an index";
        w.end = is_partial(t, space->ix) ? NULL : end_index;
    } else if (space->number == t->ttl_space) {
        w.end = end_ttl;
    }
    return w;
}

/* Begins with the table's own space: the expected entries of the others follow from it. Its stream
 * comes later, with the streams that no longer have a table. */
static void begin_table(struct snapshot_check *c, const struct table *t)
{
    size_t count;
    const struct table_space *spaces = table_space_list(c->work, t, &count);

    c->table = t;
    c->name = t->name;
    c->walk = c->walk_count = 0;
    c->walks = arena_array(c->work, count, sizeof *c->walks);
    c->wanted = arena_array(c->work, t->index_count, sizeof *c->wanted);
    c->wanted_ttl = (struct tally){.entries = 0};
    for (size_t i = 0; i < count; i++)
        if (!t->stream_enabled || spaces[i].number != t->stream_space)
            c->walks[c->walk_count++] = walk_of(t, &spaces[i]);
}

static void note_last(struct snapshot_check *c, struct span key)
{
    c->last.len = 0;
    buf_add_span(&c->last, key);
}

static bool next_table(struct snapshot_check *c)
{
    const struct table *t = store_table_after(c->store, buf_span(&c->last));

    if (!t)
        return false;
    note_last(c, schema_id(c->work, t->region, t->name));
    table_size_add(&c->content, c->unit, t);
    begin_table(c, schema_copy(c->work, t)); /* the rows' checks look up other tables */
    store_release_tables(c->store);
    return true;
}

/* --- backups and streams ---------------------------------------------------------------------- */

/* Begins the next backup, whose items are checked like a table's; false after the last one. */
static bool next_backup(struct snapshot_check *c)
{
    struct call call = {.arena = c->work, .store = c->store, .unit = c->unit};
    struct store_row row = {.found = false};
    struct cursor *cursor = cursor_open(
        c->unit, cursor_range_behind(call.arena, KEY_SPACE_BACKUPS, buf_span(&c->last)));
    struct backup b;

    if (cursor_next(cursor, &row) || !row.found || !backup_decode(&call, &row, &b))
        return false; /* each was decoded before */
    note_last(c, row.key);
    cursor_close(cursor);
    begin_table(c, b.table);
    c->walks[0].space = b.space;
    c->walk_count = 1;
    return true;
}

static bool next_stream(struct snapshot_check *c)
{
    struct call call = {
        .arena = c->work, .store = c->store, .unit = c->unit, .settings = &c->settings};
    bool found;

    if (stream_after(&call, buf_span(&c->last), (struct span){"", 0}, &c->stream, &found) || !found)
        return false;
    note_last(c, c->stream.place);
    c->name = c->stream.table_name;
    c->walks = arena_array(c->work, 1, sizeof *c->walks);
    c->walks[0] = (struct walk){c->stream.space, "the stream", check_record, end_plain, NULL};
    c->walk = 0;
    c->walk_count = 1;
    return true;
}

static void add_walk(struct snapshot_check *c, uint32_t space, const char *what,
                     const char *(*row)(struct snapshot_check *c, const struct store_row *row))
{
    if (space)
        c->walks[c->walk_count++] = (struct walk){space, what, row, end_plain, NULL};
}

#define TASK_WALKS 2

/* The log of a table that is there is checked with that table. */
static bool has_own_log(const struct snapshot_check *c)
{
    const struct table *t = store_table(c->store,
                                        schema_id(c->work, c->task.region, c->task.table));

    return !t || !span_equal(t->uuid, c->task.table_id);
}

/* Begins the next export, import or bulk put; false after the last one. */
static bool next_task(struct snapshot_check *c)
{
    struct call call = {
        .arena = c->work, .store = c->store, .unit = c->unit, .settings = &c->settings};
    struct cursor *cursor = cursor_open(c->unit, task_range_of_all(&call, buf_span(&c->last)));
    struct store_row row = {.found = false};

    c->walk = c->walk_count = 0;
    if (cursor_next(cursor, &row) || !row.found ||
        !task_check_row(&call, &row, &c->task, &c->table))
        return false; /* each was read before */
    note_last(c, row.key);
    cursor_close(cursor);
    if (task_has_ended(&c->task))
        return true;
    c->name = c->task.table;
    c->walks = arena_array(c->work, TASK_WALKS, sizeof *c->walks);
    if (c->table) {
        add_walk(c, c->task.space, "what an export keeps", check_kept);
        add_walk(c, has_own_log(c) ? c->task.log_space : 0, "the log of an export", check_change);
    } else {
        add_walk(c, c->task.space, "the objects of an import", check_object);
        add_walk(c, c->task.reports, "the reports of a bulk put", check_line);
    }
    return true;
}

/* --- slices ----------------------------------------------------------------------------------- */

struct snapshot_check *snapshot_check_begin(struct arena *a, struct store *s)
{
    struct snapshot_check *c = process_zeroed(sizeof *c);

    *c = (struct snapshot_check){.arena = a,
                                 .work = arena_new(),
                                 .row = arena_new(),
                                 .store = s,
                                 .last = buf_in(a),
                                 .settings = {.region = SPAN_LIT_INIT(WORLD_REGION),
                                              .account = SPAN_LIT_INIT(WORLD_ACCOUNT),
                                              .regional = true},
                                 .hash = siphash_random_key()};
    return c;
}

/* Each begins the next table, backup or stream; false after the last one. */
static bool (*const phases[])(struct snapshot_check *c) = {next_table, next_backup, next_stream,
                                                           next_task};

const char *snapshot_check_step(struct snapshot_check *c, bool *more)
{
    const char *problem;

    *more = true;
    if (!c->owners) {
        if (unit_begin(c->store, c->arena, UNIT_READS, &c->unit))
            return "this snapshot is damaged: it cannot be read";
        c->owners = snapshot_owners_begin(c->arena, c->store, c->unit, &c->settings);
    }
    if (!c->owned) {
        problem = snapshot_owners_step(c->owners, more);
        c->owned = !*more;
        *more = true;
        return problem;
    }
    if (c->walk < c->walk_count)
        return walk_on(c);
    arena_reset(c->work);
    if (!phases[c->phase](c)) {
        c->last.len = 0;
        *more = ++c->phase < COUNT(phases);
    }
    return NULL;
}

struct table_totals snapshot_check_content(const struct snapshot_check *c)
{
    return c->content;
}

void snapshot_check_end(struct snapshot_check *c)
{
    if (!c)
        return;
    snapshot_owners_end(c->owners);
    if (c->unit)
        unit_undo(c->unit);
    arena_free(c->work);
    arena_free(c->row);
    free(c);
}
