/* What pulumi stack export prints, a checkpoint of Pulumi, and a state of SST, which has the same
 * form. Resources of aws-native have CloudFormation's properties with small first letters. */
#include "templates/template_provider.h"

#define SECRET_KEY \
    "4dabf18193072939515e22adb298388d" /* Pulumi's mark of values that are not plain */
#define UNKNOWN_TEXT "04da6b54-80e4-46f7-96ec-b56ff0331ba9" /* … and of those a preview lacks */

/* --- aws-native ------------------------------------------------------------------------------- */

static const struct {
    const char *from, *to;
} native_names[] = {
    {"kmsMasterKeyId", "KMSMasterKeyId"},
    {"sseEnabled", "SSEEnabled"},
    {"sseSpecification", "SSESpecification"},
    {"sseType", "SSEType"},
};

static const char *native_name(struct arena *a, struct span name)
{
    char *text = arena_text(a, name);

    for (size_t i = 0; i < COUNT(native_names); i++)
        if (span_is(name, native_names[i].from))
            return native_names[i].to;
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
    return text;
}

/* The document of a policy keeps its names. The table's own members that the service chose are left
 * out. */
static const struct template_node *rename_members(struct arena *a, const struct template_node *n,
                                                  bool is_table)
{
    struct template_node *to;

    if (n->kind != TEMPLATE_MAP && n->kind != TEMPLATE_LIST)
        return n;
    to = template_node_new(a, n->kind, n);
    for (size_t i = 0; i < n->count; i++) {
        const struct template_member *m = &n->members[i];
        const bool keeps = span_is(m->name, "policyDocument");

        if (m->value->kind == TEMPLATE_NULL ||
            (is_table && (span_is(m->name, "arn") || span_is(m->name, "streamArn") ||
                          span_is(m->name, "tableId"))))
            continue;
        template_node_add(a, to, n->kind == TEMPLATE_MAP ? native_name(a, m->name) : NULL,
                          keeps ? m->value : rename_members(a, m->value, false));
    }
    return to;
}

static const struct problem *add_native(struct template *t, struct span id,
                                        const struct template_node *values)
{
    const struct template_node *properties = rename_members(t->arena, values, true);
    const struct template_node *name = template_node_get(properties, "TableName");

    if (!name || name->kind != TEMPLATE_SCALAR)
        return template_node_problem(t->arena, values, "the table's name is not known");
    template_add_table(t, &(struct template_table){.id = id,
                                                   .name = name->text,
                                                   .is_named = true,
                                                   .at = values,
                                                   .properties = properties,
                                                   .form = template_form_as_it_is});
    return NULL;
}

/* --- resources -------------------------------------------------------------------------------- */

/* A copy in which secrets are values that are not known. */
static const struct template_node *hide_secrets(struct arena *a, const struct template_node *n)
{
    struct template_node *to;

    if (template_node_get(n, SECRET_KEY) || span_is(template_node_text(n), UNKNOWN_TEXT))
        return template_node_new(a, TEMPLATE_UNKNOWN, n);
    if (n->kind != TEMPLATE_MAP && n->kind != TEMPLATE_LIST)
        return n;
    to = template_node_new(a, n->kind, n);
    for (size_t i = 0; i < n->count; i++)
        template_node_add(a, to, n->kind == TEMPLATE_MAP ? arena_text(a, n->members[i].name) : NULL,
                          hide_secrets(a, n->members[i].value));
    return to;
}

/* The name at the end of a URN. */
static struct span name_in(struct span urn)
{
    size_t at = urn.len;

    while (at > 2 && !(urn.at[at - 1] == ':' && urn.at[at - 2] == ':'))
        at--;
    return at > 2 ? span_from(urn, at) : urn;
}

static const struct problem *add_resource(struct template *t, const struct template_node *resource,
                                          bool is_table)
{
    const struct span type = template_node_text(template_node_get(resource, "type"));
    const struct span id = name_in(template_node_text(template_node_get(resource, "urn")));
    const struct template_node *values = template_node_get(resource, "outputs");
    const bool is_native = span_is(type, "aws-native:dynamodb:Table");
    const enum template_provider_kind kind = template_provider_kind(type);

    if ((!is_native && kind == PROVIDER_OTHER) ||
        (is_native || kind == PROVIDER_TABLE) != is_table ||
        span_is(template_node_text(template_node_get(resource, "delete")), "true"))
        return NULL;
    if (!values || !values->count)
        values = template_node_get(resource, "inputs");
    if (!values)
        return template_node_problem(t->arena, resource, "it has no inputs or outputs");
    values = hide_secrets(t->arena, values);
    return is_native ? add_native(t, id, values) : template_provider_add(t, type, id, values);
}

const struct problem *template_of_pulumi(struct template *t, const struct template_node *root)
{
    static const char *const places[] = {"deployment", "checkpoint", "latest"};
    const struct template_node *place = root, *resources = NULL;
    const struct problem *p = NULL;

    for (size_t i = 0; i < COUNT(places); i++)
        if (template_node_get(place, places[i])) /* a checkpoint has its latest */
            place = template_node_get(place, places[i]);
    resources = template_node_get(place, "resources");
    if (!resources || resources->kind != TEMPLATE_LIST)
        return template_node_problem(t->arena, place, "there is no list of resources");
    for (int tables = 1; tables >= 0; tables--)
        for (size_t i = 0; i < resources->count && !p; i++)
            p = add_resource(t, resources->members[i].value, tables == 1);
    return p;
}
