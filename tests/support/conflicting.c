#include "support/conflicting.h"

#include "store/store_core.h"

#include <stdlib.h>

/* The first numbers that were added. */
struct some_spaces {
    uint32_t at[16];
    size_t count;
};

/* An engine over the store's own. */
struct over {
    struct store_engine engine; /* first */
    const struct store_engine *under;
    struct conflicting plan;
    bool owns;
    bool wrote;  /* the writing unit has changed something */
    bool passes; /* the next unit is a second try */
    unsigned reads, conflicts;
    struct arena *arena;
    struct buf key; /* of the entry that was changed last */

    /* Of the writing unit: where it put or deleted entries, and the tables that it guards or
     * replaces. */
    struct some_spaces written, guarded;
    struct arena *copies;
    struct store_record *records; /* that get their numbers when it is kept, in `copies` */
    size_t record_count, record_room;
};

static struct over *over_of(const struct store *s)
{
    return (struct over *)(uintptr_t)s->engine;
}

/* The old ones are freed before the next try. */
static void replace_tables(struct store *s)
{
    for (size_t i = 0; i < s->catalog.count; i++)
        catalog_put(NULL, &s->catalog, schema_copy(NULL, s->catalog.tables[i]),
                    s->catalog.version + 1);
    catalog_keep(&s->catalog);
}

static const struct error *conflict(struct store *s, struct arena *a)
{
    struct over *o = over_of(s);

    o->conflicts++;
    if (!s->writer)
        replace_tables(s);
    return store_conflict(s, a, o->plan.is_named ? buf_span(&o->key) : (struct span){NULL, 0});
}

/* --- guards ----------------------------------------------------------------------------------- */

static bool has_space(const struct some_spaces *all, uint32_t space)
{
    size_t i = 0;

    while (i < all->count && all->at[i] != space)
        i++;
    return i < all->count;
}

static void add_space(struct some_spaces *all, uint32_t space)
{
    if (all->count < COUNT(all->at) && !has_space(all, space))
        all->at[all->count++] = space;
}

static void check_guards(const struct store *s)
{
    const struct over *o = over_of(s);

    for (size_t i = 0; i < s->catalog.count; i++) {
        uint32_t space = s->catalog.tables[i]->space;

        if (has_space(&o->written, space) && !has_space(&o->guarded, space) &&
            o->guarded.count < COUNT(o->guarded.at))
            abort();
    }
}

/* --- units ------------------------------------------------------------------------------------ */

static const struct error *begin(struct store *s, struct arena *a)
{
    over_of(s)->wrote = false;
    over_of(s)->written.count = over_of(s)->guarded.count = 0;
    over_of(s)->record_count = 0;
    arena_reset(over_of(s)->copies);
    return over_of(s)->under->begin(s, a);
}

static const struct error *append(struct unit *u, const struct store_record *r)
{
    struct over *o = over_of(u->store);

    o->records = process_one_more(o->records, o->record_count, &o->record_room, sizeof *r);
    o->records[o->record_count++] = (struct store_record){
        .shard = arena_span(o->copies, r->shard),
        .body = arena_text(o->copies, (struct span){r->body, r->len}),
        .len = r->len,
        .digits_at = r->digits_at,
    };
    return NULL;
}

/* The unit is the one behind the open units: it is about to end. */
static const struct error *put_records(struct store *s)
{
    const struct over *o = over_of(s);
    const struct error *e = NULL;

    for (size_t i = 0; i < o->record_count && !e; i++)
        e = store_put_record(&s->units[s->unit_count], &o->records[i], store_next_number(s));
    return e;
}

static const struct error *keep(struct store *s, struct arena *a)
{
    struct over *o = over_of(s);
    const struct error *e = put_records(s);

    if (e) {
        o->under->undo(s);
        return e;
    }
    check_guards(s);
    if (!o->plan.writes || !o->wrote)
        return o->under->keep(s, a);
    o->passes = !o->passes;
    if (!o->passes && !o->plan.always)
        return o->under->keep(s, a);
    o->under->undo(s);
    if (o->plan.other)
        o->plan.other();
    return conflict(s, a);
}

/* --- reads ------------------------------------------------------------------------------------ */

static bool meets(struct store *s)
{
    struct over *o = over_of(s);

    return o->plan.reads && (o->plan.always || !s->tries) && ++o->reads % o->plan.reads == 0;
}

static const struct error *get(struct unit *u, struct span key, struct store_row *row)
{
    return meets(u->store) ? conflict(u->store, u->arena)
                           : over_of(u->store)->under->get(u, key, row);
}

static const struct error *next(struct cursor *c, struct store_row *row)
{
    return meets(c->unit->store) ? conflict(c->unit->store, c->unit->arena)
                                 : over_of(c->unit->store)->under->next(c, row);
}

static const struct error *stats(struct unit *u, uint32_t space, struct space_stats *out)
{
    *out = store_stats(u->store, space);
    return meets(u->store) ? conflict(u->store, u->arena) : NULL;
}

static const struct error *is_empty(struct unit *u, uint32_t space, bool *empty)
{
    *empty = !store_stats(u->store, space).entries;
    return meets(u->store) ? conflict(u->store, u->arena) : NULL;
}

/* --- writes ----------------------------------------------------------------------------------- */

static const struct store_engine *write_other(struct unit *u)
{
    over_of(u->store)->wrote = true;
    return over_of(u->store)->under;
}

static const struct store_engine *write_to(struct unit *u, struct span key)
{
    struct over *o = over_of(u->store);

    o->key.len = 0;
    buf_add_span(&o->key, key);
    add_space(&o->written, store_space_of(key));
    return write_other(u);
}

static void guard_table(struct unit *u, const struct table *t)
{
    add_space(&over_of(u->store)->guarded, t->space);
}

static const struct error *put(struct unit *u, struct store_row *row, size_t size, struct span body)
{
    return write_to(u, row->key)->put(u, row, size, body);
}

static const struct error *delete (struct unit *u, struct store_row *row)
{
    return write_to(u, row->key)->delete (u, row);
}

static const struct error *link(struct unit *u, struct store_row *entry,
                                const struct store_row *owner, size_t size)
{
    return write_other(u)->link(u, entry, owner, size);
}

static const struct error *unlink(struct unit *u, struct store_row *entry)
{
    return write_other(u)->unlink(u, entry);
}

static const struct error *delete_range(struct unit *u, struct span low, struct span high)
{
    return write_other(u)->delete_range(u, low, high);
}

static const struct error *drop_space(struct unit *u, uint32_t space)
{
    return write_other(u)->drop_space(u, space);
}

static const struct error *reap(struct unit *u, bool *more)
{
    return write_other(u)->reap(u, more);
}

static const struct error *put_table(struct unit *u, const struct table *t, uint64_t *version)
{
    guard_table(u, t);
    return write_other(u)->put_table(u, t, version);
}

static const struct error *remove_table(struct unit *u, struct span id)
{
    return write_other(u)->remove_table(u, id);
}

/* --- jobs ------------------------------------------------------------------------------------- */

static bool owns(struct store *s)
{
    return over_of(s)->owns;
}

void conflicting_own(struct store *s, bool is_owner)
{
    over_of(s)->owns = is_owner;
}

/* --- on and off ------------------------------------------------------------------------------- */

void conflicting_begin(struct store *s, const struct conflicting *plan)
{
    struct over *o = process_zeroed(sizeof *o);

    o->under = s->engine;
    o->plan = *plan;
    o->arena = arena_new();
    o->key = buf_in(o->arena);
    o->copies = arena_new();
    o->engine = *s->engine;
    o->engine.begin = begin;
    o->engine.keep = keep;
    o->engine.get = get;
    o->engine.next = next;
    o->engine.stats = stats;
    o->engine.is_empty = is_empty;
    o->engine.put = put;
    o->engine.delete = delete;
    o->engine.link = link;
    o->engine.unlink = unlink;
    o->engine.delete_range = delete_range;
    o->engine.drop_space = drop_space;
    o->engine.reap = reap;
    o->engine.put_table = put_table;
    o->engine.remove_table = remove_table;
    o->engine.guard_table = guard_table;
    o->engine.append = append;
    if (plan->is_shared)
        o->engine.owns = owns;
    s->engine = &o->engine;
}

unsigned conflicting_end(struct store *s)
{
    struct over *o = over_of(s);
    unsigned conflicts = o->conflicts;

    s->engine = o->under;
    arena_free(o->arena);
    arena_free(o->copies);
    free(o->records);
    free(o);
    return conflicts;
}
