/* Copies of spaces as of one moment, while any process changes the original.
 *
 * A small space is copied by one statement when the unit is kept; until then the unit reads the
 * original. Of a larger one the beginning is kept first, as an entry that each process loads:
 *
 *   key = KEY_SPACE_COPIES | to (4 bytes)    body = from (4) | marks (4) [| slot (4) | key]
 *
 * From then on each unit marks the entries that it changes for the first time, in the space
 * `marks`, and adds those that exist to the copy before it changes them. The beginning also gives
 * the table another version, so that no unit is kept any more that does not know of it. When all
 * processes know, no such unit is left, and slices add the other entries, up to the place in the
 * body: what has a mark is in the copy already, or is newer than it. After the last slice the place
 * is left out, and units mark nothing any more; when all processes know of that as well, nothing
 * adds to the copy, and it is done. */
#include "store/pg/pg_schema.h"
#include "store/pg/pg_store.h"

#define AT_ONCE       1000 /* entries that are copied by one statement, or in one slice … */
#define AT_ONCE_BYTES ((int64_t)8 << 20)

/* A key that is behind all others of its slot has one byte more of FF than a partition (pg_key.h).
 */
#define BEHIND_ALL 257

#define HEAD_LEN 8 /* of the body, without the place */

enum copy_state { COPY_NONE, COPY_MARKS, COPY_CLOSED };

struct pg_slices {
    uint32_t from, to, marks;
    enum copy_state state, next; /* as it is kept, and in the writing unit */
    int64_t version;             /* that the beginning or the end gives the table */
};

/* --- the list --------------------------------------------------------------------------------- */

static struct pg_slices *find_slices(const struct pg_store *p, uint32_t to)
{
    for (size_t i = 0; i < p->slices_count; i++)
        if (p->slices[i].to == to && p->slices[i].next != COPY_NONE)
            return &p->slices[i];
    return NULL;
}

/* In the order of their new spaces, whose numbers ascend. */
static struct pg_slices *add_slices(struct pg_store *p, struct arena *a, struct pg_slices new)
{
    p->slices = arena_kept_room(a, p->slices, p->slices_count + 1, &p->slices_room,
                                sizeof *p->slices);
    p->slices[p->slices_count] = new;
    return &p->slices[p->slices_count++];
}

uint32_t pg_copy_next(const struct store *s, uint32_t after)
{
    const struct pg_store *p = pg_store_of(s);

    for (size_t i = 0; i < p->slices_count; i++)
        if (p->slices[i].to > after && p->slices[i].next != COPY_NONE)
            return p->slices[i].to;
    return 0;
}

bool pg_copy_reads(const struct pg_store *p, uint32_t space)
{
    for (size_t i = 0; i < p->slices_count; i++)
        if (p->slices[i].from == space)
            return true;
    return false;
}

static void forget_ended(struct pg_store *p)
{
    size_t count = 0;

    for (size_t i = 0; i < p->slices_count; i++)
        if (p->slices[i].state != COPY_NONE)
            p->slices[count++] = p->slices[i];
    p->slices_count = count;
}

/* The table whose items are copied, or NULL: it is a backup, or is gone. */
static struct table *table_of(const struct pg_store *p, uint32_t space)
{
    for (size_t i = 0; i < p->store.catalog.count; i++)
        if (p->store.catalog.tables[i]->space == space)
            return p->store.catalog.tables[i];
    return NULL;
}

void pg_copy_kept(struct pg_store *p)
{
    for (size_t i = 0; i < p->slices_count; i++) {
        struct pg_slices *s = &p->slices[i];
        struct table *t = s->state != s->next ? table_of(p, s->from) : NULL;

        if (t && s->version > (int64_t)t->version)
            t->version = (uint64_t)s->version;
        s->state = s->next;
    }
    forget_ended(p);
}

void pg_copy_undone(struct pg_store *p)
{
    for (size_t i = 0; i < p->slices_count; i++)
        p->slices[i].next = p->slices[i].state;
    forget_ended(p);
}

/* --- what is kept of it ----------------------------------------------------------------------- */

static const struct error *find_entry(struct unit *u, uint32_t to, struct store_row *row)
{
    struct buf key = buf_in(u->arena);

    key_of_space(&key, KEY_SPACE_COPIES);
    buf_add_big_endian(&key, to, KEY_SPACE_LEN);
    return unit_get(u, buf_span(&key), row);
}

static uint32_t number_at(struct span body, size_t at)
{
    return (uint32_t)span_big_endian((struct span){body.at + at, 4});
}

/* `key` NULL: all entries are copied. */
static const struct error *save_slices(struct unit *u, const struct pg_slices *s,
                                       struct store_row *row, int32_t slot, const struct span *key)
{
    struct buf body = buf_in(u->arena);

    buf_add_big_endian(&body, s->from, 4);
    buf_add_big_endian(&body, s->marks, 4);
    if (key) {
        buf_add_big_endian(&body, (uint32_t)slot, 4);
        buf_add_span(&body, *key);
    }
    return unit_put(u, row, body.len, buf_span(&body));
}

static void all_of_space(struct pg_values *v, uint32_t space, int32_t slot, struct span key)
{
    pg_values_int4(v, space);
    pg_values_int4(v, slot);
    pg_values_bytes(v, key);
    pg_values_int4(v, space + 1);
    pg_values_int4(v, INT32_MIN);
    pg_values_bytes(v, SPAN_LIT(""));
}

const char *pg_copy_load(struct pg_store *p, struct arena *a)
{
    struct pg_values v = {.which = PG_RANGE_UP};
    struct pg_connection *c = &p->db;
    struct pg_result *rows;
    const char *problem;

    all_of_space(&v, KEY_SPACE_COPIES, INT32_MIN, SPAN_LIT(""));
    pg_values_int8(&v, INT32_MAX);
    if ((problem = pg_schema_ask(a, c, &v, &rows)))
        return problem;
    p->slices_count = 0;
    for (int i = 0; i < c->pq->tuples(rows); i++) {
        const uint32_t to = (uint32_t)pg_connection_number(c, rows, i, 1) ^ 0x80000000;
        const struct span body = pg_connection_bytes(c, rows, i, 6);
        const enum copy_state state = body.len > HEAD_LEN ? COPY_MARKS : COPY_CLOSED;

        if (body.len >= HEAD_LEN)
            (void)add_slices(p, NULL,
                             (struct pg_slices){.from = number_at(body, 0),
                                                .to = to,
                                                .marks = number_at(body, 4),
                                                .state = state,
                                                .next = state});
    }
    c->pq->clear(rows);
    return NULL;
}

/* --- beginning and ending --------------------------------------------------------------------- */

/* No unit is kept after this one that has the table as it was. */
static void touch_table(struct unit *u, struct pg_slices *s)
{
    struct pg_store *p = pg_store_of(u->store);
    const struct table *t = table_of(p, s->from);
    struct pg_values *v;

    if (!t)
        return;
    v = pg_store_control(u, PG_TABLE_TOUCH);
    pg_values_bytes(v, schema_id(p->work, t->region, t->name));
    pg_values_int8(v, p->unit_control);
    s->version = p->unit_control;
}

const struct error *pg_copy_begin(struct unit *u, uint32_t from, uint32_t *to)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_slices new = {.from = from, .next = COPY_MARKS}, *added;
    struct space_stats counts;
    struct store_row row;
    const struct error *e;

    if ((e = pg_space_stats(u, from, &counts)) ||
        (e = unit_new_space(u, from < p->parts_count ? p->parts[from] : 0, to)))
        return e;
    if (counts.entries <= AT_ONCE && counts.bytes <= AT_ONCE_BYTES) {
        p->copies = arena_kept_room(u->arena, p->copies, p->copy_count + 1, &p->copy_room,
                                    sizeof *p->copies);
        p->copies[p->copy_count++] = (struct pg_copy){from, *to};
        return NULL;
    }
    new.to = *to;
    if ((e = unit_new_space(u, 0, &new.marks)) || (e = find_entry(u, new.to, &row)))
        return e;
    added = add_slices(p, u->arena, new);
    touch_table(u, added);
    return save_slices(u, added, &row, INT32_MIN, &(struct span){"", 0});
}

/* All entries are copied. From now on units mark nothing, when they know of it. */
static const struct error *close_slices(struct unit *u, struct pg_slices *s, struct store_row *row)
{
    struct pg_values *v = pg_store_control(u, PG_SPACE_AGAIN);

    pg_values_int4(v, s->to);
    pg_values_int8(v, pg_store_of(u->store)->unit_control);
    touch_table(u, s);
    s->next = COPY_CLOSED;
    return save_slices(u, s, row, 0, NULL);
}

static const struct error *end_slices(struct unit *u, struct pg_slices *s, struct store_row *row)
{
    struct pg_values *v = pg_store_control(u, PG_SPACE_DOOM);

    pg_values_int4(v, s->marks);
    pg_values_int8(v, pg_store_of(u->store)->unit_control);
    u->store->may_have_doomed = true;
    s->next = COPY_NONE;
    return row->found ? unit_delete(u, row) : NULL;
}

const struct error *pg_copy_give_up(struct unit *u, uint32_t to)
{
    struct pg_slices *s = find_slices(pg_store_of(u->store), to);
    struct store_row row;
    const struct error *e;

    if (!s || (e = find_entry(u, to, &row)))
        return s ? e : NULL;
    return end_slices(u, s, &row);
}

/* --- sending ---------------------------------------------------------------------------------- */

/* A slice, from a place up to the one before another. */
struct slice {
    uint32_t from, to, marks;
    int32_t slot, next_slot;
    struct span key, next_key;
};

static void slice_values(struct pg_values *v, const struct pg_store *p, const struct slice *s)
{
    pg_values_int4(v, s->from);
    pg_values_int4(v, s->slot);
    pg_values_bytes(v, s->key);
    pg_values_int4(v, s->next_slot);
    pg_values_bytes(v, s->next_key);
    pg_values_int4(v, s->to);
    pg_values_int4(v, s->marks);
    pg_values_int4(v, p->slot);
}

static void send_marks(struct pg_store *p, const struct pg_place *place)
{
    for (size_t i = 0; i < p->slices_count; i++) {
        struct pg_values v = {.which = PG_COPY_MARK};

        if (p->slices[i].from != place->space || p->slices[i].state != COPY_MARKS)
            continue;
        pg_values_int4(&v, place->space);
        pg_values_int4(&v, place->slot);
        pg_values_bytes(&v, place->key);
        pg_values_int4(&v, p->slices[i].to);
        pg_values_int4(&v, p->slices[i].marks);
        pg_values_int4(&v, p->slot);
        pg_connection_send(&p->db, &v);
    }
}

void pg_copy_send(struct pg_store *p)
{
    struct buf behind = buf_in(p->work);

    for (int i = 0; p->copy_count && i < BEHIND_ALL; i++)
        buf_add_char(&behind, '\xff');
    for (size_t i = 0; i < p->copy_count; i++) {
        const struct pg_copy *c = &p->copies[i];
        struct pg_values v = {.which = PG_COPY_SLICE};

        slice_values(&v, p,
                     &(struct slice){.from = c->from,
                                     .to = c->to,
                                     .slot = INT32_MIN,
                                     .key = SPAN_LIT(""),
                                     .next_slot = INT32_MAX,
                                     .next_key = buf_span(&behind)});
        pg_connection_send(&p->db, &v);
    }
    for (size_t i = 0; p->slices_count && i < p->change_count; i++)
        if (p->changes[i]->wrote && (p->changes[i]->had || p->changes[i]->has))
            send_marks(p, &p->changes[i]->place);
}

/* --- slices ----------------------------------------------------------------------------------- */

/* The number of the next rows, of the last read, that are copied together. */
static int rows_of_slice(const struct pg_store *p)
{
    const int count = p->db.pq->tuples(p->rows);
    int64_t bytes = 0;
    int i = 0;

    while (i < count && (!i || bytes < AT_ONCE_BYTES))
        bytes += pg_connection_number(&p->db, p->rows, i++, 4);
    return i;
}

static const struct error *copy_slice(struct unit *u, struct pg_slices *s, struct store_row *row)
{
    struct pg_store *p = pg_store_of(u->store);
    const int32_t slot = (int32_t)number_at(row->body, HEAD_LEN);
    struct span key = span_from(row->body, HEAD_LEN + 4);
    struct pg_values keys = {.which = PG_RANGE_KEYS_UP};
    struct buf behind = buf_in(u->arena);
    const struct error *e;
    int32_t last;
    int count;

    all_of_space(&keys, s->from, slot, key);
    pg_values_int8(&keys, AT_ONCE);
    if ((e = pg_store_read(p, u->arena, &keys)))
        return e;
    if (!(count = rows_of_slice(p)))
        return close_slices(u, s, row);
    last = (int32_t)pg_connection_number(&p->db, p->rows, count - 1, 1);
    buf_add_span(&behind, pg_connection_bytes(&p->db, p->rows, count - 1, 2));
    buf_add_char(&behind, '\0');
    slice_values(pg_store_later(u, PG_COPY_SLICE), p,
                 &(struct slice){.from = s->from,
                                 .to = s->to,
                                 .marks = s->marks,
                                 .slot = slot,
                                 .key = arena_span(p->work, key),
                                 .next_slot = last,
                                 .next_key = arena_span(p->work, buf_span(&behind))});
    key = buf_span(&behind);
    return save_slices(u, s, row, last, &key);
}

const struct error *pg_copy_step(struct unit *u, uint32_t to, bool *more)
{
    struct pg_slices *s = find_slices(pg_store_of(u->store), to);
    struct store_row row;
    const struct error *e;

    *more = s != NULL;
    if (!s || s->state == COPY_NONE) /* the beginning must be kept first */
        return NULL;
    if ((e = find_entry(u, to, &row)))
        return e;
    if (row.body.len > HEAD_LEN)
        return copy_slice(u, s, &row);
    *more = false;
    return end_slices(u, s, &row);
}
