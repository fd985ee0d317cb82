#include "ops/table/table_build.h"

#include "ops/policy/policy_document.h"
#include "ops/stream/stream.h"
#include "ops/table/table_arn.h"
#include "ops/table/table_member.h"

/* The account's AWS managed key for DynamoDB, used when a request names no other key. */
#define SERVICE_KEY "key/d9c1a5e0-7f3b-4c55-9a0e-000000000001"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Raises the requested warm throughput (0: none) to the initial one of these units. *next shows
 * that it was requested. */
static void begin_warm(bool on_demand, const struct throughput *units, struct unit_pair *warm,
                       struct unit_pair *next)
{
    bool asked = warm->read || warm->write;

    warm->read = larger(warm->read, on_demand ? WARM_READ_INITIAL : units->read);
    warm->write = larger(warm->write, on_demand ? WARM_WRITE_INITIAL : units->write);
    if (asked)
        *next = *warm;
}

/* Requests define each name that they use; a table from a snapshot made elsewhere may not. */
static enum attr_type defined_type(const struct definition_list *defs, struct span name)
{
    size_t i = table_spec_find_definition(defs, name);

    return i < defs->len ? defs->at[i].type : ATTR_S;
}

struct key_schema table_build_keys(struct arena *a, const struct key_list *keys,
                                   const struct definition_list *defs)
{
    struct key_schema schema = {0};

    for (size_t i = 0; i < keys->len; i++) {
        struct key_part part = {
            .name = arena_span(a, keys->at[i].name),
            .type = defined_type(defs, keys->at[i].name),
        };

        if (keys->at[i].hash)
            schema.hash[schema.hash_count++] = part;
        else
            schema.range[schema.range_count++] = part;
    }
    return schema;
}

static struct vector_schema build_vector(struct arena *a, const struct index_spec *spec,
                                         const struct definition_list *defs)
{
    size_t count = spec->kind == KIND_VECTOR ? spec->keys.len : 0;
    struct vector_schema v = {
        .attribute = arena_span(a, spec->vector.attribute),
        .dimensions = spec->vector.dimensions,
        .distance = (enum distance)names_find(names_distances, spec->vector.distance,
                                              DISTANCE_COSINE),
        .parts = arena_array(a, count, sizeof *v.parts),
    };

    for (; v.part_count < count; v.part_count++) {
        const struct key_spec *part = &spec->keys.at[v.part_count];

        v.parts[v.part_count] = (struct search_part){
            .name = arena_span(a, part->name),
            .type = defined_type(defs, part->name),
            .hash = part->hash,
        };
    }
    return v;
}

static struct index define_index(struct table *t, const struct index_spec *spec,
                                 const struct definition_list *defs)
{
    struct index ix = {
        .name = arena_span(t->arena, spec->name),
        .global = spec->kind != KIND_LOCAL,
        .vector = build_vector(t->arena, spec, defs),
        .projection = (enum projection_type)names_find(names_projections, spec->projection.type,
                                                       PROJECT_KEYS_ONLY),
        .include = arena_array(t->arena, spec->projection.include_count, sizeof *ix.include),
        .throughput = {.read = spec->throughput.read, .write = spec->throughput.write},
        .on_demand = {spec->on_demand.read, spec->on_demand.write},
        .warm = {spec->warm.read, spec->warm.write},
    };

    if (spec->kind != KIND_VECTOR)
        ix.keys = table_build_keys(t->arena, &spec->keys, defs);
    for (; ix.include_count < spec->projection.include_count; ix.include_count++)
        ix.include[ix.include_count] = arena_span(t->arena,
                                                  spec->projection.include[ix.include_count]);
    return ix;
}

/* Sets what a new index has beside its definition. */
static const struct error *begin_index(struct call *c, const struct table *t, struct index *ix)
{
    bool local = schema_kind(ix) == KIND_LOCAL;

    if (schema_kind(ix) == KIND_VECTOR && store_is_in_database(c->store))
        return error_validation(c->arena, "Vector indexes are not kept in a database (--store)");
    ix->status = local ? STATUS_ACTIVE : STATUS_CREATING;
    ix->transition_until_ms = local ? 0 : op_transition_end(c);
    ix->backfilled = true;
    if (schema_kind(ix) != KIND_VECTOR)
        begin_warm(t->on_demand, &ix->throughput, &ix->warm, &ix->next_warm);
    return unit_new_space(c->unit, (unsigned)ix->keys.hash_count, &ix->space);
}

const struct error *table_build_index(struct call *c, struct table *t,
                                      const struct index_spec *spec,
                                      const struct definition_list *defs, struct index *out)
{
    *out = define_index(t, spec, defs);
    return begin_index(c, t, out);
}

const struct error *table_build_start_stream(struct call *c, struct table *t,
                                             const struct stream_spec *stream)
{
    const struct error *e;
    int64_t ms;
    struct stream other;
    bool taken = true;

    t->stream_enabled = true;
    t->stream_policy = (struct policy){0};
    t->stream_view = (enum stream_view)names_find(names_views, stream->view,
                                                  VIEW_NEW_AND_OLD_IMAGES);
    t->stream_shards = c->settings->stream_shards ? (uint32_t)c->settings->stream_shards : 1;
    /* Labels the stream with the current time, or the next millisecond that no stream of this table
     * has as its label. */
    ms = clock_now_ms(c->clock);
    while (taken) {
        struct span label = span_of(clock_iso_time(t->arena, ms++));

        if ((e = stream_find(c, table_arn(c, t->name, "/stream/", label), &other, &taken)))
            return e;
        t->stream_label = label;
    }
    if ((e = unit_new_space(c->unit, 0, &t->stream_space)))
        return e;
    return stream_open(c, t);
}

const struct error *table_build_stop_stream(struct call *c, struct table *t)
{
    const struct error *e = stream_close(c, t);

    t->stream_enabled = false;
    return e;
}

bool table_build_is_service_key(struct span arn)
{
    static const struct span key = SPAN_LIT_INIT(SERVICE_KEY);

    return arn.len >= key.len && span_equal(span_from(arn, arn.len - key.len), key);
}

struct span table_build_kms_key(struct call *c, const struct sse_spec *sse)
{
    struct span key = sse->key;
    const char *kind = "key/";

    if (span_starts_with(key, SPAN_LIT("arn:")))
        return key;
    if (!key.len || span_is(key, "alias/aws/dynamodb")) {
        key = SPAN_LIT(SERVICE_KEY);
        kind = "";
    } else if (span_starts_with(key, SPAN_LIT("alias/"))) {
        kind = "";
    }
    return span_of(arena_printf(c->arena, "arn:aws:kms:%.*s:%.*s:%s%.*s", SPAN_ARG(op_region(c)),
                                SPAN_ARG(c->settings->account), kind, SPAN_ARG(key)));
}

void table_build_encrypt(struct call *c, struct table *t, const struct sse_spec *sse)
{
    t->sse = sse->enabled;
    t->kms_key_arn = (struct span){NULL, 0};
    if (sse->enabled)
        t->kms_key_arn = arena_span(t->arena, table_build_kms_key(c, sse));
}

/* --- tables ----------------------------------------------------------------------------------- */

const struct error *table_build(struct call *c, struct span name, const struct table_spec *spec,
                                struct table **out)
{
    const struct definition_list *defs = &spec->definitions;
    struct table *t = schema_new(c->arena);
    const struct error *e;

    t->definitions = arena_array(t->arena, defs->len, sizeof *t->definitions);
    for (; t->definition_count < defs->len; t->definition_count++)
        t->definitions[t->definition_count] = (struct definition){
            arena_span(t->arena, defs->at[t->definition_count].name),
            defs->at[t->definition_count].type};
    t->keys = table_build_keys(t->arena, &spec->keys, defs);
    t->indexes = arena_array(t->arena, spec->indexes.len, sizeof *t->indexes);
    for (; t->index_count < spec->indexes.len; t->index_count++)
        t->indexes[t->index_count] = define_index(t, &spec->indexes.at[t->index_count], defs);
    t->on_demand = table_spec_on_demand(spec);
    t->throughput = (struct throughput){.read = spec->throughput.read,
                                        .write = spec->throughput.write};
    t->on_demand_limits = (struct unit_pair){spec->on_demand.read, spec->on_demand.write};
    t->warm = (struct unit_pair){spec->warm.read, spec->warm.write};
    t->global.mode = spec->global.mode;
    table_member_set(t, &spec->members);
    if (spec->resource_policy.at)
        t->policy = (struct policy){
            arena_span(t->arena, policy_document_compact(c->arena, spec->resource_policy)),
            clock_now_ms(c->clock)};
    table_build_encrypt(c, t, &spec->sse);
    t->tags = arena_array(t->arena, spec->tags.len, sizeof *t->tags);
    for (; t->tag_count < spec->tags.len; t->tag_count++)
        t->tags[t->tag_count] = (struct tag){
            arena_span(t->arena, spec->tags.at[t->tag_count].key),
            arena_span(t->arena, spec->tags.at[t->tag_count].value)};
    *out = t;
    e = table_build_begin(c, name, t);
    return e || !spec->stream.enabled ? e : table_build_start_stream(c, t, &spec->stream);
}

struct table *table_build_like(struct call *c, const struct table *source, unsigned uses)
{
    struct table *t = schema_copy(c->arena, source), all = *t;

    memset(t, 0, schema_members_table.size);
    *t = (struct table){
        .arena = all.arena,
        .keys = all.keys,
        .definitions = all.definitions,
        .definition_count = all.definition_count,
        .indexes = all.indexes,
        .on_demand = all.on_demand,
        .throughput = {.read = all.throughput.read, .write = all.throughput.write},
        .on_demand_limits = all.on_demand_limits,
        .sse = all.sse,
        .kms_key_arn = all.kms_key_arn,
    };
    for (size_t i = 0; i < source->index_count; i++) {
        const struct index ix = t->indexes[i];

        if (ix.status == STATUS_DELETING)
            continue;
        t->indexes[t->index_count++] = (struct index){
            .name = ix.name,
            .global = ix.global,
            .keys = ix.keys,
            .vector = ix.vector,
            .projection = ix.projection,
            .include = ix.include,
            .include_count = ix.include_count,
            .throughput = {.read = ix.throughput.read, .write = ix.throughput.write},
            .on_demand = ix.on_demand,
        };
    }
    table_member_copy(t, source, uses);
    return t;
}

const struct error *table_build_begin(struct call *c, struct span name, struct table *t)
{
    const struct error *e = unit_new_space(c->unit, 1, &t->space);

    t->region = arena_span(t->arena, c->region);
    t->name = arena_span(t->arena, name);
    t->uuid = span_of(arena_text(t->arena, span_of(clock_uuid(c->clock, c->arena))));
    t->status = STATUS_CREATING;
    t->created_ms = clock_now_ms(c->clock);
    t->transition_until_ms = op_transition_end(c);
    t->was_on_demand = t->on_demand;
    t->on_demand_since_ms = t->on_demand ? t->created_ms : 0;
    begin_warm(t->on_demand, &t->throughput, &t->warm, &t->next_warm);
    t->warm_until_ms = t->next_warm.read ? op_transition_end(c) : 0;
    for (size_t i = 0; !e && i < t->index_count; i++)
        e = begin_index(c, t, &t->indexes[i]);
    schema_prune(t);
    return e;
}
