#include "worlds/snapshot_owners.h"

#include "base/damaged.h"
#include "base/siphash.h"
#include "model/key.h"
#include "model/table_space.h"
#include "ops/backup/backup.h"
#include "ops/backup/recovery_log.h"
#include "ops/kinesis/kinesis_record.h"
#include "ops/scaling/scaling.h"
#include "ops/stream/stream.h"
#include "ops/table/table_replicas.h"
#include "ops/transaction/transact.h"
#include "ops/transfer/task_check.h"
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
    bool waits;     /* a table that waits for the items of a copy */
    uint64_t table; /* hash of its TableId, 0: not a table's; OWNS_REPLICATION: index in members */
};

/* A reference to a space by something that does not own it. */
struct space_reader {
    uint32_t space;
    enum owner_kind kind; /* the kind of owner that the space must have */
    uint64_t table;       /* hash of the TableId that the owner must have; 0: any table */
};

/* A file may have very many tables, so only hashes and numbers of them are kept. */
struct snapshot_owners {
    struct arena *arena; /* for errors, and the lists */
    struct store *store;
    struct unit *unit;
    struct call call;        /* for reading rows; its arena is the row's */
    struct siphash_key hash; /* used only in this check, so no file can be made to have equals */
    struct buf last;         /* the id of the last table that was read */
    size_t stage;            /* of `stages` */
    size_t rows;             /* rows read, of reserved_rows */
    size_t checked;          /* owners so far */
    struct cursor *cursor;
    struct owner *owners;
    size_t owner_count, owner_room;
    struct space_reader *readers;
    size_t reader_count, reader_room;
    struct span *members; /* ids of tables that may share the logs of replicas */
    size_t member_count, member_room;
    size_t streams, open_streams; /* of tables; those of them that have a row */
    size_t filled, imports;       /* tables that imports fill; those imports */
    size_t holds, exports;        /* holds of logs; running exports, which have one each */
};

static const char *damaged(const struct snapshot_owners *o, const char *what)
{
    return arena_printf(o->arena, "this snapshot is damaged: %s", what);
}

/* --- the lists -------------------------------------------------------------------------------- */

static void add_owner(struct snapshot_owners *o, const struct owner *owner)
{
    if (!owner->space)
        return;
    o->owners = process_one_more(o->owners, o->owner_count, &o->owner_room, sizeof *o->owners);
    o->owners[o->owner_count++] = *owner;
}

/* Something that is not a table's. */
static void add_other(struct snapshot_owners *o, uint32_t space, enum owner_kind kind)
{
    add_owner(o, &(struct owner){.space = space, .kind = kind});
}

static void add_reader(struct snapshot_owners *o, uint32_t space, enum owner_kind kind,
                       struct span table_uuid)
{
    if (!space)
        return;
    o->readers = process_one_more(o->readers, o->reader_count, &o->reader_room, sizeof *o->readers);
    o->readers[o->reader_count++] = (struct space_reader){
        space, kind, table_uuid.len ? siphash(&o->hash, table_uuid) : 0};
}

static uint64_t add_member(struct snapshot_owners *o, struct span id)
{
    o->members = process_one_more(o->members, o->member_count, &o->member_room, sizeof *o->members);
    o->members[o->member_count] = arena_span(o->arena, id);
    return o->member_count++;
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

/* Whether the position of work on a space (0: no work) is in that space. In another space it would
 * take rows of other owners. */
static bool is_within(struct span position, uint32_t space)
{
    return !space || !position.len || damaged_big_endian(position, 0, KEY_SPACE_LEN) == space;
}

static bool is_given(const struct snapshot_owners *o, uint64_t number)
{
    return number <= store_last_number(o->store);
}

/* Like is_within, for a log. With a number that comes later, changes that come before it would be
 * passed over. */
static bool is_within_log(const struct snapshot_owners *o, struct span position, uint32_t log)
{
    return is_within(position, log) &&
           is_given(o, damaged_big_endian(position, KEY_SPACE_LEN, NUMBER_LEN));
}

static bool has_sound_positions(const struct snapshot_owners *o, const struct table *t)
{
    bool sound = is_within_log(o, t->restore.log_position, t->restore.log_space) &&
                 is_within(t->ttl_position, t->ttl_backfilled ? 0 : t->space);

    for (size_t i = 0; i < t->index_count; i++)
        sound = sound &&
                is_within(t->indexes[i].backfill_position, t->indexes[i].backfilled ? 0 : t->space);
    return sound;
}

/* Whether an import fills the table. */
static bool is_import_of(const struct table *t)
{
    return t->restore.filling && !t->restore.source_arn.len && !t->restore.replica;
}

static const char *take_table(struct snapshot_owners *o, const struct table *t)
{
    size_t count;
    const struct table_space *spaces = table_space_list(o->call.arena, t, &count);
    uint64_t uuid = siphash(&o->hash, t->uuid);

    if (!has_sound_positions(o, t))
        return damaged(o, "where a restore or the filling of an index continues");
    for (size_t i = 0; i < count; i++) {
        struct owner owner = {spaces[i].number, kind_of(t, spaces[i].number), t->restore.filling,
                              uuid};

        if (owner.kind == OWNS_REPLICATION)
            owner.table = add_member(o, buf_span(&o->last));
        add_owner(o, &owner);
    }
    add_reader(o, t->restore.log_space, OWNS_LOG, (struct span){"", 0});
    o->streams += t->stream_enabled;
    o->filled += is_import_of(t);
    return NULL;
}

static const char *read_tables(struct snapshot_owners *o, bool *more)
{
    const char *problem = NULL;

    for (int i = 0; !problem && *more && i < SLICE_ROWS; i++) {
        const struct table *t = store_table_after(o->store, buf_span(&o->last));

        if ((*more = t != NULL)) {
            o->last.len = 0;
            buf_add_span(&o->last, schema_id(o->call.arena, t->region, t->name));
            problem = take_table(o, t);
        }
        store_release_tables(o->store);
        arena_reset(o->call.arena);
    }
    return problem;
}

/* --- rows ------------------------------------------------------------------------------------- */

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
    struct stream s;

    if (!stream_decode(&o->call, row, &s) || !is_given(o, s.first_number) ||
        !is_given(o, s.last_number))
        return damaged(o, "a stream's description");
    if (table_of(o, &s))
        o->open_streams++;
    else if (!s.closed_ms)
        return damaged(o, "a stream is open that no table has");
    else
        add_other(o, s.space, OWNS_OTHER);
    return NULL;
}

static const char *take_backup(struct snapshot_owners *o, const struct store_row *row)
{
    struct backup b;

    if (!backup_decode(&o->call, row, &b) || b.created_ms != backup_row_time(row) ||
        !span_equal(b.table->name, backup_row_table(row)) || !b.space)
        return damaged(o, "a backup's description");
    add_other(o, b.space, OWNS_BACKUP);
    return NULL;
}

static bool same_keys(const struct key_schema *a, const struct key_schema *b)
{
    const struct key_part *one, *two;

    for (size_t i = 0; (one = schema_key_part(a, i)) && (two = schema_key_part(b, i)); i++)
        if (one->type != two->type || !span_equal(one->name, two->name))
            return false;
    return a->hash_count == b->hash_count && a->range_count == b->range_count;
}

/* Whether a running task fits its table, unless that is deleted: then the task ends. */
static bool fits_table(struct snapshot_owners *o, const struct task *t, const struct table *source)
{
    const struct table *table = store_table(o->store,
                                            schema_id(o->call.arena, t->region, t->table));

    if (!table || !span_equal(table->uuid, t->table_id))
        return true;
    if (t->kind == TASK_EXPORT)
        return table->space == t->table_space && same_keys(&table->keys, &source->keys);
    if (t->kind == TASK_IMPORT)
        o->imports++;
    return (t->kind == TASK_IMPORT) == is_import_of(table);
}

static const char *take_task(struct snapshot_owners *o, const struct store_row *row)
{
    const struct table *source;
    struct task t;

    if (!task_check_row(&o->call, row, &t, &source))
        return damaged(o, "the description of an export, import or bulk put");
    if (task_has_ended(&t)) /* its data was deleted */
        return NULL;
    if (!fits_table(o, &t, source))
        return damaged(o, "an export, import or bulk put of another table");
    if (!is_within_log(o, t.log_position, t.log_space) ||
        !is_within_log(o, t.log_end, t.log_space) || !is_within(t.report_position, t.reports))
        return damaged(o, "where an export or a bulk put continues");
    if (source && !recovery_log_is_held(&o->call, t.log_space, t.space))
        return damaged(o, "an export reads a log that may be removed");
    o->exports += source != NULL;
    add_other(o, t.space, OWNS_OTHER);
    add_other(o, t.reports, OWNS_OTHER);
    add_reader(o, t.table_space, OWNS_ITEMS, t.table_id);
    add_reader(o, t.log_space, OWNS_LOG, t.table_id);
    return NULL;
}

static const char *take_hold(struct snapshot_owners *o, const struct store_row *row)
{
    o->holds++;
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

/* Whether the table has the other one among its replicas: without replicas it drops the log. The
 * default region's name comes from the server's options. */
static bool names_replica(const struct table *t, const struct table *other)
{
    return other->region.len ? table_replicas_find(t, other->region) != NULL
                             : table_replicas_any(t);
}

/* Replicas of one table share the log of writes between them. */
static bool are_replicas(const struct table *t, const struct table *u)
{
    return span_equal(t->name, u->name) && !span_equal(t->region, u->region) &&
           t->global.log_space == u->global.log_space &&
           t->global.latest_space == u->global.latest_space && same_keys(&t->keys, &u->keys) &&
           names_replica(t, u) && names_replica(u, t);
}

/* Whether these owners may share their space. */
static bool may_share(struct snapshot_owners *o, const struct owner *owners, size_t count)
{
    const struct table *tables[REPLICAS_MOST];

    for (size_t i = 0; i < count; i++) {
        if (count > REPLICAS_MOST || owners[i].kind != OWNS_REPLICATION ||
            !(tables[i] = store_table(o->store, o->members[owners[i].table])))
            return false;
        for (size_t n = 0; n < i; n++)
            if (!are_replicas(tables[n], tables[i]))
                return false;
    }
    return true;
}

static const char *check_owners(struct snapshot_owners *o, bool *more)
{
    if (!o->checked && o->owner_count)
        qsort(o->owners, o->owner_count, sizeof *o->owners, by_space);
    for (int i = 0; i < SLICE_ROWS && o->checked < o->owner_count; i++) {
        const struct owner *first = &o->owners[o->checked];
        size_t count = 1;

        while (o->checked + count < o->owner_count && first[count].space == first->space)
            count++;
        if (count > 1 && !may_share(o, first, count))
            return damaged(o, "two tables, indexes, streams or backups share their entries");
        if (!store_has_space(o->store, first->space))
            return damaged(o, "something is in a space that was not given out");
        store_release_tables(o->store);
        o->checked += count;
    }
    *more = o->checked < o->owner_count;
    return NULL;
}

/* A log is dropped with its last reader, so it must have one. */
static const char *check_readers(const struct snapshot_owners *o)
{
    for (size_t i = 0; i < o->reader_count; i++) {
        const struct space_reader *r = &o->readers[i];
        const struct owner *owner = find_owner(o, r->space);

        if (!store_gave_space(o->store, r->space) ||
            (owner &&
             !(owner->kind == r->kind || (owner->kind == OWNS_BACKUP && r->kind == OWNS_ITEMS))) ||
            (owner && owner->kind != OWNS_REPLICATION && owner->table && r->table &&
             owner->table != r->table))
            return damaged(o, "a restore or an export reads another table's data");
    }
    return NULL;
}

/* A copy must go into a backup, or into a table that waits for it. */
static const char *check_copies(const struct snapshot_owners *o)
{
    for (uint32_t to = 0; (to = space_copy_next(o->store, to));) {
        const struct owner *owner = find_owner(o, to);

        if (!owner || !(owner->kind == OWNS_BACKUP || (owner->kind == OWNS_ITEMS && owner->waits)))
            return damaged(o, "a table is copied, and nothing waits for the copy");
    }
    return NULL;
}

static const char *check_the_rest(struct snapshot_owners *o, bool *more)
{
    const char *problem;

    *more = false;
    if ((problem = check_readers(o)) || (problem = check_copies(o)))
        return problem;
    if (o->filled != o->imports)
        return damaged(o, "a table waits for items, and no import fills it");
    if (o->holds != o->exports)
        return damaged(o, "a log is kept, and no export reads it");
    return o->streams == o->open_streams ? NULL : damaged(o, "a table's stream has no description");
}

/* --- slices ----------------------------------------------------------------------------------- */

struct snapshot_owners *snapshot_owners_begin(struct arena *a, struct store *s, struct unit *u,
                                              const struct settings *settings)
{
    struct snapshot_owners *o = process_zeroed(sizeof *o);

    o->arena = a;
    o->store = s;
    o->unit = u;
    o->hash = siphash_random_key();
    o->last = buf_in(a);
    o->call = (struct call){.arena = arena_new(), .store = s, .unit = u, .settings = settings};
    return o;
}

static const char *take_row(struct snapshot_owners *o, const struct store_row *row)
{
    const struct arena_budget budget = SNAPSHOT_ROW_BUDGET;
    jmp_buf landing;

    if (setjmp(landing) == ARENA_SPENT_NOTHING) {
        const char *problem;

        arena_limit(o->call.arena, &budget, &landing);
        problem = reserved_rows[o->rows].take(o, row);
        arena_unlimit(o->call.arena);
        return problem;
    }
    return damaged(o, "a row needs too much memory");
}

static const char *read_rows(struct snapshot_owners *o, bool *more)
{
    const char *problem = NULL;

    if (!o->cursor)
        o->cursor = cursor_open(o->unit, cursor_range(o->arena, reserved_rows[o->rows].space));
    for (int i = 0; !problem && i < SLICE_ROWS; i++) {
        struct store_row row;

        if (cursor_next(o->cursor, &row))
            return damaged(o, "it cannot be read");
        if (!row.found) {
            cursor_close(o->cursor);
            o->cursor = NULL;
            *more = ++o->rows < COUNT(reserved_rows);
            return NULL;
        }
        problem = take_row(o, &row);
        store_release_tables(o->store);
        arena_reset(o->call.arena);
    }
    return problem;
}

/* Each does a slice, and clears *more after its last one. */
static const char *(*const stages[])(struct snapshot_owners *o, bool *more) = {
    read_tables, read_rows, check_owners, check_the_rest};

const char *snapshot_owners_step(struct snapshot_owners *o, bool *more)
{
    bool rest = true;
    const char *problem = stages[o->stage](o, &rest);

    if (!rest)
        o->stage++;
    *more = o->stage < COUNT(stages);
    return problem;
}

void snapshot_owners_end(struct snapshot_owners *o)
{
    if (!o)
        return;
    arena_free(o->call.arena);
    free(o->owners);
    free(o->readers);
    free(o->members);
    free(o);
}
