/* A schema of OneTable: the keys of a table and of its indexes, and types of attributes in models.
 * It has no table name: the file's is taken. Source: "OneTable Schema Specification", 1.1.0. */
#include "base/ascii.h"
#include "base/file.h"
#include "templates/template_core.h"

struct onetable_form {
    struct arena *arena;
    const struct template_node *root;
    struct template_node *definitions; /* AttributeDefinitions */
};

/* The letter of a model's type; NULL: the field has none. */
static const char *letter_of(const struct onetable_form *f, const struct template_node *field)
{
    const struct span type = template_node_text(template_node_get(field, "type"));
    const struct template_node *iso = template_node_get(template_node_get(f->root, "params"),
                                                        "isoDates");
    const bool is_iso = span_is(template_node_text(iso), "true");

    if (!type.len)
        return NULL;
    if (span_is(type, "number") || (span_is(type, "date") && !is_iso))
        return "N";
    return span_is(type, "binary") || span_is(type, "buffer") ? "B" : "S";
}

/* The type of a key's attribute, by the models that have it; a string in those that say nothing. */
static const struct problem *find_type(struct onetable_form *f, struct span attribute,
                                       const char **out)
{
    const struct template_node *models = template_node_get(f->root, "models");

    *out = NULL;
    for (size_t i = 0; models && i < models->count; i++) {
        const struct template_member *field = template_node_member(models->members[i].value,
                                                                   attribute);
        const char *letter = field ? letter_of(f, field->value) : NULL;

        if (letter && *out && strcmp(letter, *out) != 0)
            return template_node_misnamed(f->arena, field,
                                          "%.*s has another type in another model, but is of a key",
                                          SPAN_ARG(attribute));
        *out = letter ? letter : *out;
    }
    *out = *out ? *out : "S";
    return NULL;
}

static bool is_defined(const struct onetable_form *f, struct span attribute)
{
    for (size_t i = 0; i < f->definitions->count; i++)
        if (span_equal(template_node_text(
                           template_node_get(f->definitions->members[i].value, "AttributeName")),
                       attribute))
            return true;
    return false;
}

static const struct problem *add_key(struct onetable_form *f, const struct template_node *attribute,
                                     const char *role, struct template_node *keys)
{
    struct template_node *key = template_node_new(f->arena, TEMPLATE_MAP, attribute);
    struct template_node *definition = template_node_new(f->arena, TEMPLATE_MAP, attribute);
    const struct problem *p;
    const char *letter;

    if (attribute->kind != TEMPLATE_SCALAR)
        return template_node_problem(f->arena, attribute, "an attribute's name is expected here");
    template_node_add(f->arena, key, "AttributeName", attribute);
    template_node_add(f->arena, key, "KeyType",
                      template_node_new_text(f->arena, span_of(role), attribute));
    template_node_add(f->arena, keys, NULL, key);
    if (is_defined(f, attribute->text))
        return NULL;
    if ((p = find_type(f, attribute->text, &letter)))
        return p;
    template_node_add(f->arena, definition, "AttributeName", attribute);
    template_node_add(f->arena, definition, "AttributeType",
                      template_node_new_text(f->arena, span_of(letter), attribute));
    template_node_add(f->arena, f->definitions, NULL, definition);
    return NULL;
}

static const struct problem *add_keys(struct onetable_form *f, const struct template_node *hash,
                                      const struct template_node *index, struct template_node *to)
{
    struct template_node *keys = template_node_new(f->arena, TEMPLATE_LIST, index);
    const struct template_node *sort = template_node_get(index, "sort");
    const struct problem *p;

    if (!hash)
        return template_node_problem(f->arena, index, "it has no hash");
    if ((p = add_key(f, hash, "HASH", keys)) || (sort && (p = add_key(f, sort, "RANGE", keys))))
        return p;
    template_node_add(f->arena, to, "KeySchema", keys);
    return NULL;
}

/* "all", "keys", or a list of attributes. */
static void add_projection(struct onetable_form *f, const struct template_node *index,
                           struct template_node *to)
{
    const struct template_node *project = template_node_get(index, "project");
    struct template_node *projection = template_node_new(f->arena, TEMPLATE_MAP, index);
    const bool is_list = project && project->kind == TEMPLATE_LIST;
    const char *type = is_list                                        ? "INCLUDE"
                       : span_is(template_node_text(project), "keys") ? "KEYS_ONLY"
                                                                      : "ALL";

    template_node_add(f->arena, projection, "ProjectionType",
                      template_node_new_text(f->arena, span_of(type), index));
    template_node_add(f->arena, projection, "NonKeyAttributes", is_list ? project : NULL);
    template_node_add(f->arena, to, "Projection", projection);
}

static const struct problem *add_index(struct onetable_form *f, const struct template_member *m,
                                       const struct template_node *primary,
                                       struct template_node *locals, struct template_node *globals)
{
    const bool is_local = span_is(template_node_text(template_node_get(m->value, "type")), "local");
    struct template_node *index = template_node_new(f->arena, TEMPLATE_MAP, m->value);
    const struct problem *p = add_keys(f, template_node_get(is_local ? primary : m->value, "hash"),
                                       m->value, index);

    template_node_add(f->arena, index, "IndexName",
                      template_node_new_text(f->arena, m->name, m->value));
    add_projection(f, m->value, index);
    template_node_add(f->arena, is_local ? locals : globals, NULL, index);
    return p;
}

static const struct problem *form_table(struct template *t, const struct template_table *table,
                                        const struct template_node **out)
{
    const struct template_node *indexes = template_node_get(table->properties, "indexes");
    const struct template_node *primary = template_node_get(indexes, "primary");
    struct template_node *to = template_node_new(t->arena, TEMPLATE_MAP, indexes);
    struct template_node *locals = template_node_new(t->arena, TEMPLATE_LIST, indexes);
    struct template_node *globals = template_node_new(t->arena, TEMPLATE_LIST, indexes);
    struct onetable_form f = {t->arena, table->properties,
                              template_node_new(t->arena, TEMPLATE_LIST, indexes)};
    const struct problem *p;

    *out = to;
    if (!primary)
        return template_node_problem(t->arena, indexes, "indexes has no primary");
    p = add_keys(&f, template_node_get(primary, "hash"), primary, to);
    for (size_t i = 0; i < indexes->count && !p; i++)
        if (!span_is(indexes->members[i].name, "primary"))
            p = add_index(&f, &indexes->members[i], primary, locals, globals);
    template_node_add(t->arena, to, "AttributeDefinitions", f.definitions);
    template_node_add(t->arena, to, "LocalSecondaryIndexes", locals->count ? locals : NULL);
    template_node_add(t->arena, to, "GlobalSecondaryIndexes", globals->count ? globals : NULL);
    template_node_add(t->arena, to, "BillingMode",
                      template_node_new_text(t->arena, SPAN_LIT("PAY_PER_REQUEST"), indexes));
    return p;
}

const struct problem *template_of_onetable(struct template *t, const struct template_node *root)
{
    const struct template_node *format = template_node_get(root, "format");
    struct span name = span_of(file_base(t->file));
    const char *dot = span_find(name, '.');

    if (!span_starts_with(template_node_text(format), SPAN_LIT("onetable:1.")))
        return template_node_problem(t->arena, format, "the format %.*s is not known here",
                                     SPAN_ARG(template_node_text(format)));
    if (dot && dot > name.at)
        name.len = (size_t)(dot - name.at);
    template_note(t, (struct span){"", 0},
                  template_node_problem(t->arena, root,
                                        "a schema of OneTable has no table name: the table is "
                                        "called %.*s, like the file",
                                        SPAN_ARG(name)));
    template_add_table(t, &(struct template_table){.id = name,
                                                   .name = name,
                                                   .is_named = true,
                                                   .at = root,
                                                   .properties = root,
                                                   .form = form_table});
    return NULL;
}
