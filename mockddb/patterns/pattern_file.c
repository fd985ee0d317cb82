#include "patterns/pattern_file.h"

#include "base/file.h"
#include "base/utf8.h"
#include "patterns/pattern_check.h"
#include "patterns/pattern_names.h"
#include "patterns/pattern_operation.h"
#include "wire/json.h"
#include "wire/object_rules.h"
#include "wire/wire_node.h"

static const struct object_rule file_rules[] = {
    {"title", JSON_STRING, 0, OBJECT_INTO(struct pattern_file, title)},
    {"about", JSON_STRING, 0, OBJECT_INTO(struct pattern_file, about)},
    {"cli", JSON_ARRAY, OBJECT_STRINGS, OBJECT_INTO(struct pattern_file, cli)},
    {"values", JSON_OBJECT, OBJECT_STRINGS, OBJECT_INTO(struct pattern_file, values)},
    {"sections", JSON_ARRAY, 0, 0},
    {"patterns", JSON_ARRAY, OBJECT_REQUIRED, 0},
    {.name = NULL},
};
static const struct object_rule section_rules[] = {
    {"name", JSON_STRING, OBJECT_REQUIRED | OBJECT_FILLED,
     OBJECT_INTO(struct pattern_section, name)},
    {"title", JSON_STRING, OBJECT_REQUIRED, OBJECT_INTO(struct pattern_section, title)},
    {"about", JSON_STRING, 0, OBJECT_INTO(struct pattern_section, about)},
    {"table", JSON_STRING, OBJECT_FILLED, OBJECT_INTO(struct pattern_section, table)},
    {"keys", JSON_ARRAY, 0, OBJECT_INTO(struct pattern_section, keys)},
    {"indexes", JSON_OBJECT, OBJECT_STRINGS, OBJECT_INTO(struct pattern_section, indexes)},
    {"notes", JSON_ARRAY, OBJECT_STRINGS, OBJECT_INTO(struct pattern_section, notes)},
    {.name = NULL},
};
static const struct object_rule key_rules[] = {
    {"key", JSON_STRING, OBJECT_REQUIRED, 0},
    {"format", JSON_STRING, OBJECT_REQUIRED, 0},
    {"notes", JSON_STRING, 0, 0},
    {.name = NULL},
};
static const struct object_rule pattern_rules[] = {
    {"name", JSON_STRING, OBJECT_REQUIRED | OBJECT_FILLED, OBJECT_INTO(struct pattern, name)},
    {"question", JSON_STRING, OBJECT_REQUIRED | OBJECT_FILLED,
     OBJECT_INTO(struct pattern, question)},
    {"section", JSON_STRING, 0, OBJECT_INTO(struct pattern, section)},
    {"notes", JSON_ARRAY, OBJECT_STRINGS, OBJECT_INTO(struct pattern, notes)},
    {"steps", JSON_ARRAY, OBJECT_REQUIRED, 0},
    {.name = NULL},
};
static const struct object_rule step_rules[] = {
    {"name", JSON_STRING, OBJECT_FILLED, OBJECT_INTO(struct pattern_step, name)},
    {"title", JSON_STRING, 0, OBJECT_INTO(struct pattern_step, title)},
    {"operation", JSON_STRING, OBJECT_REQUIRED, 0},
    {"request", JSON_OBJECT, OBJECT_REQUIRED, OBJECT_INTO(struct pattern_step, request)},
    {"expect", JSON_OBJECT, 0, OBJECT_INTO(struct pattern_step, expect)},
    {"cost", JSON_OBJECT, 0, OBJECT_INTO(struct pattern_step, cost)},
    {"pick", JSON_OBJECT, 0, 0},
    {"max_items", JSON_NUMBER, 0, 0},
    {"pages", JSON_STRING, 0, 0},
    {.name = NULL},
};
static const struct object_rule pick_rules[] = {
    {"highest", JSON_STRING, OBJECT_FILLED, 0},
    {"lowest", JSON_STRING, OBJECT_FILLED, 0},
    {.name = NULL},
};

/* The text of a member, or NULL. */
static const char *text_of(struct arena *a, const wire_node *object, const char *name)
{
    const wire_node *node = wire_get(object, name);

    return node ? arena_text(a, wire_text(node)) : NULL;
}

static const struct problem *read_pick(struct arena *a, const wire_node *pick,
                                       struct pattern_step *out)
{
    const struct problem *p = object_rules_read(a, pick, pick_rules, NULL);

    if (p || !pick)
        return p;
    if (wire_count(pick) != 1)
        return problem_invalid(a, "pick takes highest or lowest");
    out->pick_highest = wire_get(pick, "highest") != NULL;
    out->pick = text_of(a, pick, out->pick_highest ? "highest" : "lowest");
    return NULL;
}

static const struct problem *read_step(struct arena *a, const wire_node *node, size_t number,
                                       struct pattern_step *out)
{
    const struct problem *p;
    const char *operation, *pages;
    int64_t max_items = wire_integer(wire_get(node, "max_items"), 0);

    *out = (struct pattern_step){.name = arena_printf(a, "step%zu", number), .node = node};
    if ((p = object_rules_read(a, node, step_rules, out)))
        return p;
    operation = text_of(a, node, "operation");
    if (!(out->op = pattern_operation_find(operation)))
        return problem_invalid(a, "there is no operation %s", operation);
    if ((p = pattern_check_expect(a, out->expect)) || (p = pattern_check_cost(a, out->cost)) ||
        (p = read_pick(a, wire_get(node, "pick"), out)))
        return p;
    if (wire_get(out->expect, "picked") && !wire_get(node, "pick"))
        return problem_invalid(a, "picked goes with pick");
    pages = text_of(a, node, "pages");
    if (pages && strcmp(pages, "all") != 0)
        return problem_invalid(a, "pages is \"all\" or absent");
    if (wire_get(node, "max_items") &&
        (max_items < 1 || !wire_is_whole(wire_get(node, "max_items")->at)))
        return problem_invalid(a, "max_items is a whole number from 1 on");
    out->all_pages = pages != NULL;
    out->max_items = (size_t)max_items;
    return NULL;
}

static const struct problem *read_steps(struct arena *a, const wire_node *steps,
                                        struct pattern *out)
{
    struct pattern_names *names = pattern_names_new(a, wire_count(steps));
    const struct problem *p;

    if (!wire_count(steps))
        return problem_invalid(a, "steps is empty");
    out->steps = arena_array(a, wire_count(steps), sizeof *out->steps);
    for (const wire_node *node = wire_first(steps); node; node = wire_next(node)) {
        size_t i = out->step_count++;

        p = read_step(a, node, i + 1, &out->steps[i]);
        if (!p && !pattern_names_add(names, span_of(out->steps[i].name), i))
            p = problem_invalid(a, "the name %s is used twice", out->steps[i].name);
        if (p)
            return problem_within(a, p, "step %zu", i + 1);
    }
    return NULL;
}

static const struct problem *read_pattern(struct arena *a, const wire_node *node, size_t number,
                                          struct pattern *out)
{
    const struct problem *p = object_rules_read(a, node, pattern_rules, out);

    if (p)
        return problem_within(a, p, "pattern %zu", number);
    return problem_within(a, read_steps(a, wire_get(node, "steps"), out), "pattern %zu (%s)",
                          number, out->name);
}

static const struct problem *read_patterns(struct arena *a, const wire_node *list,
                                           struct pattern_file *out)
{
    struct pattern_names *names = pattern_names_new(a, wire_count(list));
    const struct problem *p;

    if (!wire_count(list))
        return problem_invalid(a, "patterns is empty");
    out->patterns = arena_array(a, wire_count(list), sizeof *out->patterns);
    for (const wire_node *node = wire_first(list); node; node = wire_next(node)) {
        struct pattern *pattern = &out->patterns[out->pattern_count++];

        if ((p = read_pattern(a, node, out->pattern_count, pattern)))
            return p;
        if (!pattern_names_add(names, span_of(pattern->name), out->pattern_count))
            return problem_within(a, problem_invalid(a, "the name %s is used twice", pattern->name),
                                  "pattern %zu", out->pattern_count);
    }
    return NULL;
}

static const struct problem *check_keys(struct arena *a, const wire_node *keys)
{
    const struct problem *p = NULL;

    for (const wire_node *node = wire_first(keys); node && !p; node = wire_next(node))
        p = object_rules_read(a, node, key_rules, NULL);
    return p;
}

static const struct problem *read_file(struct arena *a, const wire_node *root,
                                       struct pattern_file *out)
{
    const struct problem *p;
    const wire_node *list;
    struct pattern_names *names;

    if ((p = object_rules_read(a, root, file_rules, out)))
        return p;
    list = wire_get(root, "sections");
    out->sections = arena_array(a, wire_count(list), sizeof *out->sections);
    for (const wire_node *node = wire_first(list); node; node = wire_next(node)) {
        struct pattern_section *section = &out->sections[out->section_count++];

        if ((p = object_rules_read(a, node, section_rules, section)) ||
            (p = check_keys(a, section->keys)))
            return problem_within(a, p, "section %zu", out->section_count);
    }
    if ((p = read_patterns(a, wire_get(root, "patterns"), out)))
        return p;
    /* Each pattern's section must be among the sections. */
    names = pattern_names_new(a, out->section_count);
    for (size_t i = 0; i < out->section_count; i++)
        (void)pattern_names_add(names, span_of(out->sections[i].name), i);
    for (size_t i = 0; i < out->pattern_count; i++) {
        const struct pattern *pattern = &out->patterns[i];

        if (pattern->section && !pattern_names_has(names, span_of(pattern->section)))
            return problem_within(a, problem_invalid(a, "there is no section %s", pattern->section),
                                  "pattern %s", pattern->name);
    }
    return NULL;
}

const struct problem *pattern_file_parse(struct arena *a, const char *path, struct span text,
                                         struct pattern_file *out)
{
    const wire_node *root;

    if (utf8_begins_with_mark(text))
        return problem_in(a, problem_invalid(a, UTF8_MARK_PROBLEM), path);
    if (wire_parse(a, text, &root))
        return wire_problem(a, text, path);
    *out = (struct pattern_file){.path = path, .text = text, .title = "Access patterns"};
    return problem_in(a, read_file(a, root, out), path);
}

const struct problem *pattern_file_read(struct arena *a, const char *path, struct pattern_file *out)
{
    struct span text;

    if (!file_read(a, strcmp(path, "-") == 0 ? "/dev/stdin" : path, &text))
        return problem_of(a, PROBLEM_FAILED, file_error(a, path));
    return pattern_file_parse(a, path, text, out);
}
