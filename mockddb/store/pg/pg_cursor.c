/* Cursors: chunks of a range, read in order and merged with what the writing unit has changed. */
#include "store/pg/pg_store.h"

#include <stdlib.h>

#define FIRST_ROWS  32 /* of the first chunk, if the range does not say how many are expected … */
#define MOST_FIRST  100 /* … or if it does: how large the bodies are is not known yet */
#define CHUNK_BYTES ((int64_t)1 << 20)
#define MOST_ROWS   4096
#define ROW_BYTES   200 /* of keys and what is beside them */

/* What is charged to a request's budget, as in the other engines. */
#define STEPS_OF_ROW 30

struct pg_cursor {
    struct cursor cursor;
    struct store_range range;
    struct pg_place low, high; /* high moves down, low moves up, when a row was returned */
    struct pg_result *rows;
    int row, row_count;
    bool is_last;         /* the chunk reaches the end of the range */
    int64_t limit;        /* rows of the next chunk */
    int64_t count, bytes; /* of the rows so far */
    uint64_t seen;        /* the units that had been kept when the chunk was read */
    char *last;           /* bytes of the last row's key, short and whole */
    size_t last_room;
    struct pg_cursor *idle; /* the next one in the list of idle ones */
};

struct cursor *pg_cursor_open(struct unit *u, struct store_range range)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_cursor *c = p->idle;
    char *last;
    size_t room;

    if (c)
        p->idle = c->idle;
    else if (!(c = calloc(1, sizeof *c)))
        arena_out_of_memory(u->arena);
    last = c->last;
    room = c->last_room;
    *c = (struct pg_cursor){.last = last, .last_room = room, .limit = FIRST_ROWS, .range = range};
    if (range.expected)
        c->limit = range.expected < MOST_FIRST ? range.expected : MOST_FIRST;
    c->low = pg_store_place(p, u->arena, arena_span(u->arena, range.low));
    c->high = pg_store_place(p, u->arena, arena_span(u->arena, range.high));
    return &c->cursor;
}

static void drop_rows(struct pg_cursor *c, const struct pg_store *p)
{
    if (c->rows)
        p->db.pq->clear(c->rows);
    c->rows = NULL;
    c->row = c->row_count = 0;
}

/* Notes how large the chunk's rows are. The next one has as many as are expected, or four times as
 * many as this one, as far as rows of the mean size fit into it. The sizes in counts would not do:
 * an entry of an index has the whole item's body. */
static void measure_chunk(struct pg_cursor *c, const struct pg_store *p)
{
    int64_t fits, wanted;

    for (int i = 0; i < c->row_count; i++)
        c->bytes += ROW_BYTES + (c->range.keys_only ? 0 : p->db.pq->length(c->rows, i, 6));
    c->count += c->row_count;
    fits = CHUNK_BYTES * c->count / (c->bytes ? c->bytes : 1) + 1;
    wanted = c->range.expected > c->count ? c->range.expected - c->count : 4 * c->limit;
    if (fits > MOST_ROWS)
        fits = MOST_ROWS;
    c->limit = wanted < fits ? wanted : fits;
}

static const struct error *read_chunk(struct pg_cursor *c)
{
    struct pg_store *p = pg_store_of(c->cursor.unit->store);
    struct pg_place low = pg_store_source(p, c->low), high = pg_store_source(p, c->high);
    bool in_part = low.space == high.space && low.slot == high.slot;
    struct pg_values v = {.which = in_part ? PG_PART_UP : PG_RANGE_UP};
    const struct error *e;

    if (low.space != c->low.space && high.space == c->low.space + 1) /* all of the copy */
        high.space = low.space + 1;
    drop_rows(c, p);
    v.which = (enum pg_sql)((int)v.which + (c->range.backwards ? 1 : 0) +
                            (c->range.keys_only ? 2 : 0));
    pg_values_int4(&v, low.space);
    pg_values_int4(&v, low.slot);
    pg_values_bytes(&v, low.key);
    if (!in_part) {
        pg_values_int4(&v, high.space);
        pg_values_int4(&v, high.slot);
    }
    pg_values_bytes(&v, high.key);
    pg_values_int8(&v, c->limit);
    if ((e = pg_store_read(p, c->cursor.unit->arena, &v)))
        return e;
    c->rows = p->rows;
    p->rows = NULL;
    c->row_count = p->db.pq->tuples(c->rows);
    c->is_last = c->row_count < c->limit;
    c->seen = p->kept;
    measure_chunk(c, p);
    return NULL;
}

/* The place of the chunk's current row. Its space is the copy's, if it was read from the original.
 */
static struct pg_place place_of_row(const struct pg_cursor *c, const struct pg_store *p)
{
    const struct pg_connection *db = &p->db;
    struct pg_place place = {.space = (uint32_t)pg_connection_number(db, c->rows, c->row, 0),
                             .slot = (int32_t)pg_connection_number(db, c->rows, c->row, 1),
                             .key = pg_connection_bytes(db, c->rows, c->row, 2)};

    if (!db->pq->is_null(c->rows, c->row, 5)) {
        place.whole = pg_connection_bytes(db, c->rows, c->row, 5);
        place.is_short = true;
    }
    if (place.space == pg_store_source(p, c->low).space)
        place.space = c->low.space;
    return place;
}

/* The writing unit's next entry in the rest of the range, among those that it has changed. */
static const struct pg_change *next_change(const struct pg_cursor *c, const struct pg_store *p)
{
    size_t i;

    if (!c->range.backwards) {
        for (i = pg_store_change_at(p, &c->low); i < p->change_count; i++)
            if (p->changes[i]->wrote)
                return pg_key_compare(&p->changes[i]->place, &c->high) < 0 ? p->changes[i] : NULL;
        return NULL;
    }
    for (i = pg_store_change_at(p, &c->high); i > 0; i--)
        if (p->changes[i - 1]->wrote)
            return pg_key_compare(&p->changes[i - 1]->place, &c->low) >= 0 ? p->changes[i - 1]
                                                                           : NULL;
    return NULL;
}

/* The row was returned or passed over: the rest of the range is behind it. Its keys are copied,
 * since the chunk or the unit that has them may end before the next call. */
static void move_behind(struct pg_cursor *c, const struct pg_place *place, struct buf *whole)
{
    size_t key = place->key.len, size = key + 1 + whole->len;
    struct pg_place *end = c->range.backwards ? &c->high : &c->low;

    c->last = arena_kept_room(c->cursor.unit->arena, c->last, size, &c->last_room, 1);
    if (key)
        memcpy(c->last, place->key.at, key);
    c->last[key] = '\0';
    if (whole->len)
        memcpy(c->last + key + 1, whole->at, whole->len);
    *end = *place;
    end->key = (struct span){c->last, key + !c->range.backwards};
    end->whole = (struct span){c->last + key + 1, whole->len};
}

/* The whole key of an entry. A copy's long keys begin with their own space. */
static struct span whole_key(struct arena *a, const struct pg_place *place, struct buf *out)
{
    *out = buf_in(a);
    if (place->is_short) {
        buf_add_big_endian(out, place->space, KEY_SPACE_LEN);
        buf_add_span(out, span_from(place->whole, KEY_SPACE_LEN));
    } else {
        pg_key_add_whole(out, place);
    }
    return buf_span(out);
}

static void fill_row(struct pg_cursor *c, const struct pg_store *p, const struct pg_change *change,
                     struct store_row *row)
{
    const struct pg_connection *db = &p->db;

    row->found = true;
    row->key = (c->range.backwards ? c->high : c->low).whole;
    row->body = (struct span){"", 0};
    if (change) {
        row->handle = change->handle;
        row->size = change->size;
        if (!c->range.keys_only)
            row->body = change->body;
        return;
    }
    row->handle = pg_connection_number(db, c->rows, c->row, 3);
    row->size = (size_t)pg_connection_number(db, c->rows, c->row, 4);
    if (!c->range.keys_only)
        row->body = pg_connection_bytes(db, c->rows, c->row, 6);
}

const struct error *pg_cursor_next(struct cursor *cursor, struct store_row *row)
{
    struct pg_cursor *c = (struct pg_cursor *)cursor;
    struct pg_store *p = pg_store_of(cursor->unit->store);
    struct arena *a = cursor->unit->arena;
    const struct pg_change *change;
    const struct error *e;
    struct arena_mark mark;
    struct pg_place place;
    struct buf whole;
    int order;

    arena_charge(a, STEPS_OF_ROW);
    row->found = false;
    for (;;) {
        if ((!c->rows || c->seen != p->kept || (c->row == c->row_count && !c->is_last)) &&
            (e = read_chunk(c)))
            return e;
        change = next_change(c, p);
        if (c->row == c->row_count && !change)
            return NULL;
        order = 1;
        if (c->row < c->row_count) {
            place = place_of_row(c, p);
            order = !change ? -1 : pg_key_compare(&place, &change->place);
            if (c->range.backwards && change)
                order = -order;
        }
        if (order >= 0)
            place = change->place;
        else
            change = NULL;
        mark = arena_mark(a);
        (void)whole_key(a, &place, &whole);
        move_behind(c, &place, &whole);
        arena_release(a, mark);
        if (!change || change->has)
            fill_row(c, p, change, row);
        c->row += order <= 0;
        if (row->found)
            return NULL;
    }
}

void pg_cursor_close(struct cursor *cursor)
{
    struct pg_cursor *c = (struct pg_cursor *)cursor;
    struct pg_store *p = pg_store_of(cursor->unit->store);

    drop_rows(c, p);
    cursor->unit = NULL;
    c->idle = p->idle;
    p->idle = c;
}

void pg_cursor_free_idle(struct pg_store *p)
{
    while (p->idle) {
        struct pg_cursor *c = p->idle;

        p->idle = c->idle;
        free(c->last);
        free(c);
    }
}
