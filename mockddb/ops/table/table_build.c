#include "ops/table/table_build.h"

#include "model/names.h"
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

/* The larger of the initial warm throughput for these units and the requested one. */
static struct unit_pair warm_units(bool on_demand, struct throughput units,
                                   const struct units_spec *asked)
{
    struct unit_pair warm = {
        on_demand ? WARM_READ_INITIAL : units.read,
        on_demand ? WARM_WRITE_INITIAL : units.write,
    };

    return (struct unit_pair){larger(warm.read, asked->read), larger(warm.write, asked->write)};
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

const struct error *table_build_index(struct call *c, struct table *t,
                                      const struct index_spec *spec,
                                      const struct definition_list *defs, struct index *out)
{
    *out = (struct index){
        .name = arena_span(t->arena, spec->name),
        .global = spec->kind != KIND_LOCAL,
        .vector = build_vector(t->arena, spec, defs),
        .projection = (enum projection_type)names_find(names_projections, spec->projection.type,
                                                       PROJECT_KEYS_ONLY),
        .include_count = spec->projection.include_count,
        .status = spec->kind == KIND_LOCAL ? STATUS_ACTIVE : STATUS_CREATING,
        .backfilled = true,
        .throughput = {.read = spec->throughput.read, .write = spec->throughput.write},
        .on_demand = {spec->on_demand.read, spec->on_demand.write},
        .transition_until_ms = spec->kind == KIND_LOCAL ? 0 : op_transition_end(c),
    };
    if (spec->kind != KIND_VECTOR) {
        out->keys = table_build_keys(t->arena, &spec->keys, defs);
        out->warm = warm_units(t->on_demand, out->throughput, &spec->warm);
    }
    if (spec->warm.has_read || spec->warm.has_write)
        out->next_warm = out->warm;
    out->include = arena_array(t->arena, out->include_count, sizeof *out->include);
    for (size_t i = 0; i < out->include_count; i++)
        out->include[i] = arena_span(t->arena, spec->projection.include[i]);
    return unit_new_space(c->unit, &out->space);
}

static const struct error *build_indexes(struct call *c, struct table *t,
                                         const struct index_list *list,
                                         const struct definition_list *defs)
{
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < list->len; i++)
        e = table_build_index(c, t, &list->at[i], defs, &t->indexes[t->index_count++]);
    return e;
}

/* Labels the stream with the current time, or the next millisecond that no stream of this table has
 * as its label. */
static const struct error *label_stream(struct call *c, struct table *t)
{
    int64_t ms = clock_now_ms(c->clock);
    const struct error *e;
    struct stream other;
    bool taken = true;

    while (taken) {
        struct span label = span_of(clock_iso_time(t->arena, ms++));

        if ((e = stream_find(c, table_arn(c, t->name, "/stream/", label), &other, &taken)))
            return e;
        t->stream_label = label;
    }
    return NULL;
}

const struct error *table_build_start_stream(struct call *c, struct table *t,
                                             const struct stream_spec *stream)
{
    const struct error *e;

    t->stream_enabled = true;
    t->stream_policy = (struct policy){0};
    t->stream_view = (enum stream_view)names_find(names_views, stream->view,
                                                  VIEW_NEW_AND_OLD_IMAGES);
    t->stream_shards = c->settings->stream_shards ? c->settings->stream_shards : 1;
    if ((e = label_stream(c, t)) || (e = unit_new_space(c->unit, &t->stream_space)))
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

static void build_options(struct call *c, struct table *t, const struct table_spec *spec)
{
    t->throughput.read = spec->throughput.read;
    t->throughput.write = spec->throughput.write;
    t->on_demand_limits = (struct unit_pair){spec->on_demand.read, spec->on_demand.write};
    t->warm = warm_units(t->on_demand, t->throughput, &spec->warm);
    if (spec->warm.has_read || spec->warm.has_write) {
        t->next_warm = t->warm;
        t->warm_until_ms = op_transition_end(c);
    }
    t->global.mode = spec->global.mode;
    if (spec->source)
        table_member_copy(t, spec->source, spec->source_use);
    table_member_set(t, &spec->members);
    if (spec->resource_policy.at)
        t->policy = (struct policy){
            arena_span(t->arena, policy_document_compact(c->arena, spec->resource_policy)),
            t->created_ms};
    if (spec->sse.enabled) {
        t->sse = true;
        t->kms_key_arn = arena_span(t->arena, table_build_kms_key(c, &spec->sse));
    }
    t->tags = arena_array(t->arena, spec->tags.len, sizeof *t->tags);
    for (; t->tag_count < spec->tags.len; t->tag_count++)
        t->tags[t->tag_count] = (struct tag){
            arena_span(t->arena, spec->tags.at[t->tag_count].key),
            arena_span(t->arena, spec->tags.at[t->tag_count].value)};
}

static void build_definitions(struct table *t, const struct definition_list *defs)
{
    t->definitions = arena_array(t->arena, defs->len, sizeof *t->definitions);
    for (; t->definition_count < defs->len; t->definition_count++) {
        t->definitions[t->definition_count] = defs->at[t->definition_count];
        t->definitions[t->definition_count].name = arena_span(t->arena,
                                                              defs->at[t->definition_count].name);
    }
}

static const struct error *build_spaces(struct call *c, struct table *t,
                                        const struct table_spec *spec)
{
    const struct error *e = unit_new_space(c->unit, &t->space);

    t->indexes = arena_array(t->arena, spec->locals.len + spec->globals.len + spec->vectors.len,
                             sizeof *t->indexes);
    if (e || (e = build_indexes(c, t, &spec->locals, &spec->definitions)) ||
        (e = build_indexes(c, t, &spec->globals, &spec->definitions)) ||
        (e = build_indexes(c, t, &spec->vectors, &spec->definitions)))
        return e;
    return spec->stream.enabled ? table_build_start_stream(c, t, &spec->stream) : NULL;
}

const struct error *table_build(struct call *c, struct span name, const struct table_spec *spec,
                                struct table **out)
{
    struct table *t = schema_new(c->arena);
    const struct error *e;

    t->region = arena_span(t->arena, c->region);
    t->name = arena_span(t->arena, name);
    t->uuid = span_of(arena_text(t->arena, span_of(clock_uuid(c->clock, c->arena))));
    t->status = STATUS_CREATING;
    t->created_ms = clock_now_ms(c->clock);
    t->transition_until_ms = op_transition_end(c);
    t->on_demand = t->was_on_demand = table_spec_on_demand(spec);
    t->on_demand_since_ms = t->on_demand ? t->created_ms : 0;
    build_definitions(t, &spec->definitions);
    t->keys = table_build_keys(t->arena, &spec->keys, &spec->definitions);
    build_options(c, t, spec);
    if ((e = build_spaces(c, t, spec)))
        return e;
    *out = t;
    return NULL;
}
