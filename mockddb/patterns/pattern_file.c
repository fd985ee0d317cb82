#include "patterns/pattern_file.h"

#include "base/file.h"
#include "base/utf8.h"
#include "patterns/pattern_check.h"
#include "patterns/pattern_names.h"
#include "patterns/pattern_operation.h"
#include "patterns/pattern_rules.h"
#include "wire/json.h"
#include "wire/wire_node.h"

static const struct pattern_rule file_rules[] = {
    {"title", JSON_STRING, 0},
    {"about", JSON_STRING, 0},
    {"cli", JSON_ARRAY, PATTERN_STRINGS},
    {"values", JSON_OBJECT, PATTERN_STRINGS},
    {"sections", JSON_ARRAY, 0},
    {"patterns", JSON_ARRAY, PATTERN_REQUIRED},
    {NULL, JSON_NULL, 0},
};
static const struct pattern_rule section_rules[] = {
    {"name", JSON_STRING, PATTERN_REQUIRED | PATTERN_FILLED},
    {"title", JSON_STRING, PATTERN_REQUIRED},
    {"about", JSON_STRING, 0},
    {"table", JSON_STRING, PATTERN_FILLED},
    {"keys", JSON_ARRAY, 0},
    {"indexes", JSON_OBJECT, PATTERN_STRINGS},
    {"notes", JSON_ARRAY, PATTERN_STRINGS},
    {NULL, JSON_NULL, 0},
};
static const struct pattern_rule key_rules[] = {
    {"key", JSON_STRING, PATTERN_REQUIRED},
    {"format", JSON_STRING, PATTERN_REQUIRED},
    {"notes", JSON_STRING, 0},
    {NULL, JSON_NULL, 0},
};
static const struct pattern_rule pattern_rules[] = {
    {"name", JSON_STRING, PATTERN_REQUIRED | PATTERN_FILLED},
    {"question", JSON_STRING, PATTERN_REQUIRED | PATTERN_FILLED},
    {"section", JSON_STRING, 0},
    {"notes", JSON_ARRAY, PATTERN_STRINGS},
    {"steps", JSON_ARRAY, PATTERN_REQUIRED},
    {NULL, JSON_NULL, 0},
};
static const struct pattern_rule step_rules[] = {
    {"name", JSON_STRING, PATTERN_FILLED},
    {"title", JSON_STRING, 0},
    {"operation", JSON_STRING, PATTERN_REQUIRED},
    {"request", JSON_OBJECT, PATTERN_REQUIRED},
    {"expect", JSON_OBJECT, 0},
    {"cost", JSON_OBJECT, 0},
    {"pick", JSON_OBJECT, 0},
    {"max_items", JSON_NUMBER, 0},
    {"pages", JSON_STRING, 0},
    {NULL, JSON_NULL, 0},
};
static const struct pattern_rule pick_rules[] = {
    {"highest", JSON_STRING, PATTERN_FILLED},
    {"lowest", JSON_STRING, PATTERN_FILLED},
    {NULL, JSON_NULL, 0},
};

/* The text of a member, or NULL. */
static const char *text_of(struct arena *a, const wire_node *object, const char *name)
{
    const wire_node *node = wire_get(object, name);

    return node ? arena_text(a, wire_text(node)) : NULL;
}

static const char *read_pick(struct arena *a, const wire_node *pick, const char *where,
                             struct pattern_step *out)
{
    const char *error = pattern_rules_check(a, pick, pick_rules, where);

    if (error || !pick)
        return error;
    if (wire_count(pick) != 1)
        return arena_printf(a, "%s: pick takes highest or lowest", where);
    out->pick_highest = wire_get(pick, "highest") != NULL;
    out->pick = text_of(a, pick, out->pick_highest ? "highest" : "lowest");
    return NULL;
}

static const char *read_step(struct arena *a, const wire_node *node, size_t number,
                             const char *pattern, struct pattern_step *out)
{
    const char *where = arena_printf(a, "%s, step %zu", pattern, number), *operation, *error;
    const char *pages;
    int64_t max_items = wire_integer(wire_get(node, "max_items"), 0);

    if ((error = pattern_rules_check(a, node, step_rules, where)))
        return error;
    operation = text_of(a, node, "operation");
    *out = (struct pattern_step){
        .name = text_of(a, node, "name"),
        .title = text_of(a, node, "title"),
        .op = pattern_operation_find(operation),
        .request = wire_get(node, "request"),
        .expect = wire_get(node, "expect"),
        .cost = wire_get(node, "cost"),
        .node = node,
    };
    if (!out->name)
        out->name = arena_printf(a, "step%zu", number);
    if (!out->op)
        return arena_printf(a, "%s: there is no operation %s", where, operation);
    if ((error = pattern_check_expect(a, out->expect, where)) ||
        (error = pattern_check_cost(a, out->cost, where)) ||
        (error = read_pick(a, wire_get(node, "pick"), where, out)))
        return error;
    if (wire_get(out->expect, "picked") && !wire_get(node, "pick"))
        return arena_printf(a, "%s: picked goes with pick", where);
    pages = text_of(a, node, "pages");
    if (pages && strcmp(pages, "all") != 0)
        return arena_printf(a, "%s: pages is \"all\" or absent", where);
    if (wire_get(node, "max_items") &&
        (max_items < 1 || !wire_is_whole(wire_get(node, "max_items")->at)))
        return arena_printf(a, "%s: max_items is a whole number from 1 on", where);
    out->all_pages = pages != NULL;
    out->max_items = (size_t)max_items;
    return NULL;
}

static const char *read_steps(struct arena *a, const wire_node *steps, const char *where,
                              struct pattern *out)
{
    struct pattern_names *names = pattern_names_new(a, wire_count(steps));
    const char *error;

    if (!wire_count(steps))
        return arena_printf(a, "%s: steps is empty", where);
    out->steps = arena_array(a, wire_count(steps), sizeof *out->steps);
    for (const wire_node *node = wire_first(steps); node; node = wire_next(node)) {
        size_t i = out->step_count++;

        if ((error = read_step(a, node, i + 1, where, &out->steps[i])))
            return error;
        if (!pattern_names_add(names, span_of(out->steps[i].name), i))
            return arena_printf(a, "%s, step %zu: the name %s is used twice", where, i + 1,
                                out->steps[i].name);
    }
    return NULL;
}

static const char *read_pattern(struct arena *a, const wire_node *node, const char *where,
                                struct pattern *out)
{
    const char *error = pattern_rules_check(a, node, pattern_rules, where);

    if (error)
        return error;
    *out = (struct pattern){
        .name = text_of(a, node, "name"),
        .question = text_of(a, node, "question"),
        .section = text_of(a, node, "section"),
        .notes = wire_get(node, "notes"),
    };
    return read_steps(a, wire_get(node, "steps"), arena_printf(a, "%s (%s)", where, out->name),
                      out);
}

static const char *read_patterns(struct arena *a, const wire_node *list, struct pattern_file *out)
{
    struct pattern_names *names = pattern_names_new(a, wire_count(list));
    const char *error;

    if (!wire_count(list))
        return arena_printf(a, "%s: patterns is empty", out->path);
    out->patterns = arena_array(a, wire_count(list), sizeof *out->patterns);
    for (const wire_node *node = wire_first(list); node; node = wire_next(node)) {
        struct pattern *pattern = &out->patterns[out->pattern_count++];
        const char *where = arena_printf(a, "%s: pattern %zu", out->path, out->pattern_count);

        if ((error = read_pattern(a, node, where, pattern)))
            return error;
        if (!pattern_names_add(names, span_of(pattern->name), out->pattern_count))
            return arena_printf(a, "%s: the name %s is used twice", where, pattern->name);
    }
    return NULL;
}

static const char *check_keys(struct arena *a, const wire_node *keys, const char *where)
{
    const char *error = NULL;

    for (const wire_node *node = wire_first(keys); node && !error; node = wire_next(node))
        error = pattern_rules_check(a, node, key_rules, where);
    return error;
}

static const char *read_sections(struct arena *a, const wire_node *list, struct pattern_file *out)
{
    const char *error;

    out->sections = arena_array(a, wire_count(list), sizeof *out->sections);
    for (const wire_node *node = wire_first(list); node; node = wire_next(node)) {
        struct pattern_section *section = &out->sections[out->section_count++];
        const char *where = arena_printf(a, "%s: section %zu", out->path, out->section_count);

        if ((error = pattern_rules_check(a, node, section_rules, where)) ||
            (error = check_keys(a, wire_get(node, "keys"), where)))
            return error;
        *section = (struct pattern_section){
            .name = text_of(a, node, "name"),
            .title = text_of(a, node, "title"),
            .about = text_of(a, node, "about"),
            .table = text_of(a, node, "table"),
            .keys = wire_get(node, "keys"),
            .indexes = wire_get(node, "indexes"),
            .notes = wire_get(node, "notes"),
        };
    }
    return NULL;
}

const char *pattern_file_parse(struct arena *a, const char *path, struct span text,
                               struct pattern_file *out)
{
    const wire_node *root;
    const char *error;
    struct pattern_names *names;

    if (utf8_begins_with_mark(text))
        return arena_printf(a, "%s: " UTF8_MARK_PROBLEM, path);
    if (wire_parse(a, text, &root))
        return arena_printf(a, "%s:%zu: not a JSON object", path, wire_error_line(a, text));
    *out = (struct pattern_file){.path = path, .text = text};
    if ((error = pattern_rules_check(a, root, file_rules, path)))
        return error;
    out->title = text_of(a, root, "title");
    out->about = text_of(a, root, "about");
    out->cli = wire_get(root, "cli");
    out->values = wire_get(root, "values");
    if (!out->title)
        out->title = "Access patterns";
    if ((error = read_sections(a, wire_get(root, "sections"), out)) ||
        (error = read_patterns(a, wire_get(root, "patterns"), out)))
        return error;
    names = pattern_names_new(a, out->section_count);
    /* Each pattern's section must be among the sections. */
    for (size_t i = 0; i < out->section_count; i++)
        (void)pattern_names_add(names, span_of(out->sections[i].name), i);
    for (size_t i = 0; i < out->pattern_count; i++) {
        const struct pattern *pattern = &out->patterns[i];

        if (pattern->section && !pattern_names_has(names, span_of(pattern->section)))
            return arena_printf(a, "%s: pattern %s: there is no section %s", out->path,
                                pattern->name, pattern->section);
    }
    return NULL;
}

const char *pattern_file_read(struct arena *a, const char *path, struct pattern_file *out)
{
    struct span text;

    if (!file_read(a, strcmp(path, "-") == 0 ? "/dev/stdin" : path, &text))
        return file_error(a, path);
    return pattern_file_parse(a, path, text, out);
}
