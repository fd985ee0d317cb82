/* Units: entries as the writing unit sees them, and the one transaction that it becomes. */
#include "store/pg/pg_store.h"

#include "base/hash.h"
#include "base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

/* What is charged to a request's budget, as in the other engines. */
#define STEPS_OF_CALL 100
#define BYTES_AT_STEP 32

/* PostgreSQL's numbers of types. */
#define BYTEA_OID 17
#define INT4_OID  23

#define TRIES  10   /* of a transaction that the database wants to be repeated */
#define HOT_MS 1000 /* how long an entry is hot after a conflict */

/* --- what a unit has read and changed --------------------------------------------------------- */

struct pg_place pg_store_place(const struct pg_store *p, struct arena *a, struct span key)
{
    uint32_t space = store_space_of(key);

    return pg_key_place(a, space < p->parts_count ? p->parts[space] : 0, key);
}

struct pg_place pg_store_source(const struct pg_store *p, struct pg_place place)
{
    for (size_t i = p->copy_count; i > 0; i--) /* the original may be a copy, too */
        if (place.space == p->copies[i - 1].to)
            place.space = p->copies[i - 1].from;
    return place;
}

size_t pg_store_change_at(const struct pg_store *p, const struct pg_place *place)
{
    size_t low = 0, high = p->change_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (pg_key_compare(&p->changes[middle]->place, place) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct pg_change *find_change(const struct pg_store *p, const struct pg_place *place)
{
    size_t at = pg_store_change_at(p, place);

    return at < p->change_count && pg_key_compare(&p->changes[at]->place, place) == 0
               ? p->changes[at]
               : NULL;
}

/* Adds an entry that is not among the changes yet, as it is in the database, without its body. */
static struct pg_change *add_change(struct unit *u, const struct store_row *row)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_change *change = arena_alloc(p->work, sizeof *change);
    size_t at;

    p->changes = arena_kept_room(u->arena, p->changes, p->change_count + 1, &p->change_room,
                                 sizeof *p->changes);
    *change = (struct pg_change){.had = row->found,
                                 .version = row->found ? row->handle : 0,
                                 .has = row->found,
                                 .handle = row->handle,
                                 .size = row->size};
    change->place = pg_store_place(p, p->work, arena_span(p->work, row->key));
    at = pg_store_change_at(p, &change->place);
    memmove(p->changes + at + 1, p->changes + at, (p->change_count - at) * sizeof *p->changes);
    p->changes[at] = change;
    p->change_count++;
    return change;
}

struct pg_values *pg_store_later(struct unit *u, enum pg_sql which)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_values *v = arena_alloc(p->work, sizeof *v);

    p->later = arena_kept_room(u->arena, p->later, p->later_count + 1, &p->later_room,
                               sizeof *p->later);
    v->which = which;
    p->later[p->later_count++] = v;
    return v;
}

struct pg_values *pg_store_control(struct unit *u, enum pg_sql which)
{
    struct pg_store *p = pg_store_of(u->store);

    if (!p->unit_control)
        p->unit_control = pg_store_next_version(p);
    return pg_store_later(u, which);
}

/* --- entries ---------------------------------------------------------------------------------- */

/* Columns 1 to 3 of a row: version, size and body, which is copied into the arena. */
static void take_row(struct pg_store *p, struct arena *a, struct store_row *row, int n)
{
    row->found = true;
    row->handle = pg_connection_number(&p->db, p->rows, n, 1);
    row->size = (size_t)pg_connection_number(&p->db, p->rows, n, 2);
    row->body = arena_span(a, pg_connection_bytes(&p->db, p->rows, n, 3));
    pg_store_note_version(p, row->handle);
}

static struct pg_hot *hot_slot(struct pg_store *p, uint32_t hash)
{
    return &p->hot[hash % PG_HOT_COUNT];
}

static void note_hot(struct pg_store *p, const struct pg_place *place)
{
    uint32_t hash = hash_bytes(place->key);

    *hot_slot(p, hash) = (struct pg_hot){place->space, hash, clock_monotonic_ms() + HOT_MS};
}

static bool is_hot(struct pg_store *p, const struct pg_place *place)
{
    uint32_t hash = hash_bytes(place->key);
    const struct pg_hot *hot = hot_slot(p, hash);

    return hot->until_ms && hot->hash == hash && hot->space == place->space &&
           clock_monotonic_ms() < hot->until_ms;
}

/* A unit that reads a hot entry first locks it before it is read: nothing can change it any more,
 * so that work on one item follows other work on it instead of meeting it again. One lock alone
 * waits for no other. */
static void lock_entry(struct pg_store *p, const struct pg_values *place)
{
    struct pg_values lock = *place;

    if (!pg_store_connect(p, clock_monotonic_ms() + PG_CALL_MS))
        return;
    lock.which = PG_LOCK;
    pg_connection_send(&p->db, &(struct pg_values){.which = PG_BEGIN});
    pg_connection_send(&p->db, &lock);
    p->has_lock = true;
}

static const struct error *get_entry(struct unit *u, struct span key, struct store_row *row)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_place place = pg_store_place(p, u->arena, key), source = pg_store_source(p, place);
    const struct pg_change *change = find_change(p, &place);
    struct pg_values v = {.which = PG_GET};
    const struct error *e;

    arena_charge(u->arena, STEPS_OF_CALL);
    *row = (struct store_row){.key = key};
    if (change) {
        row->found = change->has;
        row->handle = change->handle;
        row->size = change->size;
        row->body = arena_span(u->arena, change->body);
        return NULL;
    }
    pg_values_int4(&v, source.space);
    pg_values_int4(&v, source.slot);
    pg_values_bytes(&v, source.key);
    if (u->writes && !p->change_count && is_hot(p, &place))
        lock_entry(p, &v);
    if ((e = pg_store_read(p, u->arena, &v)))
        return e;
    if ((row->found = !p->db.pq->is_null(p->rows, 0, 1)))
        take_row(p, u->arena, row, 0);
    pg_store_forget_rows(p);
    if (u->writes)
        add_change(u, row)->body = arena_span(p->work, row->body);
    return NULL;
}

/* --- entries that are read at once ------------------------------------------------------------ */

/* What an array of PostgreSQL begins with. */
static struct buf array_of(struct arena *a, unsigned oid, size_t count)
{
    struct buf out = buf_in(a);

    buf_add_big_endian(&out, 1, 4); /* dimension */
    buf_add_big_endian(&out, 0, 4); /* no nulls */
    buf_add_big_endian(&out, oid, 4);
    buf_add_big_endian(&out, count, 4);
    buf_add_big_endian(&out, 1, 4); /* the first index */
    return out;
}

static void add_int4(struct buf *out, uint32_t value)
{
    buf_add_big_endian(out, 4, 4);
    buf_add_big_endian(out, value, 4);
}

struct span pg_unit_int4_array(struct arena *a, const uint32_t *at, size_t count)
{
    struct buf out = array_of(a, INT4_OID, count);

    for (size_t i = 0; i < count; i++)
        add_int4(&out, at[i]);
    return buf_span(&out);
}

static const struct error *read_many(struct unit *u, const struct pg_place *places, size_t count)
{
    struct buf spaces = array_of(u->arena, INT4_OID, count),
               slots = array_of(u->arena, INT4_OID, count);
    struct buf keys = array_of(u->arena, BYTEA_OID, count);
    struct pg_values v = {.which = PG_GET_MANY};

    for (size_t i = 0; i < count; i++) {
        add_int4(&spaces, places[i].space);
        add_int4(&slots, (uint32_t)places[i].slot);
        buf_add_big_endian(&keys, places[i].key.len, 4);
        buf_add_span(&keys, places[i].key);
    }
    pg_values_bytes(&v, buf_span(&spaces));
    pg_values_bytes(&v, buf_span(&slots));
    pg_values_bytes(&v, buf_span(&keys));
    return pg_store_read(pg_store_of(u->store), u->arena, &v);
}

/* They are among the changes afterwards, as entries that were only read. */
static const struct error *want_entries(struct unit *u, const struct span *keys, size_t count)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_place *places = arena_array(u->arena, count, sizeof *places);
    struct store_row *rows = arena_array(u->arena, count, sizeof *rows);
    const struct error *e;
    size_t asked = 0;

    for (size_t i = 0; i < count; i++) {
        struct pg_place place = pg_store_place(p, u->arena, keys[i]);

        arena_charge(u->arena, STEPS_OF_CALL);
        if (find_change(p, &place))
            continue;
        places[asked] = pg_store_source(p, place);
        rows[asked++].key = keys[i];
    }
    if (!asked || (e = read_many(u, places, asked)))
        return asked ? e : NULL;
    for (int i = 0; i < p->db.pq->tuples(p->rows); i++)
        take_row(p, p->work, &rows[pg_connection_number(&p->db, p->rows, i, 0) - 1], i);
    pg_store_forget_rows(p);
    for (size_t i = 0; i < asked; i++) {
        struct pg_place place = pg_store_place(p, u->arena, rows[i].key);

        if (!find_change(p, &place)) /* the same key may have been asked for twice */
            add_change(u, &rows[i])->body = rows[i].body;
    }
    return NULL;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* Makes the entry what it has to be; `has` false: takes it away. The row must be as it is. */
static const struct error *change_entry(struct unit *u, struct store_row *row, bool has,
                                        size_t size, struct span body)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_place place = pg_store_place(p, u->arena, row->key);
    struct pg_change *change = find_change(p, &place);

    if (!change)
        change = add_change(u, row);
    if (change->has != row->found) {
        log_error("cannot change an entry: it is %s", change->has ? "there already" : "not there");
        return error_internal(u->arena);
    }
    store_count_entry(u, row->key, has - row->found,
                      (int64_t)(has ? size : 0) - (row->found ? (int64_t)row->size : 0));
    pg_store_note_version(p, change->version);
    change->has = has;
    change->wrote = true;
    change->handle = pg_store_next_version(p);
    change->size = size;
    change->body = body;
    row->found = has;
    row->handle = change->handle;
    row->size = size;
    return NULL;
}

static const struct error *put_entry(struct unit *u, struct store_row *row, size_t size,
                                     struct span body)
{
    arena_charge(u->arena, (size_t)2 * STEPS_OF_CALL + body.len / BYTES_AT_STEP);
    row->body = body;
    return change_entry(u, row, true, size, arena_span(pg_store_of(u->store)->work, body));
}

/* An index entry has a copy of its item's body. What is known of the entry is only whether it
 * exists. */
static const struct error *link_entry(struct unit *u, struct store_row *entry,
                                      const struct store_row *owner, size_t size)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_place place = pg_store_place(p, u->arena, owner->key);
    const struct pg_change *of = find_change(p, &place);

    arena_charge(u->arena, STEPS_OF_CALL);
    entry->handle = 0;
    return change_entry(u, entry, true, size,
                        of && of->handle == owner->handle ? of->body
                                                          : arena_span(p->work, owner->body));
}

static const struct error *remove_entry(struct unit *u, struct store_row *row)
{
    arena_charge(u->arena, STEPS_OF_CALL);
    return change_entry(u, row, false, 0, (struct span){"", 0});
}

static const struct error *unlink_entry(struct unit *u, struct store_row *entry)
{
    entry->handle = 0;
    return remove_entry(u, entry);
}

static const struct error *delete_range(struct unit *u, struct span low, struct span high)
{
    struct cursor *c = cursor_open(
        u, (struct store_range){.low = low, .high = high, .keys_only = true});
    const struct error *e;
    struct store_row row;

    while (!(e = cursor_next(c, &row)) && row.found && !(e = remove_entry(u, &row)))
        continue;
    cursor_close(c);
    return e;
}

/* --- tables ----------------------------------------------------------------------------------- */

static const struct error *save_table(struct unit *u, struct span id, struct span body)
{
    struct pg_values *v = pg_store_control(u, PG_TABLE_PUT);

    pg_values_bytes(v, id);
    pg_values_int8(v, pg_store_of(u->store)->unit_control);
    pg_values_bytes(v, body);
    return NULL;
}

static const struct error *put_table(struct unit *u, const struct table *t, uint64_t *version)
{
    struct pg_store *p = pg_store_of(u->store);
    const struct error *e = save_table(u, schema_id(p->work, t->region, t->name),
                                       schema_encode(p->work, t));

    *version = (uint64_t)p->unit_control;
    return e;
}

static const struct error *remove_table(struct unit *u, struct span id)
{
    return save_table(u, arena_span(pg_store_of(u->store)->work, id), (struct span){"", 0});
}

/* A table of a unit that changes tables needs no guard: no other change of tables is between the
 * unit's beginning and its end. */
static void guard_table(struct unit *u, const struct table *t)
{
    struct pg_store *p = pg_store_of(u->store);

    for (size_t i = 0; i < p->guard_count; i++)
        if (p->guards[i] == t)
            return;
    p->guards = arena_kept_room(u->arena, p->guards, p->guard_count + 1, &p->guard_room,
                                sizeof *p->guards);
    p->guards[p->guard_count++] = t;
}

/* --- records ---------------------------------------------------------------------------------- */

/* Of two shards, all units change the one at the lower place first, so that they never wait for
 * each other. */
static const struct error *append_record(struct unit *u, const struct store_record *r)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_record new = {.record = *r, .version = pg_store_next_version(p)};
    size_t at = p->record_count;

    assert(r->shard.len < KEY_PREFIX_LEN); /* its number is in the slot's end, and in the key */
    p->records = arena_kept_room(u->arena, p->records, p->record_count + 1, &p->record_room,
                                 sizeof *p->records);
    new.record.body = arena_text(p->work, (struct span){r->body, r->len});
    new.shard = pg_key_place(p->work, 0, arena_span(p->work, r->shard));
    while (at > 0 && pg_key_compare(&p->records[at - 1].shard, &new.shard) > 0)
        at--;
    memmove(p->records + at + 1, p->records + at, (p->record_count - at) * sizeof *p->records);
    p->records[at] = new;
    p->record_count++;
    store_count_entry(u, r->shard, 1, (int64_t)r->len);
    return NULL;
}

/* A shard without records gets its first number from the clock, which is after the last change of
 * tables. */
static const struct error *last_number(struct unit *u, struct span shard, uint64_t *out)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_place place = pg_key_place(u->arena, 0, shard);
    struct pg_values v = {.which = PG_SHARD_LAST};
    const struct error *e;

    pg_values_int4(&v, place.space);
    pg_values_int4(&v, place.slot);
    if ((e = pg_store_read(p, u->arena, &v)))
        return e;
    *out = (uint64_t)(p->db.pq->tuples(p->rows) ? pg_connection_number(&p->db, p->rows, 0, 0)
                                                : p->control);
    pg_store_forget_rows(p);
    return NULL;
}

static uint64_t next_number(struct store *s)
{
    return (uint64_t)pg_store_next_version(pg_store_of(s));
}

/* --- keeping ---------------------------------------------------------------------------------- */

static const struct error *begin_unit(struct store *s, struct arena *a)
{
    (void)s;
    (void)a;
    assert(!pg_store_of(s)->later_count);
    return NULL;
}

static void forget_changes(struct pg_store *p)
{
    arena_reset(p->work);
    p->change_count = p->later_count = p->copy_count = p->record_count = p->guard_count =
        p->count_count = 0;
    p->unit_control = 0;
}

static void undo_unit(struct store *s)
{
    pg_store_unlock(pg_store_of(s));
    forget_changes(pg_store_of(s));
    pg_copy_undone(pg_store_of(s));
    spaces_free(&s->spaces);
    catalog_undo(&s->catalog, s->unit_changes);
}

/* What keeping a change takes. An entry that was only read must still be as it was. */
static enum pg_sql statement_of(const struct pg_change *c)
{
    if (!c->wrote)
        return c->had ? PG_CHECK : PG_ADD;
    if (!c->had)
        return PG_ADD;
    return c->has ? PG_PUT : PG_REMOVE;
}

static void add_place(struct pg_values *v, const struct pg_place *place)
{
    pg_values_int4(v, place->space);
    pg_values_int4(v, place->slot);
    pg_values_bytes(v, place->key);
}

static void add_entry(struct pg_values *v, const struct pg_change *c)
{
    pg_values_int8(v, c->handle);
    pg_values_int4(v, (int64_t)c->size);
    if (!c->had && c->place.is_short)
        pg_values_bytes(v, c->place.whole);
    else if (!c->had)
        pg_values_null(v);
    pg_values_bytes(v, c->body);
}

/* That an entry is not there is made sure of by adding and deleting it: until the transaction ends
 * no other process can add it. */
static void send_change(struct pg_store *p, struct pg_change *c)
{
    struct pg_values v = {.which = statement_of(c)}, gone = {.which = PG_REMOVE};

    c->sent_at = p->db.sent_statements;
    add_place(&v, &c->place);
    if (c->had)
        pg_values_int8(&v, c->version);
    if (v.which == PG_ADD || v.which == PG_PUT)
        add_entry(&v, c);
    pg_connection_send(&p->db, &v);
    if (c->had || c->has)
        return;
    add_place(&gone, &c->place);
    pg_values_int8(&gone, 0);
    pg_connection_send(&p->db, &gone);
}

static void send_record(struct pg_store *p, const struct pg_record *r)
{
    struct pg_values v = {.which = PG_RECORD_ADD};

    pg_values_int4(&v, r->shard.space);
    pg_values_int4(&v, r->shard.slot);
    pg_values_int8(&v, r->version);
    pg_values_int4(&v, (int64_t)r->record.len);
    pg_values_bytes(&v, (struct span){r->record.body, r->record.len});
    pg_values_int4(&v, (int64_t)r->record.digits_at + 1);
    pg_connection_send(&p->db, &v);
}

/* Counts are kept as differences, so that processes do not write over each other's. */
static void send_tally(struct pg_store *p, const struct space *space)
{
    struct pg_values v = {.which = space->dropped ? PG_TALLY_REMOVE : PG_TALLY_ADD};

    if (!space->dropped && !space->now.entries && !space->now.bytes && !space->now.spared)
        return;
    pg_values_int4(&v, space->number);
    if (!space->dropped) {
        pg_values_int4(&v, p->slot);
        pg_values_int8(&v, space->now.entries);
        pg_values_int8(&v, space->now.bytes);
        pg_values_int8(&v, space->now.spared);
    }
    pg_connection_send(&p->db, &v);
}

/* The row of `process` comes first: a process that does not have it any more, and a unit that was
 * done before its connection was lost, change nothing. */
static void send_head(struct pg_store *p)
{
    struct pg_values v = {.which = PG_PROCESS_UNIT}, control = {.which = PG_CONTROL_PUT};

    pg_values_int4(&v, p->slot);
    pg_values_int8(&v, p->epoch);
    pg_values_int8(&v, p->unit);
    pg_values_int8(&v, p->control);
    pg_connection_send(&p->db, &v);
    if (p->unit_control) {
        pg_values_int8(&control, p->control);
        pg_values_int8(&control, p->unit_control);
        pg_connection_send(&p->db, &control);
        return;
    }
    for (size_t i = 0; i < p->guard_count; i++) {
        struct pg_values guard = {.which = PG_TABLE_GUARD};

        pg_values_bytes(&guard, schema_id(p->work, p->guards[i]->region, p->guards[i]->name));
        pg_values_int8(&guard, (int64_t)p->guards[i]->version);
        pg_connection_send(&p->db, &guard);
    }
}

static void send_unit(struct pg_store *p)
{
    send_head(p);
    p->statements_of_head = p->db.sent_statements;
    pg_copy_send(p);
    for (size_t i = 0; i < p->later_count; i++)
        pg_connection_send(&p->db, p->later[i]);
    for (size_t i = 0; i < p->change_count; i++)
        send_change(p, p->changes[i]);
    for (size_t i = 0; i < p->record_count; i++)
        send_record(p, &p->records[i]);
    for (const struct space *space = p->store.spaces.unit; space; space = space->unit_next)
        send_tally(p, space);
    if (p->has_lock)
        pg_connection_send(&p->db, &(struct pg_values){.which = PG_COMMIT});
}

/* Sends the unit until its outcome is known, or the time is over. */
static enum pg_outcome send_until_known(struct pg_store *p)
{
    int64_t deadline_ms = clock_monotonic_ms() + PG_CALL_MS;
    enum pg_outcome outcome = PG_LOST;
    bool was_lost = false;

    for (int tries = 0; tries < TRIES && clock_monotonic_ms() < deadline_ms; tries++) {
        if (!pg_store_connect(p, deadline_ms))
            return PG_LOST;
        send_unit(p);
        outcome = pg_connection_finish(&p->db, deadline_ms, NULL);
        if (outcome == PG_DONE)
            p->has_lock = false;
        pg_store_unlock(p);
        if (outcome == PG_MISSED && p->db.failed_at == 0)
            outcome = pg_process_look(p, deadline_ms);
        if (was_lost && p->is_ended)
            return PG_LOST; /* the row is another process's: it does not say what was done */
        was_lost = was_lost || outcome == PG_LOST;
        if (outcome != PG_LOST && outcome != PG_AGAIN)
            return outcome;
    }
    return outcome;
}

/* The key of the entry whose change failed, which is hot then, or no bytes. */
static struct span failed_key(struct pg_store *p)
{
    for (size_t i = 0; i < p->change_count; i++)
        if (p->changes[i]->sent_at == p->db.failed_at) {
            note_hot(p, &p->changes[i]->place);
            return p->changes[i]->place.whole;
        }
    return (struct span){NULL, 0};
}

/* One read without a write is right as it was; several may be of different moments. */
static bool changes_nothing(const struct pg_store *p)
{
    bool wrote = p->later_count || p->copy_count || p->record_count || p->store.spaces.unit ||
                 p->change_count > 1;

    return !wrote && (!p->change_count || !p->changes[0]->wrote);
}

/* Work that meets others again and again waits for a moment, so that not all of them are in step.
 */
static void pause_before_next(struct pg_store *p)
{
    long most = 1L << (p->store.tries < 6 ? p->store.tries : 6); /* ms */
    struct timespec pause = {.tv_nsec = (pg_store_next_version(p) >> 10) % (most * 1000) * 1000};

    if (p->store.tries > 1)
        (void)nanosleep(&pause, NULL);
}

static const struct error *not_kept(struct pg_store *p, struct arena *a, enum pg_outcome outcome)
{
    const struct error *e;
    struct span key;

    if (outcome == PG_MISSED || outcome == PG_AGAIN) {
        key = arena_span(a, failed_key(p));
        if (outcome == PG_MISSED && p->db.failed_at < p->statements_of_head)
            p->store.is_outdated = true;
        undo_unit(&p->store);
        pause_before_next(p);
        return store_conflict(&p->store, a, key);
    }
    e = pg_store_failed(p, a, "cannot keep a unit");
    if (outcome == PG_LOST) /* it may have been done */
        p->is_unsure = p->store.is_outdated = p->store.group_lost = true;
    undo_unit(&p->store);
    return e;
}

const struct error *pg_unit_keep(struct store *s, struct arena *a)
{
    struct pg_store *p = pg_store_of(s);
    enum pg_outcome outcome;

    if (!changes_nothing(p)) {
        p->unit = pg_store_next_version(p);
        if ((outcome = send_until_known(p)) != PG_DONE)
            return not_kept(p, a, outcome);
        if (p->unit_control)
            p->control = p->unit_control;
        pg_copy_kept(p);
        s->is_current = true;
        p->kept++;
    }
    pg_store_unlock(p);
    forget_changes(p);
    spaces_free(&s->spaces);
    catalog_keep(&s->catalog);
    return NULL;
}

/* --- the engine ------------------------------------------------------------------------------- */

static void leave_unit(struct store *s)
{
    struct pg_store *p = pg_store_of(s);

    pg_store_forget_rows(p);
    if (!s->writer && !p->later_count)
        forget_changes(p);
}

static size_t memory_in_use(const struct store *s)
{
    return sizeof *pg_store_of(s) + s->spaces.count * sizeof(struct space);
}

static void free_store(struct store *s)
{
    struct pg_store *p = pg_store_of(s);

    pg_process_leave(p);
    pg_store_forget_rows(p);
    pg_cursor_free_idle(p);
    pg_connection_close(&p->db);
    free(p->parts);
    free(p->changes);
    free(p->later);
    free(p->records);
    free(p->guards);
    free(p->counts);
    free(p->copies);
    free(p->slices);
    arena_free(p->arena);
    arena_free(p->work);
    free(p);
}

const struct store_engine pg_engine = {
    .free = free_store,
    .memory = memory_in_use,
    .begin = begin_unit,
    .keep = pg_unit_keep,
    .undo = undo_unit,
    .leave = leave_unit,
    .get = get_entry,
    .want = want_entries,
    .put = put_entry,
    .delete = remove_entry,
    .link = link_entry,
    .unlink = unlink_entry,
    .delete_range = delete_range,
    .number = next_number,
    .append = append_record,
    .last_number = last_number,
    .stats = pg_space_stats,
    .is_empty = pg_space_is_empty,
    .number_space = pg_space_number,
    .drop_space = pg_space_drop,
    .reap = pg_space_reap,
    .is_doomed = pg_space_is_doomed,
    .knows_space = pg_space_known,
    .put_table = put_table,
    .remove_table = remove_table,
    .guard_table = guard_table,
    .owns = pg_process_owns,
    .confirm = pg_store_confirm,
    .open_cursor = pg_cursor_open,
    .next = pg_cursor_next,
    .close_cursor = pg_cursor_close,
    .begin_copy = pg_copy_begin,
    .step_copy = pg_copy_step,
    .next_copy = pg_copy_next,
    .refresh = pg_store_refresh,
    .renew = pg_process_renew,
    .answers = pg_store_answers,
};
