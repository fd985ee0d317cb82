/* Writes the cheat sheet from the pattern file, from the endpoint's descriptions of the tables, and
 * from the results of the run that has just ended. */
#include "patterns/pattern_markdown.h"

#include "patterns/pattern_command.h"
#include "wire/json.h"

/* A cell of a table: without line breaks and bars. */
static void add_cell(struct buf *out, struct span text)
{
    size_t i;

    for (i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (c == '|')
            buf_add_char(out, '\\');
        if (c == '\n')
            c = ' ';
        buf_add_char(out, c);
    }
}

static void add_paragraphs(struct buf *out, const wire_node *list)
{
    const wire_node *node;

    for (node = wire_first(list); node; node = wire_next(node)) {
        buf_add_span(out, wire_text(node));
        buf_add_text(out, "\n\n");
    }
}

static void add_keys(struct buf *out, const wire_node *keys)
{
    static const char *const columns[] = {"key", "format", "notes"};
    const wire_node *row;
    size_t i;

    if (!keys)
        return;
    buf_add_text(out, "| Key | Format | Notes |\n|---|---|---|\n");
    for (row = wire_first(keys); row; row = wire_next(row)) {
        buf_add_char(out, '|');
        for (i = 0; i < COUNT(columns); i++) {
            buf_add_char(out, ' ');
            add_cell(out, wire_text(wire_get(row, columns[i])));
            buf_add_text(out, " |");
        }
        buf_add_char(out, '\n');
    }
    buf_add_char(out, '\n');
}

/* The names of a key schema's elements of one kind. */
static void add_key_names(struct buf *out, const wire_node *schema, const char *kind)
{
    const wire_node *element;
    bool first = true;

    for (element = wire_first(schema); element; element = wire_next(element)) {
        if (!span_is(wire_text(wire_get(element, "KeyType")), kind))
            continue;
        if (!first)
            buf_add_text(out, ", ");
        add_cell(out, wire_text(wire_get(element, "AttributeName")));
        first = false;
    }
}

static void add_index_rows(struct buf *out, const wire_node *indexes, const wire_node *uses)
{
    const wire_node *index;

    for (index = wire_first(indexes); index; index = wire_next(index)) {
        struct span name = wire_text(wire_get(index, "IndexName"));

        buf_add_text(out, "| ");
        add_cell(out, name);
        buf_add_text(out, " | ");
        add_key_names(out, wire_get(index, "KeySchema"), "HASH");
        buf_add_text(out, " | ");
        add_key_names(out, wire_get(index, "KeySchema"), "RANGE");
        buf_add_text(out, " | ");
        add_cell(out, wire_text(wire_get(wire_get(index, "Projection"), "ProjectionType")));
        buf_add_text(out, " | ");
        add_cell(out, wire_text(wire_get_span(uses, name)));
        buf_add_text(out, " |\n");
    }
}

static void add_table(struct buf *out, const struct pattern_section *section,
                      const wire_node *table)
{
    const wire_node *global = wire_get(table, "GlobalSecondaryIndexes");
    const wire_node *local = wire_get(table, "LocalSecondaryIndexes");

    if (!section->table)
        return;
    if (!table) {
        buf_add_text(out, "This table does not exist.\n\n");
        return;
    }
    buf_add_text(out, "Partition key `");
    add_key_names(out, wire_get(table, "KeySchema"), "HASH");
    buf_add_text(out, "`");
    if (wire_count(wire_get(table, "KeySchema")) > 1) {
        buf_add_text(out, ", sort key `");
        add_key_names(out, wire_get(table, "KeySchema"), "RANGE");
        buf_add_char(out, '`');
    }
    buf_add_text(out, ".\n\n");
    add_keys(out, section->keys);
    if (!global && !local)
        return;
    buf_add_text(out, "| Index | Partition key | Sort key | Projection | Use |\n"
                      "|---|---|---|---|---|\n");
    add_index_rows(out, global, section->indexes);
    add_index_rows(out, local, section->indexes);
    buf_add_char(out, '\n');
}

static void add_cost(struct buf *out, const struct pattern_result *result)
{
    size_t read = pattern_result_read(result);
    double rcu = pattern_result_rcu(result);

    buf_printf(out, "%zu item%s read, %s read unit%s, index: %s", read, read == 1 ? "" : "s",
               pattern_result_units(out->arena, rcu), rcu == 1 ? "" : "s",
               pattern_result_indexes(out->arena, result));
}

static void add_pattern(struct buf *out, const struct pattern_result *result, const wire_node *cli)
{
    const char *separator = "";
    size_t i;

    buf_printf(out, "**%s** ", result->pattern->question);
    buf_printf(out, "(`%s`: ", result->pattern->name);
    if (result->failure_count)
        buf_printf(out, "**fails**: %s", result->failures[0]);
    else
        add_cost(out, result);
    buf_add_text(out, ")\n\n");
    add_paragraphs(out, result->pattern->notes);
    buf_add_text(out, "```sh\n");
    for (i = 0; i < result->step_count; i++) {
        const struct pattern_step_result *step = &result->steps[i];

        if (!step->shown)
            continue;
        buf_add_text(out, separator);
        if (step->step->title)
            buf_printf(out, "# %s\n", step->step->title);
        pattern_command_write(out, step->step, step->shown, cli);
        separator = "\n";
    }
    buf_add_text(out, "```\n\n");
}

static bool is_of_section(const struct pattern_result *result,
                          const struct pattern_section *section)
{
    const char *name = result->pattern->section;

    return section ? name && strcmp(name, section->name) == 0 : !name;
}

static void add_patterns(struct buf *out, const struct pattern_file_result *file,
                         const struct pattern_section *section)
{
    size_t i;

    for (i = 0; i < file->pattern_count; i++) {
        if (is_of_section(&file->patterns[i], section))
            add_pattern(out, &file->patterns[i], file->file->cli);
    }
}

static void add_section(struct buf *out, const struct pattern_report *report,
                        const struct pattern_file_result *file, size_t number)
{
    const struct pattern_section *section = &file->file->sections[number];

    buf_printf(out, "## %zu. %s", number + 1, section->title);
    if (section->table)
        buf_printf(out, ": `%s%s`", report->prefix, section->table);
    buf_add_text(out, "\n\n");
    if (section->about)
        buf_printf(out, "%s\n\n", section->about);
    add_table(out, section, file->tables[number]);
    add_paragraphs(out, section->notes);
    add_patterns(out, file, section);
}

void pattern_markdown(struct buf *out, const struct pattern_report *report)
{
    size_t i, k;

    for (i = 0; i < report->file_count; i++) {
        const struct pattern_file_result *file = &report->files[i];
        size_t failed = pattern_result_failed(file);

        buf_printf(out, "# %s\n\n", file->file->title);
        if (file->file->about)
            buf_printf(out, "%s\n\n", file->file->about);
        buf_printf(out, "Checked against %s: %zu patterns hold, %zu fail.\n\n", report->endpoint,
                   file->pattern_count - failed, failed);
        for (k = 0; k < file->file->section_count; k++)
            add_section(out, report, file, k);
        add_patterns(out, file, NULL);
    }
    while (out->len > 1 && out->at[out->len - 1] == '\n' && out->at[out->len - 2] == '\n')
        out->len--;
}
