#include "ops/global/global_settings.h"

#include "ops/global/global_group.h"
#include "ops/table/table_build.h"
#include "ops/table/table_member.h"
#include "ops/table/table_replicas.h"

const struct replica *global_settings_own(struct call *c, const struct table *t)
{
    for (size_t i = 0; i < t->global.replica_count; i++) {
        const struct table *other = global_group_table(c, t, t->global.replicas[i].region);

        if (other)
            return table_replicas_find(other, op_region(c));
    }
    return NULL;
}

static struct replica_index *find_index(const struct replica *r, struct span name)
{
    for (size_t i = 0; r && i < r->index_count; i++)
        if (span_equal(r->indexes[i].name, name))
            return &r->indexes[i];
    return NULL;
}

/* --- new replicas ----------------------------------------------------------------------------- */

/* If the source overrides units (own) and this replica does not (theirs), the new replica gets this
 * replica's units. *own becomes 0 so that the first such replica wins. */
static void inherit_units(int64_t *own, int64_t theirs, int64_t there, int64_t *units)
{
    if (!*own || theirs)
        return;
    *units = there;
    *own = 0;
}

static void inherit_indexes(struct replica *own, const struct replica *r, const struct table *there,
                            struct table *draft)
{
    for (size_t i = 0; i < own->index_count; i++) {
        struct replica_index *ours = &own->indexes[i], *theirs = find_index(r, ours->name);
        const struct index *from = schema_find_index(there, ours->name);
        const struct index *to = schema_find_index(draft, ours->name);
        struct index *ix = to ? draft->indexes + (to - draft->indexes) : NULL;

        if (!from || !ix)
            continue;
        inherit_units(&ours->read, theirs ? theirs->read : 0, from->throughput.read,
                      &ix->throughput.read);
        inherit_units(&ours->on_demand_read, theirs ? theirs->on_demand_read : 0,
                      from->on_demand.read, &ix->on_demand.read);
    }
}

void global_settings_inherit(struct call *c, const struct table *source, const struct replica *own,
                             struct table *draft)
{
    struct replica left = own ? *own : (struct replica){.index_count = 0};

    left.indexes = arena_array(c->arena, left.index_count + 1, sizeof *left.indexes);
    for (size_t i = 0; i < left.index_count; i++)
        left.indexes[i] = own->indexes[i];
    for (size_t i = 0; own && i < source->global.replica_count; i++) {
        const struct replica *r = &source->global.replicas[i];
        const struct table *there = global_group_table(c, source, r->region);

        if (!there)
            continue;
        inherit_units(&left.read, r->read, there->throughput.read, &draft->throughput.read);
        inherit_units(&left.on_demand_read, r->on_demand_read, there->on_demand_limits.read,
                      &draft->on_demand_limits.read);
        if (left.table_class.len && !r->table_class.len) {
            draft->table_class = arena_span(draft->arena, there->table_class);
            left.table_class.len = 0;
        }
        inherit_indexes(&left, r, there, draft);
    }
}

/* --- shared settings -------------------------------------------------------------------------- */

/* If either replica overrides its read units, the other does not take them from the request. */
static void share_reads(struct units_spec *provisioned, struct units_spec *on_demand,
                        int64_t read_now, bool has_reads, bool has_limit)
{
    if (has_reads && read_now)
        provisioned->read = read_now;
    if (has_limit)
        on_demand->has_read = false;
}

static void share_index(const struct table *t, const struct replica *asked,
                        const struct replica *own, struct index_spec *spec)
{
    const struct replica_index *theirs = find_index(asked, spec->name);
    const struct replica_index *ours = find_index(own, spec->name);
    const struct index *ix = schema_find_index(t, spec->name);

    share_reads(&spec->throughput, &spec->on_demand, ix ? ix->throughput.read : 0,
                (theirs && theirs->read) || (ours && ours->read),
                (theirs && theirs->on_demand_read) || (ours && ours->on_demand_read));
}

void global_settings_share(struct arena *a, const struct table *t, const struct replica *asked,
                           const struct replica *own, struct table_spec *spec)
{
    const struct index_change *changes = spec->index_changes.at;
    size_t count = spec->index_changes.len;
    bool has_class = (asked && asked->table_class.len) || (own && own->table_class.len);

    share_reads(&spec->throughput, &spec->on_demand, t->throughput.read,
                (asked && asked->read) || (own && own->read),
                (asked && asked->on_demand_read) || (own && own->on_demand_read));
    spec->members = table_member_shared(a, &spec->members,
                                        has_class ? TABLE_MEMBER(table_class) : 0);
    /* A customer managed key is valid in one region only; a table that has one keeps it. */
    if (spec->sse.enabled && spec->sse.key.len && t->sse &&
        !table_build_is_service_key(t->kms_key_arn))
        spec->sse.given = false;
    spec->sse.key = (struct span){NULL, 0};
    if (!count)
        return;
    spec->index_changes.at = arena_array(a, count, sizeof *changes);
    memcpy(spec->index_changes.at, changes, count * sizeof *changes);
    for (size_t i = 0; i < count; i++)
        if (changes[i].action == INDEX_UPDATE)
            share_index(t, asked, own, &spec->index_changes.at[i].index);
}

/* --- overrides in the list -------------------------------------------------------------------- */

static void follow_reads(int64_t *read, int64_t *limit, const struct units_spec *provisioned,
                         const struct units_spec *on_demand)
{
    if (*read && provisioned->has_read)
        *read = provisioned->read;
    if (*limit && on_demand->has_read)
        *limit = on_demand->read;
}

static void follow_spec(struct table *draft, struct replica *r, const struct table_spec *spec)
{
    const struct attr *table_class = table_member_given(&spec->members, TABLE_MEMBER(table_class));

    follow_reads(&r->read, &r->on_demand_read, &spec->throughput, &spec->on_demand);
    for (size_t i = 0; i < spec->index_changes.len; i++) {
        const struct index_spec *index = &spec->index_changes.at[i].index;
        struct replica_index *own = find_index(r, index->name);

        if (own && spec->index_changes.at[i].action == INDEX_UPDATE)
            follow_reads(&own->read, &own->on_demand_read, &index->throughput, &index->on_demand);
    }
    if (r->table_class.len && table_class)
        r->table_class = arena_span(draft->arena, table_class->bytes);
    if (spec->sse.given)
        r->kms_key = arena_span(draft->arena,
                                spec->sse.enabled ? spec->sse.key : (struct span){"", 0});
}

/* Only provisioned tables override units, only on-demand tables override limits. */
static void drop_unfit(int64_t *read, int64_t *limit, bool on_demand)
{
    if (on_demand)
        *read = 0;
    else
        *limit = 0;
}

static void drop_indexes(const struct table *t, struct replica *r)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->index_count; i++) {
        const struct index *ix = schema_find_index(t, r->indexes[i].name);

        drop_unfit(&r->indexes[i].read, &r->indexes[i].on_demand_read, t->on_demand);
        if (ix && ix->status != STATUS_DELETING &&
            (r->indexes[i].read || r->indexes[i].on_demand_read))
            r->indexes[kept++] = r->indexes[i];
    }
    r->index_count = kept;
}

void global_settings_note(struct table *draft, struct span region, const struct table_spec *spec)
{
    for (size_t i = 0; i < draft->global.replica_count; i++) {
        struct replica *r = &draft->global.replicas[i];

        if (span_equal(r->region, region))
            follow_spec(draft, r, spec);
        if (spec->sse.given && !spec->sse.enabled)
            r->kms_key = (struct span){"", 0};
        drop_unfit(&r->read, &r->on_demand_read, draft->on_demand);
        drop_indexes(draft, r);
    }
}
