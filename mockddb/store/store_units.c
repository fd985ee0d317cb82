#include "base/log.h"
#include "store/space_copy.h"
#include "store/store_core.h"

#include <assert.h>

bool unit_writes(const struct unit *u)
{
    return u->writes;
}

const struct error *unit_begin(struct store *s, struct arena *a, enum unit_kind kind,
                               struct unit **out)
{
    struct unit *u = &s->units[s->unit_count];
    const struct error *e;

    assert(s->unit_count < STORE_UNITS);
    if (kind == UNIT_WRITES) {
        assert(!s->writer);
        if ((e = s->engine->begin(s, a)))
            return e;
        s->unit_changes = s->catalog.change_count;
        s->writer = u;
    }
    *u = (struct unit){.store = s, .arena = a, .writes = kind == UNIT_WRITES};
    s->unit_count++;
    *out = u;
    return NULL;
}

/* Removes the innermost unit. */
static void leave(struct unit *u)
{
    struct store *s = u->store;

    while (u->cursors)
        cursor_close(u->cursors);
    if (u->writes)
        s->writer = NULL;
    s->unit_count--;
}

/* Undoes the open units inside this one. */
static void undo_inner(const struct unit *u)
{
    struct store *s = u->store;

    assert(u >= s->units && u < s->units + s->unit_count);
    while (&s->units[s->unit_count - 1] != u)
        unit_undo(&s->units[s->unit_count - 1]);
}

const struct error *unit_keep(struct unit *u)
{
    undo_inner(u);
    leave(u);
    if (u->writes)
        return u->store->engine->keep(u->store, u->arena);
    if (u->store->engine->want)
        u->store->engine->leave(u->store);
    return NULL;
}

void unit_undo(struct unit *u)
{
    undo_inner(u);
    leave(u);
    u->store->engine->leave(u->store);
    if (u->writes)
        u->store->engine->undo(u->store);
}

void store_abandon(struct store *s)
{
    if (s->unit_count)
        unit_undo(&s->units[0]);
}

/* --- conflicts -------------------------------------------------------------------------------- */

const struct error *store_conflict(struct store *s, struct arena *a, struct span key)
{
    if (s->conflict.room < key.len)
        s->conflict.at = process_realloc(s->conflict.at, s->conflict.room = key.len);
    if (key.len)
        memcpy(s->conflict.at, key.at, key.len);
    s->conflict.len = key.len;
    arena_run_again(a);
    return error_internal(a);
}

bool store_is_shared(const struct store *s)
{
    return s->engine->owns != NULL;
}

bool store_owns(struct store *s)
{
    return !store_is_shared(s) || s->engine->owns(s);
}

const struct error *store_confirm(struct store *s, struct arena *a)
{
    return s->engine->confirm && !s->is_current ? s->engine->confirm(s, a) : NULL;
}

void store_set_tries(struct store *s, unsigned tries)
{
    s->tries = tries;
}

struct span store_conflict_key(const struct store *s)
{
    return (struct span){s->conflict.at, s->conflict.len};
}

/* --- entries ---------------------------------------------------------------------------------- */

uint32_t store_space_of(struct span key)
{
    assert(key.len >= KEY_SPACE_LEN);
    return (uint32_t)span_big_endian((struct span){key.at, KEY_SPACE_LEN});
}

void store_count_entry(struct unit *u, struct span key, int64_t entries, int64_t bytes)
{
    struct spaces *all = &u->store->spaces;

    if (entries || bytes)
        spaces_change(all, spaces_get(u->arena, all, store_space_of(key)),
                      (struct space_stats){.entries = entries, .bytes = bytes});
}

const struct error *unit_stats(struct unit *u, uint32_t space, struct space_stats *out)
{
    if (u->store->engine->stats)
        return u->store->engine->stats(u, space, out);
    *out = store_stats(u->store, space);
    return NULL;
}

const struct error *unit_is_empty(struct unit *u, uint32_t space, bool *empty)
{
    if (u->store->engine->is_empty)
        return u->store->engine->is_empty(u, space, empty);
    *empty = !store_stats(u->store, space).entries;
    return NULL;
}

void unit_spare(struct unit *u, uint32_t space, int64_t bytes)
{
    struct spaces *all = &u->store->spaces;

    assert(u->writes);
    if (bytes)
        spaces_change(all, spaces_get(u->arena, all, space), (struct space_stats){.spared = bytes});
}

const struct error *unit_get(struct unit *u, struct span key, struct store_row *row)
{
    return u->store->engine->get(u, key, row);
}

const struct error *unit_want(struct unit *u, const struct span *keys, size_t count)
{
    return u->store->engine->want ? u->store->engine->want(u, keys, count) : NULL;
}

const struct error *unit_put(struct unit *u, struct store_row *row, size_t size, struct span body)
{
    assert(u->writes);
    return u->store->engine->put(u, row, size, body);
}

const struct error *unit_delete(struct unit *u, struct store_row *row)
{
    assert(u->writes && row->found);
    return u->store->engine->delete (u, row);
}

const struct error *unit_link(struct unit *u, struct store_row *entry,
                              const struct store_row *owner, size_t size)
{
    assert(u->writes && owner->found);
    return u->store->engine->link(u, entry, owner, size);
}

const struct error *unit_unlink(struct unit *u, struct store_row *entry)
{
    assert(u->writes && entry->found);
    return u->store->engine->unlink(u, entry);
}

const struct error *unit_delete_range(struct unit *u, struct span low, struct span high)
{
    assert(u->writes);
    return u->store->engine->delete_range(u, low, high);
}

/* --- records in order ------------------------------------------------------------------------- */

const struct error *store_put_record(struct unit *u, const struct store_record *r, uint64_t number)
{
    struct buf key = buf_in(u->arena);
    struct store_row row;
    uint64_t rest = number;

    for (size_t i = STORE_NUMBER_DIGITS; i > 0; i--, rest /= 10)
        r->body[r->digits_at + i - 1] = (char)('0' + rest % 10);
    buf_add_span(&key, r->shard);
    buf_add_big_endian(&key, number, STORE_NUMBER_LEN);
    row = (struct store_row){.key = buf_span(&key)};
    return u->store->engine->put(u, &row, r->len, (struct span){r->body, r->len});
}

const struct error *unit_append(struct unit *u, const struct store_record *r)
{
    struct store *s = u->store;

    assert(u->writes);
    return s->engine->append ? s->engine->append(u, r)
                             : store_put_record(u, r, store_next_number(s));
}

const struct error *unit_last_number(struct unit *u, struct span shard, uint64_t *out)
{
    struct store *s = u->store;

    if (s->engine->last_number)
        return s->engine->last_number(u, shard, out);
    *out = store_last_number(s);
    return NULL;
}

/* --- cursors ---------------------------------------------------------------------------------- */

struct cursor *cursor_open(struct unit *u, struct store_range range)
{
    struct cursor *c = u->store->engine->open_cursor(u, range);

    c->unit = u;
    c->next = u->cursors;
    u->cursors = c;
    return c;
}

const struct error *cursor_next(struct cursor *c, struct store_row *row)
{
    return c->unit->store->engine->next(c, row);
}

void cursor_close(struct cursor *c)
{
    struct cursor **at;

    if (!c || !c->unit)
        return;
    for (at = &c->unit->cursors; *at != c; at = &(*at)->next)
        ;
    *at = c->next;
    c->unit->store->engine->close_cursor(c);
}

/* --- spaces and the catalog ------------------------------------------------------------------- */

const struct error *unit_new_space(struct unit *u, unsigned parts, uint32_t *space)
{
    struct store *s = u->store;
    const struct error *e;

    assert(u->writes);
    if (s->next_space > STORE_LAST_SPACE) {
        log_error("all %u space numbers were used; start with a new file", STORE_LAST_SPACE);
        return error_internal(u->arena);
    }
    if ((e = s->engine->number_space(u, parts)))
        return e;
    *space = s->next_space++;
    return NULL;
}

const struct error *unit_knows_space(struct unit *u, uint32_t space, bool *known)
{
    *known = true;
    return u->store->engine->knows_space ? u->store->engine->knows_space(u, space, known) : NULL;
}

const struct error *unit_drop_space(struct unit *u, uint32_t space)
{
    assert(u->writes);
    vectors_drop(&u->store->vectors, space);
    return u->store->engine->drop_space(u, space);
}

const struct error *unit_reap(struct unit *u, bool *more)
{
    assert(u->writes);
    return u->store->engine->reap(u, more);
}

const struct error *unit_put_table(struct unit *u, struct table *t)
{
    const struct table *now = catalog_find(&u->store->catalog,
                                           schema_id(u->arena, t->region, t->name));
    uint64_t version = u->store->catalog.version + 1;
    const struct error *e;

    assert(u->writes);
    if ((now ? now->version : 0) != t->version)
        return store_conflict(u->store, u->arena, (struct span){NULL, 0});
    if ((e = u->store->engine->put_table(u, t, &version)))
        return e;
    catalog_put(u->arena, &u->store->catalog, t, version);
    arena_disown(t->arena);
    return NULL;
}

const struct error *unit_remove_table(struct unit *u, struct span id)
{
    const struct error *e;

    assert(u->writes);
    if ((e = u->store->engine->remove_table(u, id)))
        return e;
    catalog_remove(u->arena, &u->store->catalog, id);
    return NULL;
}

void unit_guard_table(struct unit *u, const struct table *t)
{
    assert(u->writes);
    if (u->store->engine->guard_table)
        u->store->engine->guard_table(u, t);
}

const struct error *space_copy_begin(struct unit *u, uint32_t from, uint32_t *to)
{
    assert(u->writes);
    return u->store->engine->begin_copy(u, from, to);
}

const struct error *space_copy_step(struct unit *u, uint32_t to, bool *more)
{
    assert(u->writes);
    *more = false;
    return u->store->engine->step_copy ? u->store->engine->step_copy(u, to, more) : NULL;
}

uint32_t space_copy_next(const struct store *s, uint32_t after)
{
    return s->engine->next_copy ? s->engine->next_copy(s, after) : 0;
}

bool space_copy_fills(const struct store *s, uint32_t to)
{
    return to && space_copy_next(s, to - 1) == to;
}
