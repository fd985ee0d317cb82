#include "worlds/snapshot_check.h"

#include "base/damaged.h"
#include "base/siphash.h"
#include "model/item_codec.h"
#include "model/key.h"
#include "model/table_space.h"
#include "model/vector.h"
#include "ops/backup/backup.h"
#include "ops/backup/recovery_log.h"
#include "ops/change.h"
#include "ops/key_check.h"
#include "ops/stream/stream.h"
#include "ops/ttl/ttl_index.h"
#include "store/cursor.h"
#include "worlds/snapshot_owners.h"

#include <stdlib.h>

#define SLICE_ROWS  50
#define SLICE_BYTES ((size_t)64 * 1024)

/* Entries of a space, in whatever order they are met: how many, and a sum over keys, sizes and
 * bodies. */
struct tally {
    int64_t entries;
    int64_t spared; /* by vectors */
    uint64_t sum;
};

struct snapshot_check;

/* A space that is gone through. */
struct walk {
    uint32_t space;
    const char *what;
    const char *(*row)(struct snapshot_check *c, const struct store_row *row); /* NULL: any */
    const char *(*end)(struct snapshot_check *c);                              /* NULL: nothing */
    const struct index *ix;                                                    /* of an index */
};

struct snapshot_check {
    struct arena *arena; /* of what is found */
    struct arena *work;  /* for the table, … */
    struct arena *row;   /* … and for the row */
    struct store *store;
    struct unit *unit;
    struct snapshot_owners *owners; /* … of its spaces, first of all; */
    bool owned;                     /* they are known */
    struct siphash_key hash;        /* of this check alone: nobody can aim at sums */
    const struct table *table;
    bool tables_done;   /* … and backups follow, … */
    struct buf backup;  /* … of which this is the last one's key */
    struct walk *walks; /* of the table */
    size_t walk, walk_count;
    struct cursor *cursor; /* of the walk, once it has begun */
    struct tally there;
    struct tally *wanted; /* of each index, from the items */
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
                        SPAN_ARG(c->table->name));
}

static void count(const struct snapshot_check *c, struct tally *t, struct span key, size_t size,
                  struct span body)
{
    const uint64_t parts[] = {siphash(&c->hash, key), size, siphash(&c->hash, body)};

    t->entries++;
    t->sum += siphash(&c->hash, (struct span){(const char *)parts, sizeof parts});
}

/* --- items ------------------------------------------------------------------------------------ */

/* What the indexes and the order of the times to live should have of the item. */
static void count_wanted(struct snapshot_check *c, const struct store_row *row,
                         const struct item *it)
{
    const struct table *t = c->table;
    struct buf order = buf_in(c->row);

    if (ttl_index_covers(&order, t, it, row->key))
        count(c, &c->wanted_ttl, buf_span(&order), 0, row->body);
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];
        struct buf key = buf_in(c->row);
        struct item part;

        if (!change_covers(ix, row->key) || !key_of_entry(&key, t, ix, it))
            continue;
        part = schema_project(c->row, t, ix, it);
        count(c, &c->wanted[i], buf_span(&key), schema_entry_size(ix, &part), row->body);
        if (schema_kind(ix) == KIND_VECTOR)
            c->wanted[i].spared += vector_spared(ix, item_find(it, ix->vector.attribute));
    }
}

/* An item of the table, where its key in the table is `tail` behind the space. */
static const char *check_stored(struct snapshot_check *c, struct span tail, size_t size,
                                struct span body, struct item *it)
{
    struct buf key = buf_in(c->row);

    if (!item_decode_checked(c->row, body, it) || key_check_item(c->row, c->table, it))
        return damaged(c, "an item");
    key_of_item(&key, c->table, it);
    if (!span_equal(span_from(buf_span(&key), KEY_SPACE_LEN), tail))
        return damaged(c, "the place of an item");
    return item_size(it) == size ? NULL : damaged(c, "the size of an item");
}

static const char *check_item(struct snapshot_check *c, const struct store_row *row)
{
    struct item it;
    const char *problem = check_stored(c, span_from(row->key, KEY_SPACE_LEN), row->size, row->body,
                                       &it);

    if (!problem)
        count_wanted(c, row, &it);
    return problem;
}

/* --- streams and logs ------------------------------------------------------------------------- */

/* Numbers that the store gives from here on are new. */
static const char *check_number(struct snapshot_check *c, uint64_t number)
{
    return number > store_last_number(c->store)
               ? damaged(c, "%s, which has a number that was not given yet,",
                         c->walks[c->walk].what)
               : NULL;
}

static const char *check_record(struct snapshot_check *c, const struct store_row *row)
{
    return check_number(c, stream_read_record(row).number);
}

/* Entries of logs begin with their number. */
static const char *check_log(struct snapshot_check *c, const struct store_row *row)
{
    return check_number(c, damaged_big_endian(row->key, KEY_SPACE_LEN, sizeof(uint64_t)));
}

/* A restore makes items of what they were. */
static const char *check_change(struct snapshot_check *c, const struct store_row *row)
{
    struct recovery_change change = recovery_log_read(row);
    const char *problem = check_log(c, row);
    struct item it;

    return problem || !change.had_item
               ? problem
               : check_stored(c, change.item_key, change.size, change.item, &it);
}

/* --- spaces ----------------------------------------------------------------------------------- */

static const char *end_index(struct snapshot_check *c)
{
    const struct index *ix = c->walks[c->walk].ix;
    const struct tally *wanted = &c->wanted[ix - c->table->indexes];

    if (c->there.entries != wanted->entries || c->there.sum != wanted->sum ||
        store_stats(c->store, ix->space).spared != wanted->spared)
        return damaged(c, "index %.*s, which does not hold what the items say,",
                       SPAN_ARG(ix->name));
    return NULL;
}

static const char *end_ttl(struct snapshot_check *c)
{
    if (c->there.entries != c->wanted_ttl.entries || c->there.sum != c->wanted_ttl.sum)
        return damaged(c, "the order of the times to live, which is not what the items say,");
    return NULL;
}

/* Vectors are in indexes alone. */
static const char *end_plain(struct snapshot_check *c)
{
    return store_stats(c->store, c->walks[c->walk].space).spared
               ? damaged(c, "the size of %s", c->walks[c->walk].what)
               : NULL;
}

static const char *begin_walk(struct snapshot_check *c)
{
    const struct walk *w = &c->walks[c->walk];
    struct buf low = buf_in(c->work), high = buf_in(c->work);
    struct store_range range = {.backwards = false};

    key_of_space(&low, w->space);
    key_of_space(&high, w->space + 1);
    range.low = buf_span(&low);
    range.high = buf_span(&high);
    c->there = (struct tally){.entries = 0};
    return cursor_open(c->unit, &range, &c->cursor) ? damaged(c, "%s", w->what) : NULL;
}

/* A slice of the walk's rows. */
static const char *walk_on(struct snapshot_check *c)
{
    const struct walk *w = &c->walks[c->walk];
    const char *problem = c->cursor ? NULL : begin_walk(c);
    size_t bytes = 0;

    for (int i = 0; !problem && i < SLICE_ROWS && bytes < SLICE_BYTES; i++) {
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
        if (!(problem = w->row ? w->row(c, &row) : NULL))
            count(c, &c->there, row.key, row.size, row.body);
        bytes += row.body.len;
        arena_reset(c->row);
    }
    return problem;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* Whether entries of items are only some of those that there will be, or were. */
static bool is_partial(const struct table *t, const struct index *ix)
{
    return t->status == STATUS_DELETING || t->restore.source_arn.len ||
           (ix && ix->status == STATUS_DELETING);
}

static struct walk walk_of(const struct table *t, const struct table_space *space)
{
    struct walk w = {space->number, space->what, NULL, end_plain, space->ix};

    if (space->number == t->space) {
        w.row = check_item;
    } else if (space->number == t->recovery.space) {
        w.row = check_change;
    } else if (space->number == t->global.log_space) {
        w.row = check_log;
    } else if (space->number == t->stream_space) {
        w.row = check_record;
    } else if (space->ix) {
        w.what = "an index";
        w.end = is_partial(t, space->ix) ? NULL : end_index;
    } else if (space->number == t->ttl_space && !is_partial(t, NULL)) {
        w.end = end_ttl;
    }
    return w;
}

/* Its own space comes first: what the others should have follows from it. */
static void begin_table(struct snapshot_check *c, const struct table *t)
{
    const struct table_space *spaces = table_space_list(c->work, t, &c->walk_count);

    c->table = t;
    c->walk = 0;
    c->walks = arena_array(c->work, c->walk_count, sizeof *c->walks);
    c->wanted = arena_array(c->work, t->index_count, sizeof *c->wanted);
    c->wanted_ttl = (struct tally){.entries = 0};
    for (size_t i = 0; i < c->walk_count; i++)
        c->walks[i] = walk_of(t, &spaces[i]);
}

/* --- backups ---------------------------------------------------------------------------------- */

/* Begins the next backup, whose items are like a table's; false after the last one. */
static bool begin_backup(struct snapshot_check *c)
{
    struct call call = {.arena = c->work, .store = c->store, .unit = c->unit};
    struct store_row row = {.found = false};
    struct store_range range;
    struct cursor *cursor;
    struct backup b;

    range = backup_range_behind(&call, buf_span(&c->backup));
    if (cursor_open(c->unit, &range, &cursor) || cursor_next(cursor, &row) || !row.found ||
        !backup_decode(&call, &row, &b))
        return false; /* each was decoded before */
    c->backup.len = 0;
    buf_add_span(&c->backup, row.key);
    cursor_close(cursor);
    begin_table(c, b.table);
    c->walks[0].space = b.space;
    c->walk_count = 1;
    return true;
}

/* --- slices ----------------------------------------------------------------------------------- */

struct snapshot_check *snapshot_check_begin(struct arena *a, struct store *s)
{
    struct snapshot_check *c = calloc(1, sizeof *c);

    if (!c)
        process_out_of_memory();
    *c = (struct snapshot_check){.arena = a,
                                 .work = arena_new(),
                                 .row = arena_new(),
                                 .store = s,
                                 .backup = buf_in(a),
                                 .hash = siphash_random_key()};
    return c;
}

const char *snapshot_check_step(struct snapshot_check *c, bool *more)
{
    const char *problem;
    const struct table *t;

    *more = true;
    if (!c->owners) {
        if (unit_begin(c->store, c->arena, UNIT_READS, &c->unit))
            return "this snapshot is damaged: it cannot be read";
        c->owners = snapshot_owners_begin(c->arena, c->store, c->unit);
    }
    if (!c->owned) {
        problem = snapshot_owners_step(c->owners, more);
        c->owned = !*more;
        *more = true;
        return problem;
    }
    if (c->table && c->walk < c->walk_count)
        return walk_on(c);
    t = c->tables_done ? NULL : store_table_next(c->work, c->store, c->table);
    c->tables_done = !t;
    arena_reset(c->work);
    if (t)
        begin_table(c, t);
    else
        *more = begin_backup(c);
    return NULL;
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
