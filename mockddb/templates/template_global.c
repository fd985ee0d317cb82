/* AWS::DynamoDB::GlobalTable: settings of the stack's region are the table's, other regions get
 * replicas. Where capacity scales by itself, the table begins with the seed or the minimum. */
#include "base/one_more.h"
#include "templates/template_core.h"

#include <assert.h>

/* A global table while it is converted. */
struct global_form {
    struct template *template;
    struct template_scope *scope;
    const struct template_table *table;
    const struct template_node *from,
        *local; /* its properties; its replica in the stack's region */
    bool is_provisioned;
};

/* Properties with the same name and form in a table; those of the replica come second. */
static const char *const shared[] = {"TableName",
                                     "AttributeDefinitions",
                                     "KeySchema",
                                     "LocalSecondaryIndexes",
                                     "VectorIndexes",
                                     "StreamSpecification",
                                     "TimeToLiveSpecification",
                                     "WarmThroughput",
                                     "MultiRegionConsistency",
                                     NULL};
static const char *const of_replica[] = {"ContributorInsightsSpecification",
                                         "DeletionProtectionEnabled",
                                         "KinesisStreamSpecification",
                                         "PointInTimeRecoverySpecification",
                                         "ResourcePolicy",
                                         "TableClass",
                                         "Tags",
                                         NULL};
/* Properties that are converted below. */
static const char *const converted[] = {"BillingMode",
                                        "GlobalSecondaryIndexes",
                                        "Replicas",
                                        "SSESpecification",
                                        "WriteOnDemandThroughputSettings",
                                        "WriteProvisionedThroughputSettings",
                                        "GlobalTableWitnesses",
                                        NULL};
static const char *const converted_of_replica[] = {"Region",
                                                   "GlobalSecondaryIndexes",
                                                   "ReadOnDemandThroughputSettings",
                                                   "ReadProvisionedThroughputSettings",
                                                   "SSESpecification",
                                                   NULL};
static const char *const of_other_replica[] = {"Region", "SSESpecification", "TableClass", NULL};

static bool is_listed(struct span name, const char *const *list)
{
    while (*list && !span_is(name, *list))
        list++;
    return *list != NULL;
}

/* Copies listed members, and notes those that are in neither list. */
static void copy_listed(struct global_form *f, const struct template_node *from,
                        const char *const *list, const char *const *others,
                        struct template_node *to)
{
    assert(from);
    for (size_t i = 0; i < from->count; i++) {
        const struct template_member *m = &from->members[i];

        if (is_listed(m->name, list)) {
            to->members = one_more(f->scope->arena, to->members, to->count, sizeof *to->members);
            to->members[to->count++] = *m;
        } else if (!is_listed(m->name, others)) {
            template_note(
                f->template, f->table->id,
                template_node_misnamed(f->scope->arena, m, "%.*s is left out", SPAN_ARG(m->name)));
        }
    }
}

/* The value of a member, NULL without it. */
static const struct problem *get_value(struct global_form *f, const struct template_node *map,
                                       const char *name, const struct template_node **out)
{
    *out = template_node_get(map, name);
    return *out ? template_value(f->scope, *out, out) : NULL;
}

/* --- throughput ------------------------------------------------------------------------------- */

/* The names of settings for reads and for writes. */
static const struct throughput_names {
    const char *provisioned, *units, *scaling, *to, *on_demand, *most;
} reads = {"ReadProvisionedThroughputSettings", "ReadCapacityUnits",
           "ReadCapacityAutoScalingSettings",   "ReadCapacityUnits",
           "ReadOnDemandThroughputSettings",    "MaxReadRequestUnits"},
  writes = {"WriteProvisionedThroughputSettings", "WriteCapacityUnits",
            "WriteCapacityAutoScalingSettings",   "WriteCapacityUnits",
            "WriteOnDemandThroughputSettings",    "MaxWriteRequestUnits"};

static const struct problem *add_units(struct global_form *f, const struct template_node *from,
                                       const struct throughput_names *names,
                                       struct template_node *provisioned,
                                       struct template_node *on_demand)
{
    const struct template_node *settings, *scaling, *units = NULL;
    const struct problem *p;

    if ((p = get_value(f, from, names->on_demand, &settings)))
        return p;
    template_node_add(f->scope->arena, on_demand, names->most,
                      template_node_get(settings, names->most));
    if (!f->is_provisioned || (p = get_value(f, from, names->provisioned, &settings)) ||
        (p = get_value(f, settings, names->units, &units)) ||
        (p = get_value(f, settings, names->scaling, &scaling)))
        return p;
    if (!units && !(units = template_node_get(scaling, "SeedCapacity")))
        units = template_node_get(scaling, "MinCapacity");
    template_node_add(f->scope->arena, provisioned, names->to, units);
    return NULL;
}

/* Adds the throughput of a table or an index; `local` is its part in the stack's region. */
static const struct problem *add_throughput(struct global_form *f, const struct template_node *from,
                                            const struct template_node *local,
                                            struct template_node *to)
{
    struct arena *a = f->scope->arena;
    struct template_node *provisioned = template_node_new(a, TEMPLATE_MAP, from);
    struct template_node *on_demand = template_node_new(a, TEMPLATE_MAP, from);
    const struct problem *p;

    if ((p = add_units(f, from, &writes, provisioned, on_demand)) ||
        (p = add_units(f, local, &reads, provisioned, on_demand)))
        return p;
    template_node_add(a, to, "ProvisionedThroughput", provisioned->count ? provisioned : NULL);
    template_node_add(a, to, "OnDemandThroughput", on_demand->count ? on_demand : NULL);
    return NULL;
}

/* --- indexes ---------------------------------------------------------------------------------- */

/* The element of a list whose member is this text, or NULL. */
static const struct problem *find_element(struct global_form *f, const struct template_node *list,
                                          const char *name, struct span text,
                                          const struct template_node **out)
{
    const struct problem *p = NULL;
    struct span found;

    *out = NULL;
    for (size_t i = 0; list && i < list->count && !p; i++) {
        const struct template_node *element, *value;

        if ((p = template_value(f->scope, list->members[i].value, &element)) || !element ||
            !(value = template_node_get(element, name)))
            continue;
        p = template_value_text(f->scope, value, &found);
        if (!p && span_equal(found, text)) {
            *out = element;
            break;
        }
    }
    return p;
}

static const struct problem *add_index(struct global_form *f, const struct template_node *index,
                                       const struct template_node *locals, struct template_node *to)
{
    static const char *const same[] = {"IndexName", "KeySchema", "Projection", "WarmThroughput",
                                       NULL};
    static const char *const throughput[] = {"WriteOnDemandThroughputSettings",
                                             "WriteProvisionedThroughputSettings", NULL};
    struct template_node *copy = template_node_new(f->scope->arena, TEMPLATE_MAP, index);
    const struct template_node *name = template_node_get(index, "IndexName"), *local;
    const struct problem *p;
    struct span text = {"", 0};

    if (name && (p = template_value_text(f->scope, name, &text)))
        return p;
    copy_listed(f, index, same, throughput, copy);
    if ((p = find_element(f, locals, "IndexName", text, &local)) ||
        (p = add_throughput(f, index, local, copy)))
        return p;
    template_node_add(f->scope->arena, copy, "ContributorInsightsSpecification",
                      template_node_get(local, "ContributorInsightsSpecification"));
    template_node_add(f->scope->arena, to, NULL, copy);
    return NULL;
}

static const struct problem *add_indexes(struct global_form *f, struct template_node *to)
{
    const struct template_node *list, *locals, *index;
    struct template_node *indexes;
    const struct problem *p;

    if ((p = get_value(f, f->from, "GlobalSecondaryIndexes", &list)) || !list ||
        (p = get_value(f, f->local, "GlobalSecondaryIndexes", &locals)))
        return p;
    indexes = template_node_new(f->scope->arena, TEMPLATE_LIST, list);
    for (size_t i = 0; i < list->count && !p; i++)
        if (!(p = template_value(f->scope, list->members[i].value, &index)) && index)
            p = add_index(f, index, locals, indexes);
    template_node_add(f->scope->arena, to, "GlobalSecondaryIndexes", indexes);
    return p;
}

/* --- replicas --------------------------------------------------------------------------------- */

static const struct problem *find_local(struct global_form *f, const struct template_node *replicas)
{
    const struct problem *p = find_element(f, replicas, "Region", f->scope->options->region,
                                           &f->local);

    if (p || f->local)
        return p;
    if (!replicas || replicas->kind != TEMPLATE_LIST || !replicas->count)
        return template_node_problem(f->scope->arena, f->from, "it has no Replicas");
    return template_value(f->scope, replicas->members[0].value, &f->local);
}

static const struct problem *add_replica(struct global_form *f, const struct template_node *replica,
                                         struct template_node *to)
{
    static const char *const none[] = {NULL};
    struct arena *a = f->scope->arena;
    struct template_node *create = template_node_new(a, TEMPLATE_MAP, replica);
    const struct template_node *sse;
    const struct problem *p = get_value(f, replica, "SSESpecification", &sse);

    template_node_add(a, create, "RegionName", template_node_get(replica, "Region"));
    template_node_add(a, create, "TableClassOverride", template_node_get(replica, "TableClass"));
    template_node_add(a, create, "KMSMasterKeyId", template_node_get(sse, "KMSMasterKeyId"));
    copy_listed(f, replica, none, of_other_replica, create);
    template_node_add(a, to, NULL, create);
    return p;
}

static const struct problem *
add_replicas(struct global_form *f, const struct template_node *replicas, struct template_node *to)
{
    struct template_node *others = template_node_new(f->scope->arena, TEMPLATE_LIST, replicas);
    const struct template_node *replica;
    const struct problem *p = NULL;

    if (f->is_provisioned && replicas->count > 1) {
        template_note(f->template, f->table->id,
                      template_node_problem(f->scope->arena, replicas,
                                            "the replicas are left out: a provisioned table has "
                                            "them only with auto scaling, which is left out, too"));
        return NULL;
    }
    for (size_t i = 0; i < replicas->count && !p; i++)
        if (!(p = template_value(f->scope, replicas->members[i].value, &replica)) && replica &&
            replica != f->local)
            p = add_replica(f, replica, others);
    template_node_add(f->scope->arena, to, "ReplicaUpdates", others->count ? others : NULL);
    return p;
}

/* The key is the replica's, the rest is the table's. */
static const struct problem *add_encryption(struct global_form *f, struct template_node *to)
{
    static const char *const known[] = {"SSEEnabled", "SSEType", NULL}, *const none[] = {NULL};
    const struct template_node *sse, *local;
    struct template_node *copy;
    const struct problem *p;

    if ((p = get_value(f, f->from, "SSESpecification", &sse)) || !sse ||
        (p = get_value(f, f->local, "SSESpecification", &local)))
        return p;
    copy = template_node_new(f->scope->arena, TEMPLATE_MAP, sse);
    copy_listed(f, sse, known, none, copy);
    template_node_add(f->scope->arena, copy, "KMSMasterKeyId",
                      template_node_get(local, "KMSMasterKeyId"));
    template_node_add(f->scope->arena, to, "SSESpecification", copy);
    return NULL;
}

const struct problem *template_form_global(struct template *t, const struct template_table *table,
                                           const struct template_node **out)
{
    struct global_form f = {.template = t, .scope = &t->scope, .table = table};
    struct template_node *to = template_node_new(t->arena, TEMPLATE_MAP, table->at);
    const struct template_node *replicas, *mode;
    struct span word = SPAN_LIT("PAY_PER_REQUEST");
    const struct problem *p;

    *out = to;
    if ((p = template_value(f.scope, table->properties, &f.from)) ||
        (p = get_value(&f, f.from, "Replicas", &replicas)) || (p = find_local(&f, replicas)) ||
        (p = get_value(&f, f.from, "BillingMode", &mode)))
        return p;
    if (mode && (p = template_value_text(f.scope, mode, &word)))
        return p;
    f.is_provisioned = span_is(word, "PROVISIONED");
    template_node_add(t->arena, to, "BillingMode", template_node_new_text(t->arena, word, f.from));
    copy_listed(&f, f.from, shared, converted, to);
    copy_listed(&f, f.local, of_replica, converted_of_replica, to);
    if ((p = add_throughput(&f, f.from, f.local, to)) || (p = add_indexes(&f, to)) ||
        (p = add_encryption(&f, to)))
        return p;
    template_node_add(t->arena, to, "GlobalTableWitnesses",
                      template_node_get(f.from, "GlobalTableWitnesses"));
    return add_replicas(&f, replicas, to);
}
