#include "ops/update/update.h"

#include "ops/table/table_build.h"
#include "ops/table/table_member.h"

static void begin_index(struct call *c, struct index *ix, enum status status)
{
    ix->status = status;
    ix->transition_until_ms = op_transition_end(c);
}

/* --- throughput ------------------------------------------------------------------------------- */

static void clear_units(struct throughput *p)
{
    p->read = 0;
    p->write = 0;
}

/* The date and the warm throughput change when the switch ends. */
static void switch_to_on_demand(struct table *t)
{
    t->on_demand = t->was_on_demand = true;
    clear_units(&t->throughput);
    for (size_t i = 0; i < t->index_count; i++)
        clear_units(&t->indexes[i].throughput);
}

/* Dates change at once; units and the count of decreases change at the end. */
static void begin_units(const struct call *c, struct throughput *now, struct throughput *next,
                        const struct units_spec *units)
{
    *next = update_limits_throughput(c, now, units);
    now->last_increase_ms = next->last_increase_ms;
    now->last_decrease_ms = next->last_decrease_ms;
}

/* Each member of OnDemandThroughput that is given replaces the old value. */
static void merge_limits(struct unit_pair *limits, const struct units_spec *asked)
{
    if (asked->has_read)
        limits->read = asked->read;
    if (asked->has_write)
        limits->write = asked->write;
}

static struct unit_pair warm_after(struct unit_pair now, const struct units_spec *asked)
{
    return (struct unit_pair){asked->has_read ? asked->read : now.read,
                              asked->has_write ? asked->write : now.write};
}

/* --- indexes ---------------------------------------------------------------------------------- */

static struct index *find_index(struct table *t, struct span name)
{
    return t->indexes + (schema_find_index(t, name) - t->indexes);
}

static void update_index(struct call *c, struct index *ix, const struct index_spec *spec,
                         bool switched)
{
    bool warm = spec->warm.has_read || spec->warm.has_write;
    bool other = spec->throughput.given || spec->on_demand.has_read || spec->on_demand.has_write;

    ix->next_throughput = ix->throughput;
    if (spec->throughput.given && switched) {
        ix->throughput.read = ix->next_throughput.read = spec->throughput.read;
        ix->throughput.write = ix->next_throughput.write = spec->throughput.write;
    } else if (spec->throughput.given) {
        begin_units(c, &ix->throughput, &ix->next_throughput, &spec->throughput);
    }
    merge_limits(&ix->on_demand, &spec->on_demand);
    if (warm)
        ix->next_warm = warm_after(ix->warm, &spec->warm);
    if (ix->status == STATUS_CREATING)
        ix->throughput = ix->next_throughput; /* takes effect with the index */
    else if (other || warm)
        begin_index(c, ix, other ? STATUS_UPDATING : ix->status);
}

/* Adds the table's definition of an attribute, or the request's if the table has none. */
static void add_definition(struct table *t, struct definition_list *all, struct span name,
                           const struct definition_list *asked)
{
    if (table_spec_find_definition(all, name) < all->len)
        return;
    all->at[all->len] = asked->at[table_spec_find_definition(asked, name)];
    all->at[all->len++].name = arena_span(t->arena, name);
}

static const struct error *create_index(struct call *c, struct table *t,
                                        const struct index_spec *spec,
                                        const struct definition_list *asked)
{
    struct index *indexes = arena_array(t->arena, t->index_count + 1, sizeof *indexes);
    const struct error *e;
    size_t most = t->definition_count + spec->keys.len;
    struct definition_list defs = {.at = arena_array(t->arena, most, sizeof *defs.at),
                                   .len = t->definition_count};

    if (defs.len)
        memcpy(defs.at, t->definitions, defs.len * sizeof *defs.at);
    for (size_t i = 0; i < spec->keys.len; i++)
        add_definition(t, &defs, spec->keys.at[i].name, asked);
    t->definitions = defs.at;
    t->definition_count = defs.len;
    if (t->index_count)
        memcpy(indexes, t->indexes, t->index_count * sizeof *indexes);
    if ((e = table_build_index(c, t, spec, &defs, &indexes[t->index_count])))
        return e;
    indexes[t->index_count].backfilled = false;
    indexes[t->index_count].transition_until_ms = op_transition_index_end(c);
    t->indexes = indexes;
    t->index_count++;
    return NULL;
}

static const struct error *apply_indexes(struct call *c, struct table *t,
                                         const struct table_spec *spec,
                                         const struct index_change_list *changes, bool switched)
{
    for (size_t i = 0; i < changes->len; i++) {
        const struct index_change *change = &changes->at[i];
        const struct error *e;

        if (change->action == INDEX_UPDATE) {
            update_index(c, find_index(t, change->index.name), &change->index, switched);
            continue;
        }
        if (change->action == INDEX_DELETE) {
            struct index *ix = find_index(t, change->index.name);

            /* Deleting an index stops its backfill. */
            ix->backfilling = false;
            begin_index(c, ix, STATUS_DELETING);
        } else if ((e = create_index(c, t, &change->index, &spec->definitions))) {
            return e;
        }
        if (t->change != CHANGE_BILLING)
            op_transition_begin(c, t, CHANGE_INDEX);
        if (change->action == INDEX_CREATE)
            t->transition_until_ms = op_transition_index_end(c);
    }
    return NULL;
}

/* --- the rest --------------------------------------------------------------------------------- */

static const struct error *apply_stream(struct call *c, struct table *t,
                                        const struct stream_spec *stream)
{
    if (!stream->given)
        return NULL;
    if (t->change != CHANGE_BILLING)
        op_transition_begin(c, t, CHANGE_STREAM);
    return stream->enabled ? table_build_start_stream(c, t, stream) : table_build_stop_stream(c, t);
}

static void apply_encryption(struct call *c, struct table *t, const struct sse_spec *sse)
{
    if (!sse->given)
        return;
    update_limits_count_encryption(c, t);
    t->sse_until_ms = op_transition_end(c);
    t->next_kms_key_arn = (struct span){NULL, 0};
    if (sse->enabled)
        t->next_kms_key_arn = arena_span(t->arena, table_build_kms_key(c, sse));
}

const struct error *update_apply(struct call *c, struct table *t, const struct table_spec *spec,
                                 bool *idle)
{
    bool was_on_demand = t->on_demand;
    const struct error *e;
    bool on_demand;

    *idle = false;
    on_demand = table_spec_on_demand(spec);
    if (spec->billing_mode.len && on_demand != t->on_demand && t->change != CHANGE_BILLING) {
        if (on_demand) {
            switch_to_on_demand(t);
        } else {
            t->on_demand = false;
            t->on_demand_limits = (struct unit_pair){0, 0};
            t->throughput.read = spec->throughput.read;
            t->throughput.write = spec->throughput.write;
            for (size_t i = 0; i < t->index_count; i++)
                t->indexes[i].on_demand = (struct unit_pair){0, 0};
        }
        op_transition_begin(c, t, CHANGE_BILLING);
    } else if (spec->throughput.given) {
        begin_units(c, &t->throughput, &t->next_throughput, &spec->throughput);
        op_transition_begin(c, t, CHANGE_THROUGHPUT);
    } else if (spec->billing_mode.len) {
        *idle = true; /* also during a switch to PROVISIONED, which continues */
    }
    merge_limits(&t->on_demand_limits, &spec->on_demand);
    if (spec->warm.has_read || spec->warm.has_write) {
        t->next_warm = warm_after(t->warm, &spec->warm);
        t->warm_until_ms = op_transition_end(c);
    }
    if ((e = apply_indexes(c, t, spec, &spec->index_changes, was_on_demand && !t->on_demand)) ||
        (e = apply_indexes(c, t, spec, &spec->vector_changes, false)) ||
        (e = apply_stream(c, t, &spec->stream)))
        return e;
    apply_encryption(c, t, &spec->sse);
    if (!table_member_change(c, t, &spec->members))
        *idle = true;
    return NULL;
}
