#include "support/conflicting.h"

#include "base/one_more.h"
#include "store/store_core.h"

#include <stdlib.h>

/* An engine over the store's own. */
struct over {
    struct store_engine engine; /* first */
    const struct store_engine *under;
    struct conflicting plan;
    bool wrote;  /* the writing unit has changed something */
    bool passes; /* the next unit is a second try */
    unsigned reads, conflicts;
    struct arena *arena;
    struct buf key; /* of the entry that was changed last */
};

static struct over *over_of(const struct store *s)
{
    return (struct over *)(uintptr_t)s->engine;
}

static const struct error *conflict(struct store *s, struct arena *a)
{
    struct over *o = over_of(s);

    o->conflicts++;
    return store_conflict(s, a, o->plan.is_named ? buf_span(&o->key) : (struct span){NULL, 0});
}

/* --- units ------------------------------------------------------------------------------------ */

static const struct error *begin(struct store *s, struct arena *a)
{
    over_of(s)->wrote = false;
    return over_of(s)->under->begin(s, a);
}

static const struct error *keep(struct store *s, struct arena *a)
{
    struct over *o = over_of(s);

    if (!o->plan.writes || !o->wrote)
        return o->under->keep(s, a);
    o->passes = !o->passes;
    if (!o->passes && !o->plan.always)
        return o->under->keep(s, a);
    o->under->undo(s);
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
    return meets(u->store) ? conflict(u->store, u->arena)
                           : over_of(u->store)->under->stats(u, space, out);
}

static const struct error *is_empty(struct unit *u, uint32_t space, bool *empty)
{
    return meets(u->store) ? conflict(u->store, u->arena)
                           : over_of(u->store)->under->is_empty(u, space, empty);
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
    return write_other(u);
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

static const struct error *put_table(struct unit *u, const struct table *t)
{
    return write_other(u)->put_table(u, t);
}

static const struct error *remove_table(struct unit *u, struct span id)
{
    return write_other(u)->remove_table(u, id);
}

/* --- on and off ------------------------------------------------------------------------------- */

void conflicting_begin(struct store *s, const struct conflicting *plan)
{
    struct over *o = process_zeroed(sizeof *o);

    o->under = s->engine;
    o->plan = *plan;
    o->arena = arena_new();
    o->key = buf_in(o->arena);
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
    s->engine = &o->engine;
}

unsigned conflicting_end(struct store *s)
{
    struct over *o = over_of(s);
    unsigned conflicts = o->conflicts;

    s->engine = o->under;
    arena_free(o->arena);
    free(o);
    return conflicts;
}
