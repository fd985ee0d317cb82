#include "templates/template.h"

#include "base/ascii.h"
#include "base/one_more.h"
#include "base/utf8.h"
#include "model/limits.h"
#include "templates/template_core.h"
#include "templates/template_json.h"
#include "templates/template_yaml.h"

const char template_expected[] =
    "no tables are described here: expected is a template of CloudFormation, SAM, Serverless or "
    "CDK, what terraform show -json or pulumi stack export prints, a schema of OneTable, a model "
    "of "
    "NoSQL Workbench, what mockddb pull --schema-only writes, or a table as CreateTable takes or "
    "DescribeTable prints it";

/* --- recognition ------------------------------------------------------------------------------ */

/* Sources by a member that only they have; `beside` must be there, too. */
static const struct {
    const char *member, *beside;
    template_source *read; /* NULL: not read, for this reason */
    const char *why_not;
} sources[] = {
    {"Resources", NULL, template_of_cloudformation, NULL},
    {"planned_values", "format_version", template_of_terraform, NULL},
    {"values", "format_version", template_of_terraform, NULL},
    {"deployment", NULL, template_of_pulumi, NULL},
    {"checkpoint", NULL, template_of_pulumi, NULL},
    {"latest", NULL, template_of_pulumi, NULL},
    {"indexes", "format", template_of_onetable, NULL},
    {"tables", "mockddb_lock", template_of_lock, NULL},
    {"lineage", "terraform_version", NULL,
     "this is Terraform's own form of a state: terraform show -json prints what is read here"},
    {"service", "provider", NULL,
     "this is a configuration of Serverless: serverless package writes the template that is read "
     "here, .serverless/cloudformation-template-update-stack.json"},
    {"AWSTemplateFormatVersion", NULL, NULL, "this template has no Resources"},
};

/* Names that a template in YAML may begin with. */
static const char *const sections[] = {
    "AWSTemplateFormatVersion",
    "Conditions",
    "Description",
    "Globals",
    "Hooks",
    "Mappings",
    "Metadata",
    "Outputs",
    "Parameters",
    "Resources",
    "Rules",
    "Transform",
    "service",
};

/* The first line that is not blank, a comment, or the mark of a document. */
static struct span first_line(struct span head)
{
    while (head.len) {
        const char *end = span_find(head, '\n');
        struct span line = {head.at, end ? (size_t)(end - head.at) : head.len};

        head = span_from(head, line.len + (end != NULL));
        while (line.len && ascii_is_blank(line.at[line.len - 1]))
            line.len--;
        if (line.len && line.at[0] != '#' && line.at[0] != '%' &&
            !span_starts_with(line, SPAN_LIT("---")))
            return line;
    }
    return (struct span){"", 0};
}

bool template_is_yaml(struct span head)
{
    struct span line = first_line(head);
    const char *colon;

    if (line.len && (line.at[0] == '"' || line.at[0] == '\''))
        line = span_from(line, 1);
    if (!(colon = span_find(line, ':')))
        return false;
    if (colon + 1 < span_end(line) && !ascii_is_blank(colon[1]))
        return false;
    line.len = (size_t)(colon - line.at);
    if (line.len && (line.at[line.len - 1] == '"' || line.at[line.len - 1] == '\''))
        line.len--;
    for (size_t i = 0; i < COUNT(sections); i++)
        if (span_is(line, sections[i]))
            return true;
    return false;
}

/* --- reading ---------------------------------------------------------------------------------- */

const struct problem *template_form_as_it_is(struct template *t, const struct template_table *table,
                                             const struct template_node **out)
{
    (void)t;
    *out = table->properties;
    return NULL;
}

void template_add_table(struct template *t, const struct template_table *table)
{
    t->tables = one_more(t->arena, t->tables, t->count, sizeof *t->tables);
    t->tables[t->count++] = *table;
}

void template_note(struct template *t, struct span id, const struct problem *p)
{
    if (id.len)
        p = problem_within(t->arena, p, "%.*s", SPAN_ARG(id));
    t->notes = one_more(t->arena, t->notes, t->note_count, sizeof *t->notes);
    t->notes[t->note_count++] = problem_at(t->arena, p, t->file, 0);
}

const char *template_refusal(struct template *t, size_t number, const char *why)
{
    const struct problem *p = template_node_problem(t->arena, t->tables[number].at, "%s", why);

    p = problem_within(t->arena, p, "%.*s", SPAN_ARG(t->tables[number].id));
    return problem_text(t->arena, problem_at(t->arena, p, t->file, 0));
}

const char *template_next_note(struct template *t)
{
    return t->notes_read < t->note_count ? problem_text(t->arena, t->notes[t->notes_read++]) : NULL;
}

size_t template_count(const struct template *t)
{
    return t->count;
}

struct span template_name(const struct template *t, size_t number)
{
    return t->tables[number].name;
}

static const struct problem *check_table_names(struct template *t)
{
    for (size_t i = 0; i < t->count; i++)
        for (size_t k = 0; k < i; k++)
            if (span_equal(t->tables[i].name, t->tables[k].name))
                return template_node_problem(t->arena, t->tables[i].at,
                                             "%.*s and %.*s are both called %.*s",
                                             SPAN_ARG(t->tables[k].id), SPAN_ARG(t->tables[i].id),
                                             SPAN_ARG(t->tables[i].name));
    return NULL;
}

static const struct problem *find_tables(struct template *t, const struct template_node *root)
{
    const struct problem *p;

    for (size_t i = 0; i < COUNT(sources); i++) {
        if (!template_node_get(root, sources[i].member) ||
            (sources[i].beside && !template_node_get(root, sources[i].beside)))
            continue;
        if (!sources[i].read)
            return template_node_problem(t->arena, root, "%s", sources[i].why_not);
        if ((p = sources[i].read(t, root)) || (p = check_table_names(t)))
            return p;
        return t->count ? NULL
                        : template_node_problem(t->arena, root, "no tables are described here");
    }
    return template_node_problem(t->arena, root, "%s", template_expected);
}

const struct problem *template_read(struct arena *a, const char *file, struct span text,
                                    const struct template_options *options, struct template **out)
{
    struct template *t = arena_alloc(a, sizeof *t);
    const struct template_node *root;
    const struct problem *p;
    struct span begin;

    *t = (struct template){.arena = a, .file = file, .scope = {.arena = a, .options = options}};
    *out = t;
    begin = text = utf8_skip_mark(text);
    while (begin.len && ascii_is_blank(begin.at[0]))
        begin = span_from(begin, 1);
    if (text.len > LIMIT_TEMPLATE)
        p = problem_invalid(a, "this is longer than %d MB", (int)(LIMIT_TEMPLATE / LIMIT_MB));
    else if (begin.len && begin.at[0] == '{')
        p = template_json_read(a, text, &root);
    else
        p = template_yaml_read(a, text, &root);
    if (!p)
        p = find_tables(t, root);
    return problem_at(a, p, file, 0);
}
