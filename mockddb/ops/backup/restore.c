#include "ops/backup/restore.h"

#include "ops/backup/recovery_log.h"
#include "ops/backup/restore_spec.h"
#include "ops/table/table_backfill.h"
#include "ops/table/table_build.h"
#include "ops/table/table_describe.h"
#include "ops/table/table_state.h"
#include "store/space_copy.h"

const struct error *restore_check_target(struct call *c)
{
    struct span name = wire_text(wire_get(c->body, "TargetTableName"));
    const struct table *t;
    const struct error *e = table_state_look_up(c, name, &t);

    if (e || !t)
        return e;
    if (t->restore.backup_arn.len)
        return error_new(c->arena, ERROR_TABLE_IN_USE,
                         "Table: %.*s is already being restored from backup: %.*s", SPAN_ARG(name),
                         SPAN_ARG(t->restore.backup_arn));
    if (t->restore.source_arn.len)
        return error_new(c->arena, ERROR_TABLE_IN_USE, "Table: %.*s is already being restored",
                         SPAN_ARG(name));
    return error_new(c->arena, ERROR_TABLE_EXISTS, "Table already exists: %.*s", SPAN_ARG(name));
}

const struct error *restore_find_from(struct call *c, struct span backup_arn, bool *found)
{
    const struct table *t = op_region_table_after(c, (struct span){NULL, 0});

    for (*found = false; t && !*found;) {
        struct span name = arena_span(c->arena, t->name);
        const struct error *e;

        if (span_equal(t->restore.backup_arn, backup_arn)) {
            if ((e = table_state_look_up(c, name, &t)))
                return e;
            *found = t && span_equal(t->restore.backup_arn, backup_arn);
        }
        t = op_region_table_after(c, name);
    }
    return NULL;
}

/* --- beginning a restore ---------------------------------------------------------------------- */

/* Fills a small table at once. If the first slice is not enough, the jobs do the rest. */
static const struct error *fill_first(struct call *c, struct span name, uint32_t space)
{
    const struct table *t;
    const struct error *e;
    bool more;

    if ((e = space_copy_step(c->unit, space, &more)) || more)
        return e;
    if ((e = restore_advance(c, name)))
        return e;
    t = op_region_table(c, name);
    for (size_t left = t->index_count; left && table_state_unfilled(t); left--) {
        if ((e = table_backfill(c, name)))
            return e;
        t = op_region_table(c, name);
    }
    return NULL;
}

/* Prepares the draft for the answer and starts the copy into its space. The indexes are backfilled
 * after the items are copied. */
static const struct error *begin_copy(struct call *c, struct table *draft,
                                      const struct restore_source *source)
{
    const struct restore *state = &source->state;

    draft->restore = *state;
    draft->restore.source_arn = arena_span(draft->arena, state->source_arn);
    draft->restore.backup_arn = arena_span(draft->arena, state->backup_arn);
    draft->restore.log_position = arena_span(draft->arena, state->log_position);
    draft->restore.filling = true;
    for (size_t i = 0; i < draft->index_count; i++) {
        draft->indexes[i].backfilling = true;
        draft->indexes[i].backfilled = false;
        draft->indexes[i].transition_until_ms = op_transition_end(c);
    }
    return space_copy_begin(c->unit, source->space, &draft->space);
}

static const struct error *keep_and_fill(struct call *c, struct table *draft)
{
    struct span name = arena_span(c->arena, draft->name);
    uint32_t space = draft->space;
    const struct error *e;

    op_wake(c, WAKE_COPY, clock_now_ms(c->clock));
    e = table_state_keep(c, draft);
    return e ? e : fill_first(c, name, space);
}

const struct error *restore_fill(struct call *c, struct table *draft,
                                 const struct restore_source *source)
{
    const struct error *e = begin_copy(c, draft, source);

    return e ? e : keep_and_fill(c, draft);
}

const struct error *restore_begin(struct call *c, const struct restore_source *source)
{
    struct span name = wire_text(wire_get(c->body, "TargetTableName"));
    struct table *t;
    const struct error *e;

    if ((e = restore_spec_read(c, source->table, &t)) || (e = table_build_begin(c, name, t)) ||
        (e = begin_copy(c, t, source)))
        return e;
    wire_key(&c->reply, "TableDescription");
    e = table_describe(c, t, TABLE_CREATED);
    return e ? e : keep_and_fill(c, t);
}

/* --- continuing a restore --------------------------------------------------------------------- */

bool restore_waits(const struct call *c, const struct table *t)
{
    return t->restore.filling && (t->restore.source_arn.len || t->restore.replica) &&
           !space_copy_fills(c->store, t->space);
}

const struct error *restore_advance(struct call *c, struct span name)
{
    const struct table *old = op_region_table(c, name);
    const struct error *e;
    struct table *t;
    bool more = false;

    if (!old || !restore_waits(c, old))
        return NULL;
    t = schema_copy(c->arena, old);
    if (t->restore.log_space && (e = recovery_log_undo(c, t, &more)))
        return e;
    t->restore.filling = more;
    if (more)
        op_wake(c, WAKE_RESTORE, clock_now_ms(c->clock));
    return table_state_keep(c, t);
}
