/* What terraform show -json prints of a plan or a state. Source: Terraform's "JSON Output Format".
 */
#include "templates/template_provider.h"

#include "base/one_more.h"

/* Finds a resource of the list with this address. */
static const struct template_node *find_address(const struct template_node *list,
                                                struct span address)
{
    for (size_t i = 0; list && list->kind == TEMPLATE_LIST && i < list->count; i++)
        if (span_equal(template_node_text(template_node_get(list->members[i].value, "address")),
                       address))
            return list->members[i].value;
    return NULL;
}

/* The expressions that configure a resource; NULL: not found. The configuration has modules and
 * resources once, without the indices of count and for_each. */
static const struct template_node *
find_expressions(struct arena *a, const struct template_node *root, struct span address)
{
    const struct template_node *module = template_node_get(template_node_get(root, "configuration"),
                                                           "root_module");
    struct buf plain = buf_in(a);
    size_t depth = 0;
    bool quoted = false;
    struct span rest;

    for (size_t i = 0; i < address.len; i++) {
        const char c = address.at[i];

        quoted ^= c == '"' && depth;
        depth += c == '[' && !quoted;
        if (!depth)
            buf_add_char(&plain, c);
        depth -= c == ']' && !quoted && depth;
    }
    rest = buf_span(&plain);
    while (span_starts_with(rest, SPAN_LIT("module."))) {
        const struct span name = span_from(rest, 7);
        const char *dot = span_find(name, '.');
        const struct template_member *call;

        if (!dot)
            return NULL;
        call = template_node_member(template_node_get(module, "module_calls"),
                                    (struct span){name.at, (size_t)(dot - name.at)});
        module = call ? template_node_get(call->value, "module") : NULL;
        rest = span_from(name, (size_t)(dot + 1 - name.at));
    }
    return template_node_get(find_address(template_node_get(module, "resources"), rest),
                             "expressions");
}

static bool is_configured(const struct template_node *expression)
{
    const struct template_node *references = template_node_get(expression, "references");

    return references && references->count;
}

/* Adds the values that are known after apply, where they are configured: all others are what the
 * service chooses. */
static const struct template_node *add_unknown(struct arena *a, const struct template_node *values,
                                               const struct template_node *unknown,
                                               const struct template_node *expressions)
{
    struct template_node *to;

    if (unknown->kind == TEMPLATE_SCALAR)
        return is_configured(expressions) ? template_node_new(a, TEMPLATE_UNKNOWN, values) : values;
    if (values->kind != unknown->kind)
        return values;
    to = template_node_new(a, values->kind, values);
    for (size_t i = 0; i < values->count; i++) {
        const struct template_member *m = &values->members[i], *behind, *expression;
        const bool is_list = values->kind == TEMPLATE_LIST;

        behind = is_list ? (i < unknown->count ? &unknown->members[i] : NULL)
                         : template_node_member(unknown, m->name);
        expression = !is_list ? template_node_member(expressions, m->name)
                     : expressions && expressions->kind == TEMPLATE_LIST && i < expressions->count
                         ? &expressions->members[i]
                         : NULL;
        to->members = one_more(a, to->members, to->count, sizeof *to->members);
        to->members[to->count++] = *m;
        if (behind)
            to->members[i].value = add_unknown(a, m->value, behind->value,
                                               expression ? expression->value : NULL);
    }
    for (size_t i = 0; values->kind == TEMPLATE_MAP && i < unknown->count; i++) {
        const struct template_member *m = &unknown->members[i], *expression;

        expression = template_node_member(expressions, m->name);
        if (!template_node_member(values, m->name) && expression &&
            is_configured(expression->value))
            template_node_add(a, to, arena_text(a, m->name),
                              template_node_new(a, TEMPLATE_UNKNOWN, values));
    }
    return to;
}

/* --- modules ---------------------------------------------------------------------------------- */

struct terraform_reading {
    struct template *template;
    const struct template_node *root, *changes;
    bool reads_tables; /* in the first round; others need them */
};

static const struct problem *add_resource(struct terraform_reading *r,
                                          const struct template_node *resource)
{
    const struct span type = template_node_text(template_node_get(resource, "type"));
    const struct span address = template_node_text(template_node_get(resource, "address"));
    const struct template_node *values = template_node_get(resource, "values"), *unknown;

    if (!span_is(template_node_text(template_node_get(resource, "mode")), "managed") ||
        template_provider_kind(type) == PROVIDER_OTHER || !values ||
        (template_provider_kind(type) == PROVIDER_TABLE) != r->reads_tables)
        return NULL;
    unknown = template_node_get(template_node_get(find_address(r->changes, address), "change"),
                                "after_unknown");
    if (unknown)
        values = add_unknown(r->template->arena, values, unknown,
                             find_expressions(r->template->arena, r->root, address));
    return template_provider_add(r->template, type, address, values);
}

static const struct problem *add_module(struct terraform_reading *r,
                                        const struct template_node *module)
{
    const struct template_node *resources = template_node_get(module, "resources");
    const struct template_node *modules = template_node_get(module, "child_modules");
    const struct problem *p = NULL;

    for (size_t i = 0; resources && i < resources->count && !p; i++)
        p = add_resource(r, resources->members[i].value);
    for (size_t i = 0; modules && i < modules->count && !p; i++)
        p = add_module(r, modules->members[i].value);
    return p;
}

const struct problem *template_of_terraform(struct template *t, const struct template_node *root)
{
    struct terraform_reading r = {t, root, template_node_get(root, "resource_changes"), true};
    const struct template_node *version = template_node_get(root, "format_version");
    const struct template_node *values = template_node_get(root, "planned_values"), *module;
    const struct problem *p;

    if (!span_starts_with(template_node_text(version), SPAN_LIT("1.")) &&
        !span_starts_with(template_node_text(version), SPAN_LIT("0.")))
        return template_node_problem(t->arena, version, "format_version %.*s is not known here",
                                     SPAN_ARG(template_node_text(version)));
    module = template_node_get(values ? values : template_node_get(root, "values"), "root_module");
    if (!module)
        return template_node_problem(t->arena, root, "there is no root_module");
    p = add_module(&r, module);
    r.reads_tables = false;
    return p ? p : add_module(&r, module);
}
