#include "ops/global/global_group.h"

#include "ops/table/table_replicas.h"
#include "ops/table/table_state.h"

/* --- tables of other regions ------------------------------------------------------------------ */

const struct table *global_group_table(struct call *c, const struct table *t, struct span region)
{
    const struct table *other;

    if (!global_group_is_real(t))
        return NULL;
    other = store_table(c->store, schema_id(c->arena, op_region_key(c, region), t->name));
    return other && other->global.log_space == t->global.log_space ? other : NULL;
}

const struct error *global_group_at(struct call *c, const struct table *t, struct span region,
                                    global_work *work, void *data)
{
    const struct table *old = global_group_table(c, t, region);
    struct span here = c->region;
    const struct error *e;
    struct table *draft;

    if (!old)
        return NULL;
    draft = schema_copy(c->arena, old);
    c->region = op_region_key(c, region);
    if (!(e = work(c, draft, data)))
        e = table_state_keep(c, draft);
    c->region = here;
    return e;
}

const struct error *global_group_each(struct call *c, const struct table *t, global_work *work,
                                      void *data)
{
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < t->global.replica_count; i++)
        e = global_group_at(c, t, t->global.replicas[i].region, work, data);
    return e;
}

/* --- the list --------------------------------------------------------------------------------- */

static void copy_replica(struct table *draft, const struct replica *from)
{
    struct replica *r = table_replicas_add(draft, from->region);
    struct span region = r->region;

    *r = *from;
    r->region = region;
    r->kms_key = arena_span(draft->arena, from->kms_key);
    r->table_class = arena_span(draft->arena, from->table_class);
    r->indexes = arena_array(draft->arena, from->index_count, sizeof *r->indexes);
    for (size_t i = 0; i < from->index_count; i++) {
        r->indexes[i] = from->indexes[i];
        r->indexes[i].name = arena_span(draft->arena, from->indexes[i].name);
    }
}

/* Adds the entry of the region `own`, which the list of that region's table does not have. */
static void add_own(struct table *draft, const struct global *before, struct span own)
{
    for (size_t i = 0; i < before->replica_count; i++)
        if (span_equal(before->replicas[i].region, own)) {
            copy_replica(draft, &before->replicas[i]);
            return;
        }
    table_replicas_add(draft, own)->status = STATUS_ACTIVE;
}

void global_group_view(const struct call *c, const struct table *t, struct span region,
                       struct table *draft)
{
    const struct global before = draft->global, *g = &t->global;
    struct span own = t->region.len ? t->region : c->settings->region;

    draft->global = *g;
    draft->global.replicas = NULL;
    draft->global.replica_count = 0;
    draft->global.scalings = before.scalings;
    draft->global.scaling_count = before.scaling_count;
    draft->global.unprotected = before.unprotected;
    draft->global.source_ms = before.source_ms;
    draft->global.witness = arena_span(draft->arena, g->witness);
    add_own(draft, &before, own);
    for (size_t i = 0; i < g->replica_count; i++)
        if (!span_equal(g->replicas[i].region, region))
            copy_replica(draft, &g->replicas[i]);
}

static const struct error *take_list(struct call *c, struct table *draft, void *table)
{
    global_group_view(c, table, op_region(c), draft);
    return NULL;
}

const struct error *global_group_share(struct call *c, const struct table *t)
{
    struct table *list = schema_copy(c->arena, t);

    return global_group_each(c, list, take_list, list);
}

/* --- leaving ---------------------------------------------------------------------------------- */

const struct error *global_group_check_leave(struct call *c, const struct table *t)
{
    if (!table_replicas_any(t))
        return NULL;
    if (t->global.strong)
        return error_validation(c->arena, "Deletion of only one table replica is not supported for "
                                          "global tables with MultiRegionConsistency set to "
                                          "STRONG.");
    if (t->global.source_ms && clock_now_ms(c->clock) - t->global.source_ms < LIMIT_DAY_MS)
        return error_validation(c->arena, "Replica cannot be deleted because it has acted as a "
                                          "source region for new replica(s) being added to the "
                                          "table in the last 24 hours.");
    return NULL;
}

static const struct error *begin_replica_deletion(struct call *c, struct table *draft, void *region)
{
    struct replica *r = table_replicas_find(draft, *(const struct span *)region);

    if (!r)
        return NULL;
    r->status = STATUS_DELETING;
    r->until_ms = op_transition_end(c);
    return NULL;
}

/* Its changes that are still in the log reach the others later. */
const struct error *global_group_leave(struct call *c, struct table *draft)
{
    struct span own = op_region(c);
    const struct error *e = global_group_each(c, draft, begin_replica_deletion, &own);

    draft->global = (struct global){.mode = REPLICATION_UNSAID};
    return e;
}
