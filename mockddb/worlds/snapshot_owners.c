#include "worlds/snapshot_owners.h"

#include "base/damaged.h"
#include "model/key.h"
#include "model/table_space.h"
#include "ops/backup/backup.h"
#include "ops/kinesis/kinesis_record.h"
#include "ops/scaling/scaling.h"
#include "ops/stream/stream.h"
#include "ops/table/table_replicas.h"
#include "ops/transaction/transact.h"
#include "ops/transfer/task.h"
#include "store/cursor.h"
#include "store/space_copy.h"

#include <stdlib.h>

#define SLICE_ROWS 20
#define NUMBER_LEN 8

#define REPLICAS_MOST 100 /* more regions than the service has */

enum owner_kind { OWNS_ITEMS, OWNS_LOG, OWNS_BACKUP, OWNS_REPLICATION, OWNS_OTHER };

struct owner {
    uint32_t space;
    enum owner_kind kind;
    const struct table *table; /* of its items or logs */
};

/* A reference to a space by something that does not own it. */
struct space_reader {
    uint32_t space;
    enum owner_kind kind;   /* the kind of owner that the space must have */
    struct span table_uuid; /* the owner must be the table with this id; len 0: any table */
};

struct snapshot_owners {
    struct arena *arena; /* for errors, and the lists */
    struct store *store;
    struct unit *unit;
    struct call call; /* for reading rows; its arena is the row's */
    size_t rows;      /* rows read, of reserved_rows */
    struct cursor *cursor;
    struct owner *owners;
    size_t owner_count, owner_cap;
    struct space_reader *readers;
    size_t reader_count, reader_cap;
    size_t open_streams; /* of tables, that have a row */
};

static const char *damaged(const struct snapshot_owners *o, const char *what)
{
    return arena_printf(o->arena, "this snapshot is damaged: %s", what);
}

/* --- the lists -------------------------------------------------------------------------------- */

static void *with_room(struct arena *a, void *at, size_t count, size_t *cap, size_t size)
{
    size_t more = *cap ? 2 * *cap : 64;

    if (count < *cap)
        return at;
    at = arena_grow(a, at, *cap * size, more * size);
    *cap = more;
    return at;
}

static void add_owner(struct snapshot_owners *o, uint32_t space, enum owner_kind kind,
                      const struct table *t)
{
    if (!space)
        return;
    o->owners = with_room(o->arena, o->owners, o->owner_count, &o->owner_cap, sizeof *o->owners);
    o->owners[o->owner_count++] = (struct owner){space, kind, t};
}

static void add_reader(struct snapshot_owners *o, uint32_t space, enum owner_kind kind,
                       struct span table_uuid)
{
    if (!space)
        return;
    o->readers = with_room(o->arena, o->readers, o->reader_count, &o->reader_cap,
                           sizeof *o->readers);
    o->readers[o->reader_count++] = (struct space_reader){space, kind,
                                                          arena_span(o->arena, table_uuid)};
}

static enum owner_kind kind_of(const struct table *t, uint32_t space)
{
    if (space == t->space)
        return OWNS_ITEMS;
    if (space == t->recovery.space)
        return OWNS_LOG;
    return space == t->global.log_space || space == t->global.latest_space ? OWNS_REPLICATION
                                                                           : OWNS_OTHER;
}

static void add_tables(struct snapshot_owners *o)
{
    struct arena *a = o->call.arena;

    for (const struct table *t = NULL; (t = store_table_next(a, o->store, t));) {
        size_t count;
        const struct table_space *spaces = table_space_list(a, t, &count);

        for (size_t i = 0; i < count; i++)
            add_owner(o, spaces[i].number, kind_of(t, spaces[i].number), t);
        add_reader(o, t->restore.log_space, OWNS_LOG, (struct span){"", 0});
        arena_reset(a);
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

static bool is_given(const struct snapshot_owners *o, uint64_t number)
{
    return number <= store_last_number(o->store);
}

/* Returns the table that has this open stream, or NULL. */
static const struct table *table_of(const struct snapshot_owners *o, const struct stream *s)
{
    const struct table *t = store_table(o->store,
                                        schema_id(o->call.arena, s->region, s->table_name));

    return t && t->stream_enabled && t->stream_space == s->space &&
                   span_equal(t->stream_label, s->label) && t->stream_shards == s->shards
               ? t
               : NULL;
}

static const char *take_stream(struct snapshot_owners *o, const struct store_row *row)
{
    const struct table *t;
    struct stream s;

    if (!stream_decode(&o->call, row, &s) || !is_given(o, s.first_number) ||
        !is_given(o, s.last_number))
        return damaged(o, "a stream's description");
    if ((t = table_of(o, &s)))
        o->open_streams++;
    else if (!s.closed_ms)
        return damaged(o, "a stream is open that no table has");
    else
        add_owner(o, s.space, OWNS_OTHER, NULL);
    return NULL;
}

static const char *take_backup(struct snapshot_owners *o, const struct store_row *row)
{
    struct backup b;

    if (!backup_decode(&o->call, row, &b) || b.created_ms != backup_row_time(row) ||
        !span_equal(b.table->name, backup_row_table(row)) || !b.space)
        return damaged(o, "a backup's description");
    add_owner(o, b.space, OWNS_BACKUP, NULL);
    return NULL;
}

/* Whether the position of work on a space (0: no work) is in that space. In another space it would
 * take rows of other owners. */
static bool is_within(struct span position, uint32_t space)
{
    return !space || !position.len || damaged_big_endian(position, 0, KEY_SPACE_LEN) == space;
}

static const char *take_task(struct snapshot_owners *o, const struct store_row *row)
{
    struct task t;

    if (!task_decode(&o->call, row, &t) ||
        (uint64_t)t.created_ms != damaged_big_endian(row->key, KEY_SPACE_LEN, NUMBER_LEN))
        return damaged(o, "the description of an export, import or bulk put");
    if (task_has_ended(&t)) /* its data was deleted */
        return NULL;
    if (!is_within(t.log_position, t.log_space) || !is_within(t.log_end, t.log_space) ||
        !is_within(t.report_position, t.reports))
        return damaged(o, "where an export or a bulk put continues");
    add_owner(o, t.space, OWNS_OTHER, NULL);
    add_owner(o, t.reports, OWNS_OTHER, NULL);
    add_reader(o, t.table_space, OWNS_ITEMS, t.table_id);
    add_reader(o, t.log_space, OWNS_LOG, t.table_id);
    return NULL;
}

static const char *take_hold(struct snapshot_owners *o, const struct store_row *row)
{
    add_reader(o, (uint32_t)damaged_big_endian(row->key, KEY_SPACE_LEN, KEY_SPACE_LEN), OWNS_LOG,
               (struct span){"", 0});
    return NULL;
}

static const char *take_outgoing(struct snapshot_owners *o, const struct store_row *row)
{
    if (!is_given(o, damaged_big_endian(row->key, KEY_SPACE_LEN, NUMBER_LEN)))
        return damaged(o, "a record for Kinesis has a number that was not given out yet");
    return kinesis_record_is_sound(o->call.arena, row) ? NULL : damaged(o, "a record for Kinesis");
}

static const char *take_token(struct snapshot_owners *o, const struct store_row *row)
{
    return transact_token_is_sound(row->body) ? NULL : damaged(o, "the token of a transaction");
}

static const char *take_scaling(struct snapshot_owners *o, const struct store_row *row)
{
    return scaling_entry_is_sound(o->call.arena, row)
               ? NULL
               : damaged(o, "a target, policy or scheduled action of auto scaling");
}

static const struct {
    uint32_t space;
    const char *(*take)(struct snapshot_owners *o, const struct store_row *row);
} reserved_rows[] = {
    {KEY_SPACE_STREAMS, take_stream},  {KEY_SPACE_BACKUPS, take_backup},
    {KEY_SPACE_EXPORTS, take_task},    {KEY_SPACE_IMPORTS, take_task},
    {KEY_SPACE_BULK_PUTS, take_task},  {KEY_SPACE_LOG_HOLDS, take_hold},
    {KEY_SPACE_OUTBOX, take_outgoing}, {KEY_SPACE_TOKENS, take_token},
    {KEY_SPACE_SCALING, take_scaling}, {KEY_SPACE_SCHEDULES, take_scaling},
};

/* --- what has to hold ------------------------------------------------------------------------- */

static int by_space(const void *left, const void *right)
{
    const struct owner *a = left, *b = right;

    return a->space < b->space ? -1 : a->space > b->space;
}

static const struct owner *find_owner(const struct snapshot_owners *o, uint32_t space)
{
    const struct owner wanted = {.space = space};

    return o->owner_count ? bsearch(&wanted, o->owners, o->owner_count, sizeof wanted, by_space)
                          : NULL;
}

static bool same_parts(const struct key_part *a, const struct key_part *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].type != b[i].type || !span_equal(a[i].name, b[i].name))
            return false;
    return true;
}

static bool same_keys(const struct key_schema *a, const struct key_schema *b)
{
    return a->hash_count == b->hash_count && a->range_count == b->range_count &&
           same_parts(a->hash, b->hash, a->hash_count) &&
           same_parts(a->range, b->range, a->range_count);
}

/* Whether the table has the other one among its replicas: without replicas it drops the log. The
 * default region's name comes from the server's options. */
static bool names_replica(const struct table *t, const struct table *other)
{
    return other->region.len ? table_replicas_find(t, other->region) != NULL
                             : table_replicas_any(t);
}

/* Replicas of one table share the log of writes between them. */
static bool are_replicas(const struct owner *a, const struct owner *b)
{
    const struct table *t = a->table, *u = b->table;

    return a->kind == OWNS_REPLICATION && b->kind == OWNS_REPLICATION &&
           span_equal(t->name, u->name) && t->global.log_space == u->global.log_space &&
           t->global.latest_space == u->global.latest_space && same_keys(&t->keys, &u->keys) &&
           names_replica(t, u) && names_replica(u, t);
}

/* Whether an owner may share its space with the owners before it. */
static bool may_share(const struct owner *all, size_t i)
{
    size_t first = i;

    while (first && i - first < REPLICAS_MOST && all[first - 1].space == all[i].space)
        if (!are_replicas(&all[--first], &all[i]))
            return false;
    return i - first < REPLICAS_MOST;
}

static const char *check_owners(struct snapshot_owners *o)
{
    if (o->owner_count)
        qsort(o->owners, o->owner_count, sizeof *o->owners, by_space);
    for (size_t i = 0; i < o->owner_count; i++) {
        if (!may_share(o->owners, i))
            return damaged(o, "two tables, indexes, streams or backups share their entries");
        if (!store_has_space(o->store, o->owners[i].space))
            return damaged(o, "something is in a space that was not given out");
    }
    return NULL;
}

/* A log is dropped with its last reader, so it must have one. */
static const char *check_readers(const struct snapshot_owners *o)
{
    for (size_t i = 0; i < o->reader_count; i++) {
        const struct space_reader *r = &o->readers[i];
        const struct owner *owner = find_owner(o, r->space);

        if (r->space < KEY_FIRST_SPACE ||
            (owner &&
             !(owner->kind == r->kind || (owner->kind == OWNS_BACKUP && r->kind == OWNS_ITEMS))) ||
            (owner && owner->table && r->table_uuid.len &&
             !span_equal(owner->table->uuid, r->table_uuid)))
            return damaged(o, "a restore or an export reads another table's data");
    }
    return NULL;
}

/* A copy must go into a backup, or into a table that waits for it. */
static const char *check_copies(const struct snapshot_owners *o)
{
    for (uint32_t to = 0; (to = space_copy_next(o->store, to));) {
        const struct owner *owner = find_owner(o, to);

        if (!owner || !(owner->kind == OWNS_BACKUP ||
                        (owner->kind == OWNS_ITEMS && owner->table->restore.filling)))
            return damaged(o, "a table is copied, and nothing waits for the copy");
    }
    return NULL;
}

static const char *check_streams(struct snapshot_owners *o)
{
    size_t streams = 0;

    for (const struct table *t = NULL; (t = store_table_next(o->call.arena, o->store, t));)
        streams += t->stream_enabled;
    return streams == o->open_streams ? NULL : damaged(o, "a table's stream has no description");
}

static const char *check_positions(struct snapshot_owners *o)
{
    for (const struct table *t = NULL; (t = store_table_next(o->call.arena, o->store, t));) {
        bool sound = is_within(t->restore.log_position, t->restore.log_space) &&
                     is_within(t->ttl_position, t->ttl_backfilled ? 0 : t->space);

        for (size_t i = 0; i < t->index_count; i++)
            sound = sound && is_within(t->indexes[i].backfill_position,
                                       t->indexes[i].backfilled ? 0 : t->space);
        if (!sound)
            return damaged(o, "where a restore or the filling of an index continues");
    }
    return NULL;
}

static const char *check_all(struct snapshot_owners *o)
{
    const char *problem;

    if ((problem = check_positions(o)) || (problem = check_owners(o)) ||
        (problem = check_readers(o)) || (problem = check_copies(o)))
        return problem;
    return check_streams(o);
}

/* --- slices ----------------------------------------------------------------------------------- */

struct snapshot_owners *snapshot_owners_begin(struct arena *a, struct store *s, struct unit *u,
                                              const struct settings *settings)
{
    struct snapshot_owners *o = calloc(1, sizeof *o);

    if (!o)
        process_out_of_memory();
    o->arena = a;
    o->store = s;
    o->unit = u;
    o->call = (struct call){.arena = arena_new(), .store = s, .unit = u, .settings = settings};
    add_tables(o);
    return o;
}

static const char *open_rows(struct snapshot_owners *o)
{
    struct buf low = buf_in(o->arena), high = buf_in(o->arena);
    struct store_range range = {.backwards = false};

    key_of_space(&low, reserved_rows[o->rows].space);
    key_of_space(&high, reserved_rows[o->rows].space + 1);
    range.low = buf_span(&low);
    range.high = buf_span(&high);
    return cursor_open(o->unit, &range, &o->cursor) ? damaged(o, "it cannot be read") : NULL;
}

const char *snapshot_owners_step(struct snapshot_owners *o, bool *more)
{
    const char *problem = NULL;

    *more = o->rows < COUNT(reserved_rows);
    if (!*more)
        return check_all(o);
    if (!o->cursor && (problem = open_rows(o)))
        return problem;
    for (int i = 0; !problem && i < SLICE_ROWS; i++) {
        struct store_row row;

        if (cursor_next(o->cursor, &row))
            return damaged(o, "it cannot be read");
        if (!row.found) {
            cursor_close(o->cursor);
            o->cursor = NULL;
            o->rows++;
            return NULL;
        }
        problem = reserved_rows[o->rows].take(o, &row);
        arena_reset(o->call.arena);
    }
    return problem;
}

void snapshot_owners_end(struct snapshot_owners *o)
{
    if (!o)
        return;
    arena_free(o->call.arena);
    free(o);
}
