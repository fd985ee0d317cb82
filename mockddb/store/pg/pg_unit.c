/* Units: entries as the writing unit sees them, and the one transaction that it becomes. */
#include "store/pg/pg_store.h"

#include "base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

/* What is charged to a request's budget, as in the other engines. */
#define STEPS_OF_CALL 100
#define BYTES_AT_STEP 32

#define COPY_MS 600000 /* how long the copy of a space may take */
#define TRIES   10     /* of a transaction that the database wants to be repeated */

/* --- versions --------------------------------------------------------------------------------- */

#define EPOCH_2024_S 1704067200 /* versions count from 2024 … */
#define VERSION_BITS 10         /* … in microseconds; below them is the process's slot */

/* Versions never come back and grow: they follow the clock, and each other where it does not. */
static int64_t next_version(struct pg_store *p)
{
    struct timespec now;
    int64_t us;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    us = ((int64_t)now.tv_sec - EPOCH_2024_S) * 1000000 + now.tv_nsec / 1000;
    if (us << VERSION_BITS > p->version)
        p->version = us << VERSION_BITS | PG_SLOT;
    else
        p->version += (int64_t)1 << VERSION_BITS;
    return p->version;
}

static void note_version(struct pg_store *p, int64_t version)
{
    if (p->version < version)
        p->version = version;
}

/* --- changes ---------------------------------------------------------------------------------- */

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

/* --- entries ---------------------------------------------------------------------------------- */

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
    if ((e = pg_store_read(p, u->arena, &v)))
        return e;
    if ((row->found = p->db.pq->tuples(p->rows) > 0)) {
        row->handle = pg_connection_number(&p->db, p->rows, 0, 0);
        row->size = (size_t)pg_connection_number(&p->db, p->rows, 0, 1);
        row->body = arena_span(u->arena, pg_connection_bytes(&p->db, p->rows, 0, 2));
        note_version(p, row->handle);
    }
    pg_store_forget_rows(p);
    if (u->writes)
        add_change(u, row)->body = arena_span(p->work, row->body);
    return NULL;
}

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
    note_version(p, change->version);
    change->has = has;
    change->wrote = true;
    change->handle = next_version(p);
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
    arena_charge(u->arena, 2 * STEPS_OF_CALL + body.len / BYTES_AT_STEP);
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

/* --- spaces and tables ------------------------------------------------------------------------ */

static const struct error *number_space(struct unit *u, unsigned parts)
{
    struct pg_store *p = pg_store_of(u->store);
    uint32_t number = u->store->next_space;
    const size_t known = p->parts_count;
    struct pg_values *v;

    p->parts = arena_kept_room(u->arena, p->parts, (size_t)number + 1, &p->parts_count, 1);
    memset(p->parts + known, 0, p->parts_count - known);
    p->parts[number] = (uint8_t)parts;
    v = pg_store_later(u, PG_META_PUT);
    pg_values_bytes(v, SPAN_LIT(PG_META_SPACE));
    pg_values_int8(v, (int64_t)number + 1);
    v = pg_store_later(u, PG_SPACE_ADD);
    pg_values_int4(v, number);
    pg_values_int4(v, parts);
    return NULL;
}

static const struct error *drop_space(struct unit *u, uint32_t number)
{
    struct store *s = u->store;
    struct space *known = spaces_get(u->arena, &s->spaces, number);
    struct pg_values *v = pg_store_later(u, known->now.entries ? PG_SPACE_DOOM : PG_SPACE_FORGET);

    pg_values_int4(v, number);
    if (known->now.entries) {
        pg_values_int8(v, next_version(pg_store_of(s)));
        s->may_have_doomed = true;
    }
    spaces_drop(&s->spaces, known);
    return NULL;
}

#define REAPED_AT_ONCE 1000

/* Deletes up to the last of a space's next keys; with the last of them, the space's row. */
static const struct error *reap_slice(struct unit *u, uint32_t space, bool *is_last)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_values v = {.which = PG_RANGE_KEYS_UP}, *later;
    const struct error *e;
    int count;

    for (uint32_t i = 0; i < 2; i++) {
        pg_values_int4(&v, space + i);
        pg_values_int4(&v, INT32_MIN);
        pg_values_bytes(&v, SPAN_LIT(""));
    }
    pg_values_int8(&v, REAPED_AT_ONCE);
    if ((e = pg_store_read(p, u->arena, &v)))
        return e;
    count = p->db.pq->tuples(p->rows);
    *is_last = count < REAPED_AT_ONCE;
    if (count) {
        later = pg_store_later(u, PG_SPACE_REAP);
        pg_values_int4(later, space);
        pg_values_int4(later, pg_connection_number(&p->db, p->rows, count - 1, 1));
        pg_values_bytes(later,
                        arena_span(u->arena, pg_connection_bytes(&p->db, p->rows, count - 1, 2)));
    }
    if (*is_last)
        pg_values_int4(pg_store_later(u, PG_SPACE_FORGET), space);
    return NULL;
}

static const struct error *reap(struct unit *u, bool *more)
{
    struct pg_store *p = pg_store_of(u->store);
    const struct error *e = pg_store_read(p, u->arena,
                                          &(struct pg_values){.which = PG_SPACE_DOOMED});
    uint32_t space;
    bool is_last;
    int count;

    *more = false;
    if (e)
        return e;
    if (!(count = p->db.pq->tuples(p->rows))) {
        u->store->may_have_doomed = false;
        return NULL;
    }
    space = (uint32_t)pg_connection_number(&p->db, p->rows, 0, 0);
    if ((e = reap_slice(u, space, &is_last)))
        return e;
    *more = !is_last || count > 1;
    return NULL;
}

static bool is_doomed(struct store *s, uint32_t space)
{
    struct pg_store *p = pg_store_of(s);
    struct pg_values v = {.which = PG_SPACE_IS_DOOMED};
    struct arena *a = arena_new();
    bool doomed;

    pg_values_int4(&v, space);
    doomed = pg_store_read(p, a, &v) || p->db.pq->tuples(p->rows) > 0;
    arena_free(a);
    return doomed;
}

static const struct error *put_table(struct unit *u, const struct table *t)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_values *v = pg_store_later(u, PG_TABLE_PUT);

    pg_values_bytes(v, schema_id(p->work, t->region, t->name));
    pg_values_int8(v, next_version(p));
    pg_values_bytes(v, schema_encode(p->work, t));
    return NULL;
}

static const struct error *remove_table(struct unit *u, struct span id)
{
    pg_values_bytes(pg_store_later(u, PG_TABLE_REMOVE),
                    arena_span(pg_store_of(u->store)->work, id));
    return NULL;
}

/* The database copies the space when the unit is kept; until then its entries are read from the
 * original. */
static const struct error *begin_copy(struct unit *u, uint32_t from, uint32_t *to)
{
    struct pg_store *p = pg_store_of(u->store);
    struct space_stats counts = store_stats(u->store, from);
    const struct error *e = unit_new_space(u, from < p->parts_count ? p->parts[from] : 0, to);

    if (e)
        return e;
    p->copies = arena_kept_room(u->arena, p->copies, p->copy_count + 1, &p->copy_room,
                                sizeof *p->copies);
    p->copies[p->copy_count++] = (struct pg_copy){from, *to};
    counts.spared = 0;
    spaces_change(&u->store->spaces, spaces_get(u->arena, &u->store->spaces, *to), counts);
    return NULL;
}

/* --- keeping ---------------------------------------------------------------------------------- */

const struct error *pg_unit_begin(struct store *s, struct arena *a)
{
    (void)s;
    (void)a;
    assert(!pg_store_of(s)->change_count && !pg_store_of(s)->later_count);
    return NULL;
}

static void forget_changes(struct pg_store *p)
{
    arena_reset(p->work);
    p->change_count = p->later_count = p->copy_count = 0;
}

void pg_unit_undo(struct store *s)
{
    forget_changes(pg_store_of(s));
    spaces_undo_unit(&s->spaces);
    catalog_undo(&s->catalog, s->unit_changes);
}

static void send_copy(struct pg_store *p, const struct pg_copy *c)
{
    struct pg_values patience = {.which = PG_SETTING_LOCAL}, copy = {.which = PG_SPACE_COPY};

    pg_values_bytes(&patience, SPAN_LIT("statement_timeout"));
    pg_values_bytes(&patience, SPAN_LIT("0"));
    pg_connection_send(&p->db, &patience);
    pg_values_int4(&copy, c->from);
    pg_values_int4(&copy, c->to);
    pg_connection_send(&p->db, &copy);
}

static bool is_sent(const struct pg_change *c)
{
    return c->wrote && (c->had || c->has);
}

static void send_change(struct pg_store *p, const struct pg_change *c)
{
    struct pg_values v = {.which = !c->had ? PG_ADD : c->has ? PG_PUT : PG_REMOVE};

    pg_values_int4(&v, c->place.space);
    pg_values_int4(&v, c->place.slot);
    pg_values_bytes(&v, c->place.key);
    if (c->had)
        pg_values_int8(&v, c->version);
    if (c->has) {
        pg_values_int8(&v, c->handle);
        pg_values_int4(&v, (int64_t)c->size);
        if (!c->had && c->place.is_short)
            pg_values_bytes(&v, c->place.whole);
        else if (!c->had)
            pg_values_null(&v);
        pg_values_bytes(&v, c->body);
    }
    pg_connection_send(&p->db, &v);
}

/* Counts are kept as differences, so that processes do not write over each other's. */
static void send_tally(struct pg_store *p, const struct space *space)
{
    struct pg_values v = {.which = space->dropped ? PG_TALLY_REMOVE : PG_TALLY_ADD};

    pg_values_int4(&v, space->number);
    if (!space->dropped) {
        pg_values_int4(&v, PG_SLOT);
        pg_values_int8(&v, space->now.entries - space->kept.entries);
        pg_values_int8(&v, space->now.bytes - space->kept.bytes);
        pg_values_int8(&v, space->now.spared - space->kept.spared);
    }
    pg_connection_send(&p->db, &v);
}

#define NUMBERS_AT_ONCE 4096 /* are reserved, so that few units have to save the last number */

static void send_number(struct pg_store *p)
{
    struct pg_values v = {.which = PG_META_PUT};

    if (p->store.number <= p->number_reserved)
        return;
    pg_values_bytes(&v, SPAN_LIT(PG_META_NUMBER));
    pg_values_int8(&v, (int64_t)p->store.number + NUMBERS_AT_ONCE);
    pg_connection_send(&p->db, &v);
}

/* The row of `process` comes first: who does not have it any more, and a unit that was done before
 * its connection was lost, change nothing. */
static void send_unit(struct pg_store *p)
{
    struct pg_values v = {.which = PG_PROCESS_UNIT};
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    pg_values_int4(&v, PG_SLOT);
    pg_values_int8(&v, p->epoch);
    pg_values_int8(&v, p->unit);
    pg_values_int8(&v, (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + PG_LEASE_MS);
    pg_connection_send(&p->db, &v);
    send_number(p);
    for (size_t i = 0; i < p->copy_count; i++)
        send_copy(p, &p->copies[i]);
    for (size_t i = 0; i < p->later_count; i++)
        pg_connection_send(&p->db, p->later[i]);
    p->statements_before = p->db.sent_statements;
    for (size_t i = 0; i < p->change_count; i++)
        if (is_sent(p->changes[i]))
            send_change(p, p->changes[i]);
    for (const struct space *space = p->store.spaces.unit; space; space = space->unit_next)
        send_tally(p, space);
}

/* After the row of `process` could not be changed: whether this unit was done before, or another
 * process has the row. */
static enum pg_outcome look_at_process(struct pg_store *p, int64_t deadline_ms)
{
    struct pg_values v = {.which = PG_PROCESS_GET};
    struct pg_result *row = NULL;
    enum pg_outcome outcome;
    int64_t unit = 0;

    pg_values_int4(&v, PG_SLOT);
    pg_connection_send(&p->db, &v);
    if ((outcome = pg_connection_finish(&p->db, deadline_ms, &row)) != PG_DONE)
        return outcome;
    p->is_taken = p->db.pq->tuples(row) != 1 || pg_connection_number(&p->db, row, 0, 0) != p->epoch;
    if (!p->is_taken)
        unit = pg_connection_number(&p->db, row, 0, 1);
    p->db.pq->clear(row);
    return !p->is_taken && unit == p->unit ? PG_DONE : PG_MISSED;
}

/* Sends the unit until its outcome is known, or the time is over. */
static enum pg_outcome send_until_known(struct pg_store *p)
{
    int64_t deadline_ms = pg_connection_now_ms() + (p->copy_count ? COPY_MS : PG_CALL_MS);
    enum pg_outcome outcome = PG_LOST;

    for (int tries = 0; tries < TRIES && pg_connection_now_ms() < deadline_ms; tries++) {
        if (!pg_store_connect(p, deadline_ms))
            return PG_LOST;
        send_unit(p);
        outcome = pg_connection_finish(&p->db, deadline_ms, NULL);
        if (outcome == PG_MISSED && p->db.failed_at == 0)
            outcome = look_at_process(p, deadline_ms);
        if (outcome != PG_LOST && outcome != PG_AGAIN)
            return outcome;
    }
    return outcome;
}

/* The key of the entry whose change failed, or no bytes. */
static struct span failed_key(const struct pg_store *p)
{
    size_t at = p->statements_before;

    for (size_t i = 0; i < p->change_count; i++)
        if (is_sent(p->changes[i]) && at++ == p->db.failed_at)
            return p->changes[i]->place.whole;
    return (struct span){NULL, 0};
}

static bool changes_nothing(const struct pg_store *p)
{
    bool wrote = p->later_count || p->copy_count || p->store.spaces.unit;

    for (size_t i = 0; !wrote && i < p->change_count; i++)
        wrote = p->changes[i]->wrote;
    return !wrote;
}

static const struct error *not_kept(struct pg_store *p, struct arena *a, enum pg_outcome outcome)
{
    const struct error *e;
    struct span key;

    if (outcome == PG_MISSED && !p->is_taken) {
        key = arena_span(a, failed_key(p));
        pg_unit_undo(&p->store);
        return store_conflict(&p->store, a, key);
    }
    e = pg_store_failed(p, a,
                        p->is_taken ? "another process has the schema now" : "cannot keep a unit");

    if (outcome == PG_LOST || outcome == PG_AGAIN) /* it may have been done */
        p->store.is_outdated = p->store.group_lost = true;
    pg_unit_undo(&p->store);
    return e;
}

const struct error *pg_unit_keep(struct store *s, struct arena *a)
{
    struct pg_store *p = pg_store_of(s);
    enum pg_outcome outcome;

    if (!changes_nothing(p)) {
        p->unit = next_version(p);
        if ((outcome = send_until_known(p)) != PG_DONE)
            return not_kept(p, a, outcome);
        if (s->number > p->number_reserved)
            p->number_reserved = s->number + NUMBERS_AT_ONCE;
        p->kept++;
    }
    forget_changes(p);
    spaces_keep_unit(&s->spaces);
    spaces_flushed(&s->spaces);
    catalog_keep(&s->catalog);
    return NULL;
}

/* --- the engine ------------------------------------------------------------------------------- */

static void leave_unit(struct store *s)
{
    pg_store_forget_rows(pg_store_of(s));
}

static size_t memory_in_use(const struct store *s)
{
    return sizeof *pg_store_of(s) + s->spaces.count * sizeof(struct space);
}

static void free_store(struct store *s)
{
    struct pg_store *p = pg_store_of(s);

    pg_store_leave(p);
    pg_store_forget_rows(p);
    pg_cursor_free_idle(p);
    pg_connection_close(&p->db);
    free(p->parts);
    free(p->changes);
    free(p->later);
    free(p->copies);
    arena_free(p->arena);
    arena_free(p->work);
    free(p);
}

const struct store_engine pg_engine = {
    .free = free_store,
    .memory = memory_in_use,
    .begin = pg_unit_begin,
    .keep = pg_unit_keep,
    .undo = pg_unit_undo,
    .leave = leave_unit,
    .get = get_entry,
    .put = put_entry,
    .delete = remove_entry,
    .link = link_entry,
    .unlink = unlink_entry,
    .delete_range = delete_range,
    .number_space = number_space,
    .drop_space = drop_space,
    .reap = reap,
    .is_doomed = is_doomed,
    .put_table = put_table,
    .remove_table = remove_table,
    .open_cursor = pg_cursor_open,
    .next = pg_cursor_next,
    .close_cursor = pg_cursor_close,
    .begin_copy = begin_copy,
    .refresh = pg_store_refresh,
    .renew = pg_store_renew,
    .answers = pg_store_answers,
};
