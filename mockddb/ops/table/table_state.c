#include "ops/table/table_state.h"

#include "ops/backup/backup.h"
#include "ops/backup/recovery_log.h"
#include "ops/table/table_build.h"
#include "ops/table/table_name.h"
#include "ops/table/table_replicas.h"

#include <stdarg.h>

const struct error *table_state_not_found(struct call *c, struct span name)
{
    return error_caused(c->arena, ERROR_RESOURCE_NOT_FOUND,
                        ERROR_WHY(CAUSE_NO_TABLE, .operand = name),
                        "Requested resource not found: Table: %.*s not found", SPAN_ARG(name));
}

const struct error *table_state_in_use(struct call *c, const char *fmt, ...)
{
    va_list args;
    const char *text;

    va_start(args, fmt);
    text = arena_vprintf(c->arena, fmt, args);
    va_end(args);
    return error_caused(c->arena, ERROR_RESOURCE_IN_USE, ERROR_WHY(CAUSE_IN_CHANGE),
                        "Attempt to change a resource which is still in use: %s", text);
}

const struct error *table_state_being_created(struct call *c, struct span name)
{
    return error_because(
        c->arena, table_state_in_use(c, "Table is being created: %.*s", SPAN_ARG(name)),
        ERROR_WHY(CAUSE_TABLE_BUSY, .operand = name, .beside = SPAN_LIT("created")));
}

const struct error *table_state_being_deleted(struct call *c, struct span name)
{
    return error_because(
        c->arena, table_state_in_use(c, "Table is being deleted: %.*s", SPAN_ARG(name)),
        ERROR_WHY(CAUSE_TABLE_BUSY, .operand = name, .beside = SPAN_LIT("deleted")));
}

const struct error *table_state_check_there(struct call *c, const struct table *t)
{
    if (t->status == STATUS_CREATING)
        return table_state_being_created(c, t->name);
    return t->status == STATUS_DELETING ? table_state_being_deleted(c, t->name) : NULL;
}

const struct error *table_state_being_used(struct call *c, struct span name)
{
    return error_caused(
        c->arena, ERROR_RESOURCE_IN_USE,
        ERROR_WHY(CAUSE_TABLE_BUSY, .operand = name, .beside = SPAN_LIT("restored")),
        "Table is being used: %.*s", SPAN_ARG(name));
}

const struct index *table_state_unfilled(const struct table *t)
{
    for (size_t i = 0; i < t->index_count && !t->restore.filling; i++)
        if (t->indexes[i].backfilling && !t->indexes[i].backfilled)
            return &t->indexes[i];
    return NULL;
}

/* --- ending due transitions ------------------------------------------------------------------ */

static bool is_due(int64_t until_ms, int64_t now)
{
    return until_ms && until_ms <= now;
}

static bool is_gone(const struct table *t, int64_t now)
{
    return t->status == STATUS_DELETING && is_due(t->transition_until_ms, now);
}

/* During a backfill the index waits for its end, not for a time. */
static bool index_is_due(const struct index *ix, int64_t now)
{
    return is_due(ix->transition_until_ms, now) && (!ix->backfilling || ix->backfilled);
}

static void remove_index(struct table *t, struct index *ix)
{
    size_t after = t->index_count - (size_t)(ix - t->indexes) - 1;

    memmove(ix, ix + 1, after * sizeof *ix);
    t->index_count--;
    schema_prune(t);
}

/* Warm throughput never decreases, and is never below the provisioned units. */
static void raise_warm(struct unit_pair *warm, int64_t read, int64_t write)
{
    if (warm->read < read)
        warm->read = read;
    if (warm->write < write)
        warm->write = write;
}

static void take_throughput(struct throughput *now, const struct throughput *next,
                            struct unit_pair *warm)
{
    *now = *next;
    raise_warm(warm, now->read, now->write);
}

static void settle_insights(struct insights *insights, int64_t now)
{
    if (is_due(insights->until_ms, now))
        insights->until_ms = 0;
}

/* Ends a transition of an index that is not being deleted. */
static void settle_index(struct call *c, struct index *ix)
{
    if (ix->status == STATUS_CREATING && !ix->backfilled) {
        ix->backfilling = true;
        ix->transition_until_ms = op_transition_index_end(c);
        return;
    }
    if (ix->status == STATUS_UPDATING)
        take_throughput(&ix->throughput, &ix->next_throughput, &ix->warm);
    raise_warm(&ix->warm, ix->next_warm.read, ix->next_warm.write);
    ix->next_warm = (struct unit_pair){0, 0};
    ix->status = STATUS_ACTIVE;
    ix->backfilling = false;
    ix->transition_until_ms = 0;
}

/* A limit of -1 means no limit; only the answer to the request shows it. */
static void clear_limits(struct unit_pair *limits)
{
    if (limits->read < 0)
        limits->read = 0;
    if (limits->write < 0)
        limits->write = 0;
}

/* Ends transitions of indexes. *gone gets the spaces of deleted indexes. */
static void settle_indexes(struct call *c, struct table *t, int64_t now, uint32_t *gone)
{
    for (size_t i = 0; i < t->index_count; i++)
        clear_limits(&t->indexes[i].on_demand);
    for (size_t i = t->index_count; i-- > 0;) {
        struct index *ix = &t->indexes[i];

        while (index_is_due(ix, now) && ix->status != STATUS_DELETING)
            settle_index(c, ix);
        if (!index_is_due(ix, now))
            continue;
        *gone++ = ix->space;
        remove_index(t, ix);
    }
}

static void end_class_change(struct table *t)
{
    t->table_class = t->next_table_class;
    t->table_class_before_ms = t->table_class_ms;
    t->table_class_ms = t->transition_until_ms;
}

/* An on-demand table has at least the warm throughput of a new one. */
static void end_billing_change(struct table *t)
{
    if (!t->on_demand) {
        raise_warm(&t->warm, t->throughput.read, t->throughput.write);
        return;
    }
    t->on_demand_since_ms = t->transition_until_ms;
    raise_warm(&t->warm, WARM_READ_INITIAL, WARM_WRITE_INITIAL);
    for (size_t i = 0; i < t->index_count; i++)
        if (schema_kind(&t->indexes[i]) == KIND_GLOBAL)
            raise_warm(&t->indexes[i].warm, WARM_READ_INITIAL, WARM_WRITE_INITIAL);
}

/* A table that is being restored waits for its items and for its indexes' entries. */
static bool waits_for_items(const struct table *t)
{
    return t->status == STATUS_CREATING && (t->restore.filling || table_state_unfilled(t));
}

const struct table *table_state_replica(struct call *c, const struct table *t,
                                        const struct replica *r)
{
    const struct table *there = NULL;

    if (t->global.log_space)
        there = store_table(c->store, schema_id(c->arena, op_region_key(c, r->region), t->name));
    return there && there->global.log_space == t->global.log_space ? there : NULL;
}

enum status table_state_of_replica(struct call *c, const struct table *t, const struct replica *r)
{
    const struct table *there = r->status == STATUS_ACTIVE ? table_state_replica(c, t, r) : NULL;

    return there && waits_for_items(there) ? STATUS_CREATING : r->status;
}

/* Returns whether the destination is still listed. A disabled one is listed for a while. */
static bool settle_destination(struct destination *d, int64_t now)
{
    bool off = d->status == DESTINATION_DISABLING ||
               (d->status == DESTINATION_ENABLING && d->unknown);

    if (!is_due(d->until_ms, now))
        return true;
    if (off) {
        d->status = d->unknown ? DESTINATION_ENABLE_FAILED : DESTINATION_DISABLED;
        d->until_ms += LIMIT_DESTINATION_KEPT_MS;
        return !is_due(d->until_ms, now);
    }
    if (d->status != DESTINATION_ENABLING && d->status != DESTINATION_UPDATING)
        return false;
    d->status = DESTINATION_ACTIVE;
    d->precision = d->next_precision;
    d->until_ms = 0;
    return true;
}

static void settle_table(struct table *t, int64_t now)
{
    size_t kept = 0;

    if (is_due(t->transition_until_ms, now) && !waits_for_items(t)) {
        if (t->status == STATUS_CREATING)
            t->restore = (struct restore){.filling = false};
        if (t->change == CHANGE_THROUGHPUT)
            take_throughput(&t->throughput, &t->next_throughput, &t->warm);
        if (t->change == CHANGE_BILLING)
            end_billing_change(t);
        if (t->change == CHANGE_CLASS)
            end_class_change(t);
        t->change = CHANGE_NONE;
        t->status = STATUS_ACTIVE;
        t->transition_until_ms = 0;
    }
    if (is_due(t->warm_until_ms, now)) {
        raise_warm(&t->warm, t->next_warm.read, t->next_warm.write);
        t->next_warm = (struct unit_pair){0, 0};
        t->warm_until_ms = 0;
    }
    if (is_due(t->sse_until_ms, now)) {
        t->kms_key_arn = t->next_kms_key_arn;
        t->sse = t->kms_key_arn.len != 0;
        t->sse_until_ms = 0;
    }
    settle_insights(&t->insights, now);
    for (size_t i = 0; i < t->index_count; i++)
        settle_insights(&t->indexes[i].insights, now);
    for (size_t i = 0; i < t->destination_count; i++)
        if (settle_destination(&t->destinations[i], now))
            t->destinations[kept++] = t->destinations[i];
    t->destination_count = kept;
    table_replicas_settle(t, now);
}

/* Ends the due transitions of a draft. Returns the spaces of deleted indexes; ends with 0. */
static const uint32_t *settle_draft(struct call *c, struct table *t)
{
    uint32_t *gone = arena_array(c->arena, t->index_count + 1, sizeof *gone);
    int64_t now = clock_now_ms(c->clock);

    clear_limits(&t->on_demand_limits);
    settle_table(t, now);
    settle_indexes(c, t, now, gone);
    return gone;
}

static void note_due(struct table *t, int64_t until_ms)
{
    if (until_ms && (!t->due_ms || until_ms < t->due_ms))
        t->due_ms = until_ms;
}

static void find_next_due(struct table *t)
{
    t->due_ms = 0;
    if (!waits_for_items(t))
        note_due(t, t->transition_until_ms);
    note_due(t, t->warm_until_ms);
    note_due(t, t->sse_until_ms);
    note_due(t, table_replicas_due_ms(t));
    note_due(t, t->insights.until_ms);
    for (size_t i = 0; i < t->destination_count; i++)
        note_due(t, t->destinations[i].until_ms);
    for (size_t i = 0; i < t->index_count; i++) {
        note_due(t, t->indexes[i].insights.until_ms);
        if (!t->indexes[i].backfilling || t->indexes[i].backfilled)
            note_due(t, t->indexes[i].transition_until_ms);
    }
}

/* Drops the table's items. With recovery on, a system backup takes them over. */
static const struct error *drop_items(struct call *c, const struct table *t)
{
    const struct error *e;

    if (!t->recovery.space)
        return op_wake_drop_space(c, t->space);
    if ((e = backup_take_over(c, t)))
        return e;
    return recovery_log_drop(c, t->recovery.space);
}

static const struct error *remove_table(struct call *c, const struct table *t)
{
    const struct error *e = unit_remove_table(c->unit, schema_id(c->arena, t->region, t->name));

    for (size_t i = 0; !e && i < t->index_count; i++)
        e = op_wake_drop_space(c, t->indexes[i].space);
    if (!e && t->ttl_space)
        e = op_wake_drop_space(c, t->ttl_space);
    return e ? e : drop_items(c, t);
}

/* Keeps the log of writes for other regions going, or drops it if the table has no replicas. */
static const struct error *keep_log(struct call *c, struct table *t, int64_t now)
{
    struct global *g = &t->global;
    const struct error *e;
    bool empty;

    if (!g->log_space)
        return NULL;
    if (table_replicas_any(t)) {
        if (!(e = unit_is_empty(c->unit, g->log_space, &empty)) && !empty)
            op_wake(c, WAKE_REPLICATE, now);
        return e;
    }
    if ((e = op_wake_drop_space(c, g->log_space)) || (e = op_wake_drop_space(c, g->latest_space)))
        return e;
    g->log_space = g->latest_space = 0;
    return NULL;
}

/* Whether older items still have to be added to the index of times to live. */
static bool waits_for_times(const struct table *t)
{
    return t->ttl_attribute.len && !t->ttl_backfilled && !t->restore.filling;
}

const struct error *table_state_keep(struct call *c, struct table *t)
{
    bool was_created = t->status == STATUS_CREATING;
    int64_t now = clock_now_ms(c->clock);
    const struct error *e;

    if (is_gone(t, now))
        return remove_table(c, t);
    for (const uint32_t *gone = settle_draft(c, t); *gone; gone++)
        if ((e = op_wake_drop_space(c, *gone)))
            return e;
    if ((e = keep_log(c, t, now)))
        return e;
    if (was_created && t->ttl_space)
        op_wake(c, WAKE_EXPIRE, now); /* a table that is being created deletes no items */
    find_next_due(t);
    if (t->due_ms)
        op_wake(c, WAKE_SETTLE, t->due_ms);
    if (table_state_unfilled(t) || waits_for_times(t))
        op_wake(c, WAKE_BACKFILL, now);
    return unit_put_table(c->unit, t);
}

static const struct error *keep_copy(struct call *c, void *table)
{
    return table_state_keep(c, schema_copy(c->arena, *(const struct table **)table));
}

const struct error *table_state_settle(struct call *c, const struct table *t)
{
    return op_unit_run(c, UNIT_WRITES, keep_copy, &t);
}

/* --- looking up ------------------------------------------------------------------------------ */

/* A version of a table for one call. */
struct settled {
    const struct table *before;
    const struct table *now; /* NULL: it was deleted */
    struct settled *next;
};

/* The table with its due transitions ended, without a change of the store. A call always gets the
 * same copy. */
static const struct table *settled_copy(struct call *c, const struct table *before)
{
    struct settled *s = c->settled;
    struct table *t;

    while (s && s->before != before)
        s = s->next;
    if (s)
        return s->now;
    s = arena_alloc(c->arena, sizeof *s);
    *s = (struct settled){before, NULL, c->settled};
    c->settled = s;
    if (is_gone(before, clock_now_ms(c->clock)))
        return NULL;
    s->now = t = schema_copy(c->arena, before);
    (void)settle_draft(c, t);
    return t;
}

const struct error *table_state_look_up(struct call *c, struct span name, const struct table **out)
{
    const struct table *t = op_region_table(c, name);
    const struct error *e;

    *out = t;
    if (!t || !is_due(t->due_ms, clock_now_ms(c->clock)))
        return NULL;
    if (!unit_writes(c->unit)) {
        *out = settled_copy(c, t);
        return NULL;
    }
    e = table_state_keep(c, schema_copy(c->arena, t));
    *out = op_region_table(c, name);
    return e;
}

const struct error *table_state_find(struct call *c, const struct table **out)
{
    const struct error *e;
    struct span name;

    if ((e = table_name_read(c, wire_text(wire_get(c->body, "TableName")), &name)) ||
        (e = table_state_look_up(c, name, out)))
        return e;
    return *out ? NULL : table_state_not_found(c, name);
}

const struct error *table_state_next(struct call *c, struct span after, const struct table **out)
{
    const struct table *t = op_region_table_after(c, after);

    *out = NULL;
    while (t && !*out) {
        struct span name = arena_span(c->arena, t->name);
        const struct error *e = table_state_look_up(c, name, out);

        if (e)
            return e;
        t = op_region_table_after(c, name);
    }
    return NULL;
}
