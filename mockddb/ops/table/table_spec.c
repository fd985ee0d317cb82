#include "ops/table/table_spec.h"

#include "model/names.h"

static struct units_spec read_units(const wire_node *node, const char *read, const char *write)
{
    const wire_node *reads = wire_get(node, read), *writes = wire_get(node, write);

    return (struct units_spec){
        .given = node != NULL,
        .has_read = reads != NULL,
        .has_write = writes != NULL,
        .read = wire_integer(reads, 0),
        .write = wire_integer(writes, 0),
    };
}

static struct units_spec read_throughput(const wire_node *node)
{
    return read_units(node, "ReadCapacityUnits", "WriteCapacityUnits");
}

static struct units_spec read_on_demand(const wire_node *node)
{
    return read_units(node, "MaxReadRequestUnits", "MaxWriteRequestUnits");
}

static struct units_spec read_warm(const wire_node *owner)
{
    return read_units(wire_get(owner, "WarmThroughput"), "ReadUnitsPerSecond",
                      "WriteUnitsPerSecond");
}

/* KeySchema, or a SearchSchema, whose kinds have another name. */
static struct key_list read_keys(struct arena *a, const wire_node *list, const char *kind)
{
    struct key_list keys = {.at = arena_array(a, wire_count(list), sizeof *keys.at)};

    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        keys.at[keys.len].name = wire_text(wire_get(n, "AttributeName"));
        keys.at[keys.len++].hash = span_is(wire_text(wire_get(n, kind)), names_key_kinds[KEY_HASH]);
    }
    return keys;
}

static struct definition_list read_definitions(struct arena *a, const wire_node *list)
{
    struct definition_list defs = {.given = list != NULL,
                                   .at = arena_array(a, wire_count(list), sizeof *defs.at)};

    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        struct definition *d = &defs.at[defs.len++];

        d->name = wire_text(wire_get(n, "AttributeName"));
        d->type = ATTR_S;
        attr_type_of_code(wire_text(wire_get(n, "AttributeType")), &d->type);
    }
    return defs;
}

static struct projection_spec read_projection(struct arena *a, const wire_node *node)
{
    const wire_node *include = wire_get(node, "NonKeyAttributes");
    struct projection_spec p = {
        .type = wire_text(wire_get(node, "ProjectionType")),
        .include_given = include != NULL,
        .include = arena_array(a, wire_count(include), sizeof *p.include),
    };

    for (const wire_node *n = wire_first(include); n; n = wire_next(n))
        p.include[p.include_count++] = wire_text(n);
    return p;
}

static struct index_spec read_index(struct arena *a, const wire_node *node, enum index_kind kind)
{
    return (struct index_spec){
        .name = wire_text(wire_get(node, "IndexName")),
        .kind = kind,
        .keys = kind == KIND_VECTOR
                    ? read_keys(a, wire_get(node, "SearchSchema"), "SearchSchemaElementType")
                    : read_keys(a, wire_get(node, "KeySchema"), "KeyType"),
        .vector = {wire_text(wire_get(wire_get(node, "VectorAttribute"), "AttributeName")),
                   wire_integer(wire_get(node, "Dimensions"), 0),
                   wire_text(wire_get(node, "DistanceFunction"))},
        .projection = read_projection(a, wire_get(node, "Projection")),
        .throughput = read_throughput(wire_get(node, "ProvisionedThroughput")),
        .on_demand = read_on_demand(wire_get(node, "OnDemandThroughput")),
        .warm = read_warm(node),
    };
}

/* `names`: of the lists, by kind. */
static struct index_list read_indexes(struct arena *a, const wire_node *owner,
                                      const char *const *names)
{
    struct index_list indexes = {.len = 0};
    size_t count = 0;

    for (size_t kind = 0; kind < KIND_COUNT; kind++)
        count += wire_count(wire_get(owner, names[kind]));
    indexes.at = arena_array(a, count, sizeof *indexes.at);
    for (size_t kind = 0; kind < KIND_COUNT; kind++) {
        const wire_node *list = wire_get(owner, names[kind]);

        indexes.given[kind] = list != NULL;
        indexes.counts[kind] = wire_count(list);
        for (const wire_node *n = wire_first(list); n; n = wire_next(n))
            indexes.at[indexes.len++] = read_index(a, n, (enum index_kind)kind);
    }
    return indexes;
}

static struct index_change_list read_changes(struct arena *a, const wire_node *list,
                                             enum index_kind kind)
{
    struct index_change_list changes = {.given = list != NULL,
                                        .at = arena_array(a, wire_count(list), sizeof *changes.at)};

    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        static const char *const names[] = {
            [INDEX_UPDATE] = "Update", [INDEX_CREATE] = "Create", [INDEX_DELETE] = "Delete"};
        struct index_change change = {0};

        for (size_t i = 0; i < COUNT(names); i++) {
            const wire_node *action = wire_get(n, names[i]);

            if (!action)
                continue;
            change.actions++;
            change.action = (enum index_action)i;
            change.index = read_index(a, action, kind);
        }
        changes.at[changes.len++] = change;
    }
    return changes;
}

static struct stream_spec read_stream(const wire_node *node)
{
    return (struct stream_spec){
        .given = node != NULL,
        .enabled = wire_bool(wire_get(node, "StreamEnabled"), false),
        .view = wire_text(wire_get(node, "StreamViewType")),
    };
}

static struct sse_spec read_sse(const wire_node *node)
{
    return (struct sse_spec){
        .given = node != NULL,
        .enabled = wire_bool(wire_get(node, "Enabled"), false),
        .type = wire_text(wire_get(node, "SSEType")),
        .key = wire_text(wire_get(node, "KMSMasterKeyId")),
    };
}

struct tag_list table_spec_tags(struct arena *a, const wire_node *list)
{
    struct tag_list tags = {.at = arena_array(a, wire_count(list), sizeof *tags.at)};

    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        tags.at[tags.len].key = wire_text(wire_get(n, "Key"));
        tags.at[tags.len++].value = wire_text(wire_get(n, "Value"));
    }
    return tags;
}

/* --- global tables ---------------------------------------------------------------------------- */

static struct replica_change read_replica(const wire_node *node)
{
    static const char *const actions[] = {
        [REPLICA_CREATE] = "Create",
        [REPLICA_UPDATE] = "Update",
        [REPLICA_DELETE] = "Delete",
        [REPLICA_DISASSOCIATE] = "Disassociate",
    };
    struct replica_change change = {.actions = 0};

    for (size_t i = 0; i < COUNT(actions); i++) {
        const wire_node *settings = wire_get(node, actions[i]);

        if (!settings)
            continue;
        change.actions++;
        change.action = (enum replica_action)i;
        change.region = wire_text(wire_get(settings, "RegionName"));
        change.settings = settings;
    }
    return change;
}

static struct global_spec read_global(struct arena *a, const wire_node *body)
{
    const wire_node *list = wire_get(body, "ReplicaUpdates");
    const wire_node *witnesses = wire_get(body, "GlobalTableWitnessUpdates");
    const wire_node *consistency = wire_get(body, "MultiRegionConsistency");
    const wire_node *protection = wire_get(body, "DisassociationProtectionEnabled");
    struct replica_change witness = read_replica(wire_first(witnesses));
    struct global_spec spec = {
        .changes = arena_array(a, wire_count(list), sizeof *spec.changes),
        .witness_given = witnesses != NULL,
        .witness_actions = witness.actions,
        .witness_action = witness.action,
        .witness = witness.region,
        .consistency_given = consistency != NULL,
        .strong = span_is(wire_text(consistency), names_consistencies[CONSISTENCY_STRONG]),
        .mode = (enum replication_mode)names_find(
            names_replication_modes,
            wire_text(wire_get(body, "GlobalTableSettingsReplicationMode")), REPLICATION_UNSAID),
        .protection_given = protection != NULL,
        .protection = wire_bool(protection, false),
    };

    for (const wire_node *n = wire_first(list); n; n = wire_next(n))
        spec.changes[spec.count++] = read_replica(n);
    return spec;
}

/* --- members of one value -------------------------------------------------------------------- */

static struct attr read_value(struct arena *a, const struct schema_member *m, const wire_node *node)
{
    if (m->kind == SCHEMA_FLAG)
        return (struct attr){.type = ATTR_BOOL, .boolean = wire_bool(node, false)};
    if (m->kind == SCHEMA_INT)
        return schema_members_number(a, wire_integer(node, 0));
    return (struct attr){.type = ATTR_S, .bytes = wire_text(node)};
}

static struct member_list read_members(struct arena *a, const wire_node *body, enum schema_use use)
{
    struct member_list list = {.len = 0};

    for (const struct schema_member *m = NULL; (m = schema_members_next(m, use));) {
        const wire_node *node = wire_get(body, schema_members_wire(a, m, use));
        size_t size = list.len * sizeof *list.at;

        if (!node)
            continue;
        list.at = arena_grow(a, list.at, size, size + sizeof *list.at);
        list.at[list.len++] = (struct member_spec){m, read_value(a, m, node)};
    }
    return list;
}

/* --- specifications --------------------------------------------------------------------------- */

/* TableThroughputMode is another name of BillingMode, which has precedence. */
static struct span read_billing_mode(const wire_node *body)
{
    const wire_node *mode = wire_get(body, "BillingMode");

    return wire_text(mode ? mode : wire_get(body, "TableThroughputMode"));
}

struct table_spec table_spec_read(struct arena *a, const wire_node *body, enum schema_use use)
{
    return (struct table_spec){
        .definitions = read_definitions(a, wire_get(body, "AttributeDefinitions")),
        .keys = read_keys(a, wire_get(body, "KeySchema"), "KeyType"),
        .billing_mode = read_billing_mode(body),
        .throughput = read_throughput(wire_get(body, "ProvisionedThroughput")),
        .on_demand = read_on_demand(wire_get(body, "OnDemandThroughput")),
        .warm = read_warm(body),
        .indexes = read_indexes(a, body, names_index_lists),
        .index_changes = read_changes(a, wire_get(body, "GlobalSecondaryIndexUpdates"),
                                      KIND_GLOBAL),
        .vector_changes = read_changes(a, wire_get(body, "VectorIndexUpdates"), KIND_VECTOR),
        .stream = read_stream(wire_get(body, "StreamSpecification")),
        .sse = read_sse(wire_get(body, "SSESpecification")),
        .members = read_members(a, body, use),
        .resource_policy = wire_text(wire_get(body, "ResourcePolicy")),
        .tags = table_spec_tags(a, wire_get(body, "Tags")),
        .global = read_global(a, body),
    };
}

struct table_spec table_spec_read_import(struct arena *a, const wire_node *parameters)
{
    struct table_spec all = table_spec_read(a, parameters, SCHEMA_CREATE);
    size_t locals = all.indexes.counts[KIND_LOCAL];

    return (struct table_spec){
        .definitions = all.definitions,
        .keys = all.keys,
        .billing_mode = all.billing_mode,
        .throughput = all.throughput,
        .on_demand = all.on_demand,
        .indexes = {all.indexes.at + locals,
                    all.indexes.len - locals,
                    {0, all.indexes.counts[KIND_GLOBAL], all.indexes.counts[KIND_VECTOR]},
                    {false, all.indexes.given[KIND_GLOBAL], all.indexes.given[KIND_VECTOR]}},
        .sse = all.sse,
    };
}

struct table_spec table_spec_read_overrides(struct arena *a, const wire_node *body)
{
    static const char *const lists[] = {[KIND_LOCAL] = "LocalSecondaryIndexOverride",
                                        [KIND_GLOBAL] = "GlobalSecondaryIndexOverride",
                                        [KIND_VECTOR] = "VectorIndexOverride"};

    return (struct table_spec){
        .billing_mode = wire_text(wire_get(body, "BillingModeOverride")),
        .throughput = read_throughput(wire_get(body, "ProvisionedThroughputOverride")),
        .on_demand = read_on_demand(wire_get(body, "OnDemandThroughputOverride")),
        .indexes = read_indexes(a, body, lists),
        .sse = read_sse(wire_get(body, "SSESpecificationOverride")),
        .members = read_members(a, body, SCHEMA_RESTORE),
    };
}

bool table_spec_on_demand(const struct table_spec *spec)
{
    return span_is(spec->billing_mode, names_billing_modes[true]);
}

size_t table_spec_find_definition(const struct definition_list *defs, struct span name)
{
    size_t i = 0;

    while (i < defs->len && !span_equal(defs->at[i].name, name))
        i++;
    return i;
}
