#include "templates/template_core.h"

/* --- tables among the resources --------------------------------------------------------------- */

static template_form form_table, form_simple_table;

static const struct {
    const char *type;
    template_form *form; /* NULL: left out, with a note */
    const char *why_not;
} types[] = {
    {"AWS::DynamoDB::Table", form_table, NULL},
    {"AWS::DynamoDB::GlobalTable", template_form_global, NULL},
    {"AWS::Serverless::SimpleTable", form_simple_table, NULL},
    {"AWS::ApplicationAutoScaling::ScalableTarget", NULL, "auto scaling is left out"},
    {"AWS::CloudFormation::Stack", NULL, "a nested stack is not read: give its template, too"},
    {"AWS::Serverless::Application", NULL, "a nested stack is not read: give its template, too"},
};

#define NO_TYPE COUNT(types)

static size_t type_of(const struct template_node *resource)
{
    const struct template_node *properties = template_node_get(resource, "Properties");
    struct span namespace = template_node_text(template_node_get(properties, "ServiceNamespace"));
    struct span type = template_node_text(template_node_get(resource, "Type"));
    size_t i = 0;

    while (i < NO_TYPE && !span_is(type, types[i].type))
        i++;
    if (i < NO_TYPE && !types[i].form && namespace.len && !span_is(namespace, "dynamodb"))
        return NO_TYPE;
    return i;
}

/* The name in a table's properties, or its logical id; CloudFormation would add a random end. */
static const struct problem *read_name(struct template_scope *s, struct span id,
                                       const struct template_node *resource, struct span *name,
                                       bool *is_named)
{
    const struct template_node *properties = template_node_get(resource, "Properties");
    const struct template_node *given = template_node_get(properties, "TableName"), *value = NULL;
    const struct problem *p = template_value_enter(s, id, resource);

    if (p)
        return p;
    if (given)
        p = template_value(s, given, &value);
    template_value_leave(s);
    if (!p && value && value->kind != TEMPLATE_SCALAR)
        p = template_node_problem(s->arena, value, "TableName is not a string");
    *is_named = value != NULL;
    *name = value ? value->text : id;
    return p;
}

static const struct problem *name_table(struct template_scope *s, struct span id, bool *is_table,
                                        struct span *name)
{
    const struct template_node *resource = template_value_in(s, "Resources", id);
    const size_t type = type_of(resource);
    bool is_named;

    *is_table = type < NO_TYPE && types[type].form;
    return *is_table ? read_name(s, id, resource, name, &is_named) : NULL;
}

/* Whether a value of this node begins like the type of a table. */
static bool names_table(const struct template_node *n)
{
    const struct span text = template_node_text(n);

    if (span_starts_with(text, SPAN_LIT("AWS::DynamoDB::")) ||
        span_is(text, "AWS::Serverless::SimpleTable"))
        return true;
    for (size_t i = 0; n->kind >= TEMPLATE_LIST && i < n->count; i++)
        if (names_table(n->members[i].value))
            return true;
    return false;
}

/* Tables of a resource's type, of which nothing may be left out unseen. */
static const struct problem *check_unread(struct template *t, const struct template_member *m)
{
    const struct span type = template_node_text(template_node_get(m->value, "Type"));

    if (span_is(m->name, "Fn::Transform") ||
        (span_starts_with(m->name, SPAN_LIT("Fn::")) && names_table(m->value)))
        return template_node_misnamed(t->arena, m, "%.*s is not evaluated here", SPAN_ARG(m->name));
    if (span_starts_with(type, SPAN_LIT("AWS::DynamoDB::")))
        return template_node_misnamed(t->arena, m, "the type %.*s is not known here",
                                      SPAN_ARG(type));
    return NULL;
}

struct cloudformation_reading {
    bool is_noted[NO_TYPE]; /* a resource of this type, which is left out */
};

static const struct problem *add_table(struct template *t, struct cloudformation_reading *r,
                                       const struct template_member *m, size_t type)
{
    const struct template_node *condition = template_node_get(m->value, "Condition");
    struct template_table table = {.id = m->name,
                                   .at = m->value,
                                   .properties = template_node_get(m->value, "Properties"),
                                   .form = types[type].form};
    const struct problem *p = NULL;
    bool holds = true;

    if (condition)
        p = template_value_condition(&t->scope, template_node_text(condition), condition, &holds);
    if (p || !holds)
        return p;
    if (!table.form) {
        if (!r->is_noted[type])
            template_note(t, m->name,
                          template_node_misnamed(t->arena, m, "%s", types[type].why_not));
        r->is_noted[type] = true;
        return NULL;
    }
    if (!table.properties)
        table.properties = template_node_new(t->arena, TEMPLATE_MAP, m->value);
    if ((p = read_name(&t->scope, m->name, m->value, &table.name, &table.is_named)))
        return problem_within(t->arena, p, "%.*s", SPAN_ARG(m->name));
    template_add_table(t, &table);
    return NULL;
}

/* Macros of an account, and snippets that a transform includes, may change any table. */
static void note_macros(struct template *t, const struct template_node *transform)
{
    const struct template_node *name = template_node_get(transform, "Name");
    const struct span text = template_node_text(name ? name : transform);

    for (size_t i = 0; transform->kind == TEMPLATE_LIST && i < transform->count; i++)
        note_macros(t, transform->members[i].value);
    if (text.len && (!span_starts_with(text, SPAN_LIT("AWS::")) || span_is(text, "AWS::Include")))
        template_note(t, (struct span){"", 0},
                      template_node_problem(t->arena, transform, "the macro %.*s is not applied",
                                            SPAN_ARG(text)));
}

const struct problem *template_of_cloudformation(struct template *t,
                                                 const struct template_node *root)
{
    const struct template_node *resources = template_node_get(root, "Resources");
    const struct option_pairs *params = &t->scope.options->params;
    const struct problem *p = NULL;
    struct cloudformation_reading reading = {.is_noted = {false}};

    t->scope.root = root;
    t->scope.name_table = name_table;
    if (template_node_get(root, "Transform"))
        note_macros(t, template_node_get(root, "Transform"));
    if (resources->kind != TEMPLATE_MAP)
        return template_node_problem(t->arena, resources, "Resources is not an object");
    for (size_t i = 0; i < params->count; i++)
        if (template_value_in(&t->scope, "Parameters", params->at[i].name) ||
            span_starts_with(params->at[i].name, SPAN_LIT("AWS::")))
            params->at[i].is_used = true;
    for (size_t i = 0; i < resources->count && !p; i++) {
        const struct template_member *m = &resources->members[i];
        const size_t type = type_of(m->value);

        p = type < NO_TYPE ? add_table(t, &reading, m, type) : check_unread(t, m);
    }
    return p;
}

/* --- forms ------------------------------------------------------------------------------------ */

static const struct problem *form_table(struct template *t, const struct template_table *table,
                                        const struct template_node **out)
{
    const struct problem *p = template_value(&t->scope, table->properties, out);

    if (!p && (!*out || (*out)->kind != TEMPLATE_MAP))
        p = template_node_problem(t->arena, table->at, "Properties is not an object");
    return p;
}

/* A new map with one text member or two. */
static const struct template_node *make_pair(struct arena *a, const struct template_node *at,
                                             const char *first, struct span first_value,
                                             const char *second, const struct template_node *value)
{
    struct template_node *map = template_node_new(a, TEMPLATE_MAP, at);

    template_node_add(a, map, first, template_node_new_text(a, first_value, at));
    template_node_add(a, map, second, value);
    return map;
}

static const struct template_node *make_list(struct arena *a, const struct template_node *element)
{
    struct template_node *list = template_node_new(a, TEMPLATE_LIST, element);

    template_node_add(a, list, NULL, element);
    return list;
}

/* SAM: PrimaryKey {Name, Type}, "id" of type String without it; tags are an object. */
static const struct {
    const char *word, *type;
} key_types[] = {{"String", "S"}, {"Number", "N"}, {"Binary", "B"}};

static const struct problem *form_key(struct template *t, const struct template_node *at,
                                      const struct template_node *key, struct template_node *to)
{
    struct span name = SPAN_LIT("id"), type = SPAN_LIT("String");
    const struct template_node *part;
    const struct problem *p = NULL;

    if ((part = template_node_get(key, "Name")))
        p = template_value_text(&t->scope, part, &name);
    if (!p && (part = template_node_get(key, "Type")))
        p = template_value_text(&t->scope, part, &type);
    for (size_t i = 0; !p && i < COUNT(key_types); i++) {
        const struct template_node *letter = template_node_new_text(t->arena,
                                                                    span_of(key_types[i].type), at);

        if (!span_is(type, key_types[i].word))
            continue;
        template_node_add(t->arena, to, "AttributeDefinitions",
                          make_list(t->arena, make_pair(t->arena, at, "AttributeName", name,
                                                        "AttributeType", letter)));
        template_node_add(
            t->arena, to, "KeySchema",
            make_list(t->arena, make_pair(t->arena, at, "AttributeName", name, "KeyType",
                                          template_node_new_text(t->arena, SPAN_LIT("HASH"), at))));
        return NULL;
    }
    return p ? p
             : template_node_problem(t->arena, at,
                                     "a key's Type is String, Number or Binary, not "
                                     "%.*s",
                                     SPAN_ARG(type));
}

static const struct problem *form_tags(struct template *t, const struct template_node *tags,
                                       struct template_node *to)
{
    struct template_node *list = template_node_new(t->arena, TEMPLATE_LIST, tags);

    if (tags->kind != TEMPLATE_MAP)
        return template_node_problem(t->arena, tags, "Tags of a SimpleTable is an object");
    for (size_t i = 0; i < tags->count; i++)
        template_node_add(t->arena, list, NULL,
                          make_pair(t->arena, tags, "Key", tags->members[i].name, "Value",
                                    tags->members[i].value));
    template_node_add(t->arena, to, "Tags", list);
    return NULL;
}

static const struct problem *form_simple_table(struct template *t,
                                               const struct template_table *table,
                                               const struct template_node **out)
{
    const struct template_node *common = template_node_get(
        template_node_get(t->scope.root, "Globals"), "SimpleTable");
    struct template_node *to = template_node_new(t->arena, TEMPLATE_MAP, table->at);
    const struct template_node *from, *key = NULL;
    const struct problem *p = form_table(t, table, &from);
    bool is_provisioned = false, is_encrypted = false;

    *out = to;
    for (size_t i = 0; !p && i < from->count; i++) {
        const struct template_member *m = &from->members[i];

        if (span_is(m->name, "PrimaryKey")) {
            p = template_value(&t->scope, m->value, &key);
        } else if (span_is(m->name, "Tags")) {
            p = form_tags(t, m->value, to);
        } else if (span_is(m->name, "TableName") || span_is(m->name, "ProvisionedThroughput") ||
                   span_is(m->name, "SSESpecification") ||
                   span_is(m->name, "PointInTimeRecoverySpecification")) {
            is_provisioned |= span_is(m->name, "ProvisionedThroughput");
            is_encrypted |= span_is(m->name, "SSESpecification");
            template_node_add(t->arena, to, arena_text(t->arena, m->name), m->value);
        } else {
            p = template_node_misnamed(t->arena, m, "a SimpleTable has no property %.*s",
                                       SPAN_ARG(m->name));
        }
    }
    if (p)
        return p;
    if (!is_provisioned)
        template_node_add(t->arena, to, "BillingMode",
                          template_node_new_text(t->arena, SPAN_LIT("PAY_PER_REQUEST"), table->at));
    if (!is_encrypted)
        template_node_add(t->arena, to, "SSESpecification",
                          template_node_get(common, "SSESpecification"));
    return form_key(t, table->at, key, to);
}
