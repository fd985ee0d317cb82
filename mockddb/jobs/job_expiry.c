#include "jobs/job.h"

#include "ops/change.h"
#include "ops/ttl/ttl_index.h"

/* A step deletes at most this many items, or this many bytes of them. */
#define STEP_ITEMS 50
#define STEP_BYTES ((size_t)256 * 1024)

struct expired {
    const struct table *table;
    struct span keys[STEP_ITEMS]; /* of the items in the table's own space */
    size_t count;
    size_t deleted;
};

static const struct error *find_expired(struct call *c, struct job_walk *w, const struct table *t,
                                        struct expired *out)
{
    struct cursor *cursor = cursor_open(c->unit, ttl_index_range(c, t));
    const struct error *e = NULL;
    struct store_row row;

    while (out->count < STEP_ITEMS && !(e = cursor_next(cursor, &row)) && row.found) {
        int64_t due_ms = ttl_index_due_ms(c, row.key);

        if (due_ms > clock_now_ms(c->clock)) {
            job_walk_due(w, due_ms);
            break;
        }
        out->keys[out->count++] = ttl_index_item_key(c, t, row.key);
    }
    cursor_close(cursor);
    return e;
}

static const struct error *delete_items(struct call *c, void *data)
{
    struct expired *expired = data;
    size_t bytes = 0;

    for (size_t i = 0; i < expired->count && bytes < STEP_BYTES; i++) {
        const struct error *e;
        struct change change;

        if ((e = change_begin_at(c, expired->table, expired->keys[i], &change)))
            return e;
        if (!change.old.found)
            return error_internal(c->arena);
        bytes += change.old.size;
        change.expired = true;
        if ((e = change_delete(c, &change, NULL)))
            return e;
        expired->deleted++;
    }
    return NULL;
}

static const struct error *expire_table(struct call *c, struct job_walk *w, const struct table *t,
                                        enum job_visit *done)
{
    struct expired expired = {.table = t};
    const struct error *e;

    if (!ttl_index_expires(t) || op_keeps_items(c->settings, t->name))
        return NULL;
    *done = JOB_LOOKED;
    if ((e = find_expired(c, w, t, &expired)) || !expired.count)
        return e;
    *done = JOB_STAYS;
    if ((e = op_unit_run(c, UNIT_WRITES, delete_items, &expired)))
        return e;
    capacity_of(c, t)->items_expired += expired.deleted;
    return NULL;
}

static const struct error *expire_items(struct call *c, struct job_walk *w, bool *more)
{
    *more = false;
    return c->settings->ttl_sweep_ms ? job_walk_tables(c, w, expire_table, more) : NULL;
}

const struct job job_expiry = {.name = "expiry", .wake = WAKE_EXPIRE, .step = expire_items};
