#include "templates/template.h"

#include "base/ascii.h"
#include "base/cut.h"
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

/* Names at the left margin of a template in YAML. It may begin with one of them; after any other
 * name, one that only templates have must follow. */
static const struct {
    const char *name;
    bool is_sure;
} sections[] = {
    {"AWSTemplateFormatVersion", true},
    {"Conditions", false},
    {"Description", false},
    {"Globals", false},
    {"Hooks", false},
    {"Mappings", false},
    {"Metadata", false},
    {"Outputs", false},
    {"Parameters", false},
    {"Resources", true},
    {"Rules", false},
    {"Transform", false},
    {"frameworkVersion", true},
    {"service", false},
};

static struct span skip_blanks(struct span text)
{
    while (text.len && ascii_is_blank(text.at[0]))
        text = span_from(text, 1);
    return text;
}

/* Takes the next line that is not blank or a comment, without the mark of a document before it;
 * false after the last. */
static bool next_line(struct span *head, struct span *line)
{
    while (head->len) {
        *line = cut_part(head, '\n');
        while (line->len && ascii_is_blank(line->at[line->len - 1]))
            line->len--;
        if (span_starts_with(*line, SPAN_LIT("---")))
            *line = skip_blanks(span_from(*line, 3));
        if (line->len && line->at[0] != '#' && line->at[0] != '%')
            return true;
    }
    return false;
}

/* The name in "name: …" at the left margin. */
static bool read_name(struct span line, struct span *name)
{
    const bool is_quoted = line.at[0] == '"' || line.at[0] == '\'';
    const char *colon = span_find(line, ':');

    if (!colon || ascii_is_blank(line.at[0]) ||
        (colon + 1 < span_end(line) && !ascii_is_blank(colon[1])))
        return false;
    *name = (struct span){line.at, (size_t)(colon - line.at)};
    if (is_quoted && name->len > 1)
        *name = (struct span){name->at + 1, name->len - 2};
    return name->len > 0;
}

bool template_is_yaml(struct span head)
{
    struct span line, name;

    for (bool is_first = true; next_line(&head, &line); is_first = false) {
        if (is_first && line.at[0] == '{') { /* a flow mapping: the name is behind the brace */
            head = (struct span){line.at + 1, (size_t)(span_end(head) - line.at - 1)};
            do
                if (!next_line(&head, &line))
                    return false;
            while ((line = skip_blanks(line)).at[0] == '#');
        }
        if (!read_name(line, &name)) {
            if (is_first)
                return false;
            continue;
        }
        for (size_t i = 0; i < COUNT(sections); i++)
            if (span_is(name, sections[i].name) && (is_first || sections[i].is_sure))
                return true;
    }
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
    t->notes[t->note_count++] = problem_in(t->arena, p, t->file);
}

const char *template_refusal(struct template *t, size_t number, const char *why)
{
    const struct problem *p = template_node_problem(t->arena, t->tables[number].at, "%s", why);

    p = problem_within(t->arena, p, "%.*s", SPAN_ARG(t->tables[number].id));
    return problem_text(t->arena, problem_in(t->arena, p, t->file));
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
    const struct template_node *root = NULL;
    const struct problem *p;
    bool is_flow; /* the root is in braces: JSON, or a flow mapping of YAML */
    struct span begin;

    *t = (struct template){.arena = a, .file = file, .scope = {.arena = a, .options = options}};
    *out = t;
    text = utf8_skip_mark(text);
    begin = skip_blanks(text);
    is_flow = begin.len && begin.at[0] == '{';
    begin = skip_blanks(span_from(begin, is_flow));
    if (text.len > LIMIT_TEMPLATE)
        p = problem_invalid(a, "this is longer than %d MB", (int)(LIMIT_TEMPLATE / LIMIT_MB));
    else if (is_flow && (!begin.len || begin.at[0] == '"' || begin.at[0] == '}'))
        p = template_json_read(a, text, &root);
    else
        p = template_yaml_read(a, text, &root);
    if (!p)
        p = find_tables(t, root);
    return problem_in(a, p, file);
}
