/* Spaces: their numbers, their counts, and what becomes of them when they are given up. */
#include "store/pg/pg_store.h"

const struct error *pg_space_number(struct unit *u, unsigned parts)
{
    struct pg_store *p = pg_store_of(u->store);
    uint32_t number = u->store->next_space;
    struct pg_values *v;

    pg_store_note_space(p, u->arena, number, parts);
    v = pg_store_control(u, PG_META_PUT);
    pg_values_bytes(v, SPAN_LIT(PG_META_SPACE));
    pg_values_int8(v, (int64_t)number + 1);
    v = pg_store_control(u, PG_SPACE_ADD);
    pg_values_int4(v, number);
    pg_values_int4(v, parts);
    pg_values_int8(v, p->unit_control);
    return NULL;
}

const struct error *pg_space_known(struct unit *u, uint32_t space, bool *known)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_values v = {.which = PG_SPACE_UNKNOWN};
    const struct error *e;

    pg_values_int4(&v, space);
    pg_values_int4(&v, p->slot);
    if ((e = pg_store_read(p, u->arena, &v)))
        return e;
    *known = p->db.pq->tuples(p->rows) == 0;
    pg_store_forget_rows(p);
    return NULL;
}

/* --- counts ----------------------------------------------------------------------------------- */

/* The spaces of the table that has this one, which are asked for together; else only this one. */
static size_t spaces_beside(struct unit *u, uint32_t number, uint32_t **out)
{
    const struct catalog *all = &u->store->catalog;

    for (size_t i = 0; i < all->count; i++) {
        const struct table *t = all->tables[i];
        bool has = t->space == number;

        for (size_t j = 0; j < t->index_count; j++)
            has = has || t->indexes[j].space == number;
        if (!has)
            continue;
        *out = arena_array(u->arena, t->index_count + 1, sizeof **out);
        (*out)[t->index_count] = t->space;
        for (size_t j = 0; j < t->index_count; j++)
            (*out)[j] = t->indexes[j].space;
        return t->index_count + 1;
    }
    *out = arena_alloc(u->arena, sizeof **out);
    **out = number;
    return 1;
}

static const struct error *read_counts(struct unit *u, const uint32_t *spaces, size_t count)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_values v = {.which = PG_TALLY_SUM};
    const struct error *e;

    pg_values_bytes(&v, pg_unit_int4_array(u->arena, spaces, count));
    if ((e = pg_store_read(p, u->arena, &v)))
        return e;
    p->counts = arena_kept_room(u->arena, p->counts, p->count_count + count, &p->count_room,
                                sizeof *p->counts);
    for (size_t i = 0; i < count; i++) {
        struct pg_count *new = &p->counts[p->count_count++];

        *new = (struct pg_count){.space = spaces[i]};
        for (int j = 0; j < p->db.pq->tuples(p->rows); j++)
            if (pg_connection_number(&p->db, p->rows, j, 0) == new->space)
                new->stats = (struct space_stats){
                    .entries = pg_connection_number(&p->db, p->rows, j, 1),
                    .bytes = pg_connection_number(&p->db, p->rows, j, 2),
                    .spared = pg_connection_number(&p->db, p->rows, j, 3)};
    }
    pg_store_forget_rows(p);
    return NULL;
}

static bool find_counts(const struct pg_store *p, uint32_t space, struct space_stats *out)
{
    *out = (struct space_stats){.entries = 0};
    for (size_t i = 0; i < p->count_count; i++)
        if (p->counts[i].space == space) {
            *out = p->counts[i].stats;
            return true;
        }
    return false;
}

/* In memory is only what the writing unit changes. */
const struct error *pg_space_stats(struct unit *u, uint32_t number, struct space_stats *out)
{
    struct pg_store *p = pg_store_of(u->store);
    const struct space *space = spaces_find(&u->store->spaces, number);
    struct space_stats kept;
    const struct error *e;
    uint32_t *spaces;
    size_t count;

    *out = space ? space->now : (struct space_stats){.entries = 0};
    if (space && space->dropped)
        return NULL;
    if (!find_counts(p, number, &kept)) {
        count = spaces_beside(u, number, &spaces);
        if ((e = read_counts(u, spaces, count)))
            return e;
        (void)find_counts(p, number, &kept);
    }
    out->entries += kept.entries;
    out->bytes += kept.bytes;
    out->spared += kept.spared;
    return NULL;
}

const struct error *pg_space_is_empty(struct unit *u, uint32_t space, bool *empty)
{
    struct store_range range = cursor_range(u->arena, space);
    const struct error *e;
    struct store_row row;
    struct cursor *c;

    range.keys_only = true;
    range.expected = 1;
    c = cursor_open(u, range);
    e = cursor_next(c, &row);
    *empty = !row.found;
    cursor_close(c);
    return e;
}

/* --- giving up -------------------------------------------------------------------------------- */

const struct error *pg_space_drop(struct unit *u, uint32_t number)
{
    struct store *s = u->store;
    const struct error *e = pg_copy_give_up(u, number);
    struct pg_values *v = pg_store_control(u, PG_SPACE_DOOM);

    if (e)
        return e;
    pg_values_int4(v, number);
    pg_values_int8(v, pg_store_of(s)->unit_control);
    spaces_drop(&s->spaces, spaces_get(u->arena, &s->spaces, number));
    s->may_have_doomed = true;
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
    if (*is_last) {
        pg_values_int4(pg_store_later(u, PG_SHARD_REMOVE), space);
        pg_values_int4(pg_store_later(u, PG_TALLY_REMOVE), space);
        pg_values_int4(pg_store_later(u, PG_SPACE_FORGET), space);
    }
    return NULL;
}

const struct error *pg_space_reap(struct unit *u, bool *more)
{
    struct pg_store *p = pg_store_of(u->store);
    struct pg_values v = {.which = PG_SPACE_DOOMED};
    uint32_t space = 0;
    bool is_last;
    int count, i = 0;
    const struct error *e;

    *more = false;
    pg_values_int4(&v, p->slot);
    if ((e = pg_store_read(p, u->arena, &v)))
        return e;
    count = p->db.pq->tuples(p->rows);
    while (i < count &&
           pg_copy_reads(p, space = (uint32_t)pg_connection_number(&p->db, p->rows, i, 0)))
        i++;
    if (i == count)
        return NULL;
    if ((e = reap_slice(u, space, &is_last)))
        return e;
    *more = !is_last || count > i + 1;
    return NULL;
}

bool pg_space_is_doomed(struct store *s, uint32_t space)
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
