#include "templates/template_provider.h"

#include "base/one_more.h"

/* --- members ---------------------------------------------------------------------------------- */

enum translation {
    AS_IT_IS,
    KEY_OF_HASH, /* an attribute's name, an element of KeySchema */
    KEY_OF_RANGE,
    EACH,       /* a list of objects, each translated */
    EACH_LOCAL, /* … indexes whose partition key is the table's */
    SINGLE,     /* an object, or a list with one at most */
    TAGS,       /* an object of texts */
    IGNORED,    /* computed, or without effect on the table */
};

struct translated {
    const char *terraform, *pulumi;
    enum translation how;
    const char
        *to; /* a name, or the names of an object and its member: "Projection.ProjectionType" */
    const struct translated *rows; /* of EACH and SINGLE; ends with a NULL name */
};

static const struct translated attribute_rows[] = {
    {"name", "name", AS_IT_IS, "AttributeName", NULL},
    {"type", "type", AS_IT_IS, "AttributeType", NULL},
    {NULL, NULL, IGNORED, NULL, NULL},
};
static const struct translated key_rows[] = {
    {"attribute_name", "attributeName", AS_IT_IS, "AttributeName", NULL},
    {"key_type", "keyType", AS_IT_IS, "KeyType", NULL},
    {"attribute_type", "attributeType", IGNORED, NULL, NULL},
    {NULL, NULL, IGNORED, NULL, NULL},
};
static const struct translated on_demand_rows[] = {
    {"max_read_request_units", "maxReadRequestUnits", AS_IT_IS, "MaxReadRequestUnits", NULL},
    {"max_write_request_units", "maxWriteRequestUnits", AS_IT_IS, "MaxWriteRequestUnits", NULL},
    {NULL, NULL, IGNORED, NULL, NULL},
};
static const struct translated warm_rows[] = {
    {"read_units_per_second", "readUnitsPerSecond", AS_IT_IS, "ReadUnitsPerSecond", NULL},
    {"write_units_per_second", "writeUnitsPerSecond", AS_IT_IS, "WriteUnitsPerSecond", NULL},
    {NULL, NULL, IGNORED, NULL, NULL},
};
static const struct translated index_rows[] = {
    {"name", "name", AS_IT_IS, "IndexName", NULL},
    {"hash_key", "hashKey", KEY_OF_HASH, NULL, NULL},
    {"range_key", "rangeKey", KEY_OF_RANGE, NULL, NULL},
    {"key_schema", "keySchemas", EACH, "KeySchema", key_rows},
    {"projection_type", "projectionType", AS_IT_IS, "Projection.ProjectionType", NULL},
    {"non_key_attributes", "nonKeyAttributes", AS_IT_IS, "Projection.NonKeyAttributes", NULL},
    {"read_capacity", "readCapacity", AS_IT_IS, "ProvisionedThroughput.ReadCapacityUnits", NULL},
    {"write_capacity", "writeCapacity", AS_IT_IS, "ProvisionedThroughput.WriteCapacityUnits", NULL},
    {"on_demand_throughput", "onDemandThroughput", SINGLE, "OnDemandThroughput", on_demand_rows},
    {"warm_throughput", "warmThroughput", SINGLE, "WarmThroughput", warm_rows},
    {NULL, NULL, IGNORED, NULL, NULL},
};
static const struct translated ttl_rows[] = {
    {"attribute_name", "attributeName", AS_IT_IS, "AttributeName", NULL},
    {"enabled", "enabled", AS_IT_IS, "Enabled", NULL},
    {NULL, NULL, IGNORED, NULL, NULL},
};
static const struct translated recovery_rows[] = {
    {"enabled", "enabled", AS_IT_IS, "PointInTimeRecoveryEnabled", NULL},
    {"recovery_period_in_days", "recoveryPeriodInDays", AS_IT_IS, "RecoveryPeriodInDays", NULL},
    {NULL, NULL, IGNORED, NULL, NULL},
};
static const struct translated encryption_rows[] = {
    {"enabled", "enabled", AS_IT_IS, "SSEEnabled", NULL},
    {"kms_key_arn", "kmsKeyArn", AS_IT_IS, "KMSMasterKeyId", NULL},
    {NULL, NULL, IGNORED, NULL, NULL},
};
static const struct translated replica_rows[] = {
    {"region_name", "regionName", AS_IT_IS, "RegionName", NULL},
    {"kms_key_arn", "kmsKeyArn", AS_IT_IS, "KMSMasterKeyId", NULL},
    {"arn", "arn", IGNORED, NULL, NULL},
    {"stream_arn", "streamArn", IGNORED, NULL, NULL},
    {"stream_label", "streamLabel", IGNORED, NULL, NULL},
    {"consistency_mode", "consistencyMode", IGNORED, NULL, NULL}, /* add_consistency reads it */
    {NULL, NULL, IGNORED, NULL, NULL},
};
static const struct translated table_rows[] = {
    {"name", "name", IGNORED, NULL, NULL}, /* read before */
    {"attribute", "attributes", EACH, "AttributeDefinitions", attribute_rows},
    {"hash_key", "hashKey", KEY_OF_HASH, NULL, NULL},
    {"range_key", "rangeKey", KEY_OF_RANGE, NULL, NULL},
    {"billing_mode", "billingMode", AS_IT_IS, "BillingMode", NULL},
    {"read_capacity", "readCapacity", AS_IT_IS, "ProvisionedThroughput.ReadCapacityUnits", NULL},
    {"write_capacity", "writeCapacity", AS_IT_IS, "ProvisionedThroughput.WriteCapacityUnits", NULL},
    {"on_demand_throughput", "onDemandThroughput", SINGLE, "OnDemandThroughput", on_demand_rows},
    {"warm_throughput", "warmThroughput", SINGLE, "WarmThroughput", warm_rows},
    {"local_secondary_index", "localSecondaryIndexes", EACH_LOCAL, "LocalSecondaryIndexes",
     index_rows},
    {"global_secondary_index", "globalSecondaryIndexes", EACH, "GlobalSecondaryIndexes",
     index_rows},
    {"stream_enabled", "streamEnabled", AS_IT_IS, "StreamSpecification.StreamEnabled", NULL},
    {"stream_view_type", "streamViewType", AS_IT_IS, "StreamSpecification.StreamViewType", NULL},
    {"ttl", "ttl", SINGLE, "TimeToLiveSpecification", ttl_rows},
    {"point_in_time_recovery", "pointInTimeRecovery", SINGLE, "PointInTimeRecoverySpecification",
     recovery_rows},
    {"server_side_encryption", "serverSideEncryption", SINGLE, "SSESpecification", encryption_rows},
    {"replica", "replicas", EACH, "ReplicaUpdates", replica_rows},
    {"table_class", "tableClass", AS_IT_IS, "TableClass", NULL},
    {"deletion_protection_enabled", "deletionProtectionEnabled", AS_IT_IS,
     "DeletionProtectionEnabled", NULL},
    {"tags", "tags", TAGS, "Tags", NULL},
    {"tags_all", "tagsAll", IGNORED, NULL, NULL}, /* with the provider's own tags */
    {"arn", "arn", IGNORED, NULL, NULL},
    {"id", "id", IGNORED, NULL, NULL},
    {"region", "region", IGNORED, NULL, NULL},
    {"stream_arn", "streamArn", IGNORED, NULL, NULL},
    {"stream_label", "streamLabel", IGNORED, NULL, NULL},
    {"timeouts", "__defaults", IGNORED, NULL, NULL},
    {NULL, NULL, IGNORED, NULL, NULL},
};

/* --- translation ------------------------------------------------------------------------------ */

struct provider_form {
    struct template *template;
    struct arena *arena;
    struct span table;                /* in notes */
    const struct template_node *hash; /* the name of the table's partition key, or NULL */
};

/* What providers write for "not set". */
static bool is_unset(const struct template_node *n)
{
    return n->kind == TEMPLATE_NULL ||
           (n->kind == TEMPLATE_SCALAR &&
            (!n->text.len || (!n->quoted && span_is(n->text, "false")))) ||
           ((n->kind == TEMPLATE_LIST || n->kind == TEMPLATE_MAP) && !n->count);
}

/* The object of this name in `to`, made if it is not there. */
static struct template_node *object_in(struct provider_form *f, struct template_node *to,
                                       struct span name, const struct template_node *at)
{
    struct template_node *object;

    for (size_t i = 0; i < to->count; i++)
        if (span_equal(to->members[i].name, name)) { /* made here before */
            object = arena_alloc(f->arena, sizeof *object);
            *object = *to->members[i].value;
            to->members[i].value = object;
            return object;
        }
    object = template_node_new(f->arena, TEMPLATE_MAP, at);
    template_node_add(f->arena, to, arena_text(f->arena, name), object);
    return object;
}

static void add_translated(struct provider_form *f, struct template_node *to, const char *path,
                           const struct template_node *value)
{
    const char *dot = strchr(path, '.');

    if (dot)
        to = object_in(f, to, (struct span){path, (size_t)(dot - path)}, value);
    template_node_add(f->arena, to, dot ? dot + 1 : path, value);
}

static void add_key(struct provider_form *f, struct template_node *to, const char *type,
                    const struct template_node *name)
{
    struct template_node *key = template_node_new(f->arena, TEMPLATE_MAP, name), *list;
    const struct template_node *first = template_node_get(to, "KeySchema");

    template_node_add(f->arena, key, "AttributeName", name);
    template_node_add(f->arena, key, "KeyType",
                      template_node_new_text(f->arena, span_of(type), name));
    if (!first) {
        list = template_node_new(f->arena, TEMPLATE_LIST, name);
        template_node_add(f->arena, list, NULL, key);
        template_node_add(f->arena, to, "KeySchema", list);
        return;
    }
    list = template_node_new(f->arena, TEMPLATE_LIST, first);
    if (strcmp(type, "HASH") == 0)
        template_node_add(f->arena, list, NULL, key);
    for (size_t i = 0; i < first->count; i++)
        template_node_add(f->arena, list, NULL, first->members[i].value);
    if (strcmp(type, "HASH") != 0)
        template_node_add(f->arena, list, NULL, key);
    for (size_t i = 0; i < to->count; i++)
        if (to->members[i].value == first)
            to->members[i].value = list;
}

static void add_tags(struct provider_form *f, struct template_node *to,
                     const struct template_node *tags)
{
    struct template_node *list = template_node_new(f->arena, TEMPLATE_LIST, tags);

    for (size_t i = 0; i < tags->count; i++) {
        struct template_node *tag = template_node_new(f->arena, TEMPLATE_MAP, tags);

        template_node_add(f->arena, tag, "Key",
                          template_node_new_text(f->arena, tags->members[i].name, tags));
        template_node_add(f->arena, tag, "Value", tags->members[i].value);
        template_node_add(f->arena, list, NULL, tag);
    }
    template_node_add(f->arena, to, "Tags", list);
}

static const struct problem *translate(struct provider_form *f, const struct translated *rows,
                                       const struct template_node *from, struct template_node *to);

static const struct problem *translate_each(struct provider_form *f, const struct translated *row,
                                            const struct template_node *value,
                                            struct template_node *to)
{
    struct template_node *list = template_node_new(f->arena, TEMPLATE_LIST, value);
    const struct problem *p = NULL;

    for (size_t i = 0; i < value->count && !p; i++) {
        struct template_node *each = template_node_new(f->arena, TEMPLATE_MAP,
                                                       value->members[i].value);

        if (row->how == EACH_LOCAL && f->hash)
            add_key(f, each, "HASH", f->hash);
        if (!p)
            p = translate(f, row->rows, value->members[i].value, each);
        template_node_add(f->arena, list, NULL, each);
    }
    template_node_add(f->arena, to, row->to, list);
    return p;
}

static const struct problem *translate_member(struct provider_form *f, const struct translated *row,
                                              const struct template_node *value,
                                              struct template_node *to)
{
    struct template_node *single;

    if (value->kind == TEMPLATE_UNKNOWN && row->how != AS_IT_IS) {
        if (row->to)
            template_node_add(f->arena, to, row->to, value);
        return row->to || row->how == IGNORED
                   ? NULL
                   : template_node_problem(f->arena, value, "%s is not known before it is applied",
                                           row->terraform);
    }
    switch (row->how) {
    case AS_IT_IS:
        add_translated(f, to, row->to, value);
        return NULL;
    case KEY_OF_HASH:
    case KEY_OF_RANGE:
        add_key(f, to, row->how == KEY_OF_HASH ? "HASH" : "RANGE", value);
        return NULL;
    case EACH:
    case EACH_LOCAL:
        if (value->kind != TEMPLATE_LIST)
            return template_node_problem(f->arena, value, "a list is expected here, not %s",
                                         template_node_kind(value));
        return translate_each(f, row, value, to);
    case SINGLE:
        single = template_node_new(f->arena, TEMPLATE_MAP, value);
        template_node_add(f->arena, to, row->to, single);
        return translate(f, row->rows,
                         value->kind == TEMPLATE_LIST ? value->members[0].value : value, single);
    case TAGS:
        add_tags(f, to, value);
        return NULL;
    case IGNORED:
        break;
    }
    return NULL;
}

static const struct problem *translate(struct provider_form *f, const struct translated *rows,
                                       const struct template_node *from, struct template_node *to)
{
    const struct problem *p = NULL;

    if (from->kind != TEMPLATE_MAP)
        return template_node_problem(f->arena, from, "an object is expected here, not %s",
                                     template_node_kind(from));
    for (size_t i = 0; i < from->count && !p; i++) {
        const struct template_member *m = &from->members[i];
        const struct translated *row = rows;

        while (row->terraform && !span_is(m->name, row->terraform) &&
               !span_is(m->name, row->pulumi))
            row++;
        if (is_unset(m->value) && !(row->terraform && row->how == AS_IT_IS && !m->value->quoted &&
                                    m->value->kind == TEMPLATE_SCALAR))
            continue;
        if (row->terraform)
            p = translate_member(f, row, m->value, to);
        else if (m->value->kind != TEMPLATE_UNKNOWN)
            template_note(
                f->template, f->table,
                template_node_misnamed(f->arena, m, "%.*s is left out", SPAN_ARG(m->name)));
    }
    return p;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* A copy without a member. */
static const struct template_node *without(struct arena *a, const struct template_node *map,
                                           const char *name)
{
    struct template_node *copy = template_node_new(a, TEMPLATE_MAP, map);

    for (size_t i = 0; i < map->count; i++)
        if (!span_is(map->members[i].name, name)) {
            copy->members = one_more(a, copy->members, copy->count, sizeof *copy->members);
            copy->members[copy->count++] = map->members[i];
        }
    return copy;
}

/* States have units also of on-demand tables, and index after index. */
static const struct template_node *without_units(struct arena *a, const struct template_node *table)
{
    const struct template_node *indexes = template_node_get(table, "GlobalSecondaryIndexes");
    const struct template_node *kept = without(a, table, "ProvisionedThroughput");
    struct template_node *to, *list;

    if (!indexes || indexes->kind != TEMPLATE_LIST)
        return kept;
    to = arena_alloc(a, sizeof *to);
    *to = *without(a, kept, "GlobalSecondaryIndexes");
    list = template_node_new(a, TEMPLATE_LIST, indexes);
    for (size_t i = 0; i < indexes->count; i++)
        template_node_add(a, list, NULL,
                          without(a, indexes->members[i].value, "ProvisionedThroughput"));
    template_node_add(a, to, "GlobalSecondaryIndexes", list);
    return to;
}

static bool is_text(const struct template_node *map, const char *name, const char *text)
{
    return span_is(template_node_text(template_node_get(map, name)), text);
}

/* With strong consistency all replicas are made at once; Terraform has it in each of them. */
static void add_consistency(struct arena *a, const struct template_node *table,
                            struct template_node *to)
{
    const struct template_node *replicas = template_node_get(table, "replica");

    if (!replicas)
        replicas = template_node_get(table, "replicas");
    for (size_t i = 0; replicas && i < replicas->count; i++)
        if (is_text(replicas->members[i].value, "consistency_mode", "STRONG") ||
            is_text(replicas->members[i].value, "consistencyMode", "STRONG")) {
            template_node_add(a, to, "MultiRegionConsistency",
                              template_node_new_text(a, SPAN_LIT("STRONG"), replicas));
            return;
        }
}

const struct problem *template_provider_form(struct template *t, const struct template_table *table,
                                             const struct template_node **out)
{
    struct provider_form f = {.template = t, .arena = t->arena, .table = table->id};
    struct template_node *to = template_node_new(t->arena, TEMPLATE_MAP, table->at);
    const struct problem *p;

    if (!(f.hash = template_node_get(table->properties, "hash_key")))
        f.hash = template_node_get(table->properties, "hashKey");
    p = translate(&f, table_rows, table->properties, to);
    add_consistency(t->arena, table->properties, to);
    *out = to;
    for (size_t i = 0; i < table->more_count; i++)
        template_node_add(t->arena, to, arena_text(t->arena, table->more[i].name),
                          table->more[i].value);
    if (is_text(to, "BillingMode", "PAY_PER_REQUEST"))
        *out = without_units(t->arena, *out);
    if (!is_text(template_node_get(*out, "StreamSpecification"), "StreamEnabled", "true"))
        *out = without(t->arena, *out, "StreamSpecification");
    if (!is_text(template_node_get(*out, "SSESpecification"), "SSEEnabled", "true"))
        *out = without(t->arena, *out, "SSESpecification");
    return p;
}

/* The members of resources that belong to a table. */
static const struct translated policy_rows[] = {
    {"policy", "policy", AS_IT_IS, "PolicyDocument", NULL},
    {"resource_arn", "resourceArn", IGNORED, NULL, NULL},
    {"confirm_remove_self_resource_access", "confirmRemoveSelfResourceAccess", IGNORED, NULL, NULL},
    {"revision_id", "revisionId", IGNORED, NULL, NULL},
    {"id", "id", IGNORED, NULL, NULL},
    {"region", "region", IGNORED, NULL, NULL},
    {"__defaults", "__defaults", IGNORED, NULL, NULL},
    {NULL, NULL, IGNORED, NULL, NULL},
};
static const struct translated destination_rows[] = {
    {"stream_arn", "streamArn", AS_IT_IS, "StreamArn", NULL},
    {"approximate_creation_date_time_precision", "approximateCreationDateTimePrecision", AS_IT_IS,
     "ApproximateCreationDateTimePrecision", NULL},
    {"table_name", "tableName", IGNORED, NULL, NULL},
    {"id", "id", IGNORED, NULL, NULL},
    {"region", "region", IGNORED, NULL, NULL},
    {"__defaults", "__defaults", IGNORED, NULL, NULL},
    {NULL, NULL, IGNORED, NULL, NULL},
};
static const struct translated insights_rows[] = {
    {"mode", "mode", AS_IT_IS, "Mode", NULL},
    {"index_name", "indexName", AS_IT_IS, "IndexName", NULL},
    {"table_name", "tableName", IGNORED, NULL, NULL},
    {"id", "id", IGNORED, NULL, NULL},
    {"region", "region", IGNORED, NULL, NULL},
    {"__defaults", "__defaults", IGNORED, NULL, NULL},
    {NULL, NULL, IGNORED, NULL, NULL},
};

/* --- resources -------------------------------------------------------------------------------- */

struct provider_type {
    const char *terraform, *pulumi;
    const char *property; /* of its table; NULL: it is a table */
    const struct translated *rows;
    bool enables; /* the property has Enabled */
};

static const struct provider_type provider_types[] = {
    {"aws_dynamodb_table", "aws:dynamodb/table:Table", NULL, NULL, false},
    {"aws_dynamodb_kinesis_streaming_destination",
     "aws:dynamodb/kinesisStreamingDestination:KinesisStreamingDestination",
     "KinesisStreamSpecification", destination_rows, false},
    {"aws_dynamodb_contributor_insights", "aws:dynamodb/contributorInsights:ContributorInsights",
     "ContributorInsightsSpecification", insights_rows, true},
    {"aws_dynamodb_resource_policy", "aws:dynamodb/resourcePolicy:ResourcePolicy", "ResourcePolicy",
     policy_rows, false},
};

static const struct provider_type *find_type(struct span type)
{
    for (size_t i = 0; i < COUNT(provider_types); i++)
        if (span_is(type, provider_types[i].terraform) || span_is(type, provider_types[i].pulumi))
            return &provider_types[i];
    return NULL;
}

enum template_provider_kind template_provider_kind(struct span type)
{
    const struct provider_type *known = find_type(type);

    if (known)
        return known->property ? PROVIDER_OF_TABLE : PROVIDER_TABLE;
    return span_starts_with(type, SPAN_LIT("aws_dynamodb_")) ||
                   span_starts_with(type, SPAN_LIT("aws:dynamodb/"))
               ? PROVIDER_LEFT_OUT
               : PROVIDER_OTHER;
}

static const struct problem *add_table(struct template *t, struct span id,
                                       const struct template_node *values)
{
    const struct template_node *name = template_node_get(values, "name");

    if (!name || name->kind != TEMPLATE_SCALAR || !name->text.len)
        return problem_within(
            t->arena,
            template_node_problem(t->arena, name ? name : values, "the table's name is not known"),
            "%.*s", SPAN_ARG(id));
    template_add_table(t, &(struct template_table){.id = id,
                                                   .name = name->text,
                                                   .is_named = true,
                                                   .at = values,
                                                   .properties = values,
                                                   .form = template_provider_form});
    return NULL;
}

/* A text by its name in Terraform or Pulumi. */
static struct span text_of(const struct template_node *values, const char *terraform,
                           const char *pulumi)
{
    struct span text = template_node_text(template_node_get(values, terraform));

    return text.len ? text : template_node_text(template_node_get(values, pulumi));
}

/* The table that settings name, or whose ARN they have. */
static struct template_table *find_table(struct template *t, const struct template_node *values)
{
    const struct span name = text_of(values, "table_name", "tableName");
    const struct span arn = text_of(values, "resource_arn", "resourceArn");

    for (size_t i = 0; i < t->count; i++)
        if (span_equal(t->tables[i].name, name) ||
            (arn.len && span_equal(text_of(t->tables[i].properties, "arn", "arn"), arn)))
            return &t->tables[i];
    return NULL;
}

static const struct problem *add_to_table(struct template *t, struct span id,
                                          const struct provider_type *type,
                                          struct template_table *table,
                                          const struct template_node *values)
{
    struct provider_form f = {.template = t, .arena = t->arena, .table = id};
    struct template_node *to = template_node_new(t->arena, TEMPLATE_MAP, values);
    const struct problem *p = translate(&f, type->rows, values, to);

    if (type->enables)
        template_node_add(t->arena, to, "Enabled",
                          template_node_new_text(t->arena, SPAN_LIT("true"), values));
    table->more = one_more(t->arena, table->more, table->more_count, sizeof *table->more);
    table->more[table->more_count++] = (struct template_member){span_of(type->property),
                                                                values->place, to};
    return p;
}

const struct problem *template_provider_add(struct template *t, struct span type, struct span id,
                                            const struct template_node *values)
{
    const enum template_provider_kind kind = template_provider_kind(type);
    struct template_table *table = NULL;

    if (kind == PROVIDER_TABLE)
        return add_table(t, id, values);
    if (kind == PROVIDER_OF_TABLE && (table = find_table(t, values)))
        return add_to_table(t, id, find_type(type), table, values);
    if (kind != PROVIDER_OTHER)
        template_note(
            t, id,
            template_node_problem(t->arena, values, "this is left out%s",
                                  kind == PROVIDER_LEFT_OUT ? "" : ": its table is not here"));
    return NULL;
}
