#include "patterns/pattern_report.h"

#include "base/buf.h"
#include "base/dashed.h"
#include "base/quoted.h"
#include "patterns/pattern_result.h"
#include "wire/json.h"

#include <inttypes.h>

/* --- commands --------------------------------------------------------------------------------- */

#define NEXT_LINE " \\\n    "

static void add_option(struct buf *out, const wire_node *member)
{
    struct buf json = buf_in(out->arena);
    bool is_no = json_kind(member) == JSON_BOOL && !wire_bool(member, true);

    buf_add_text(out, is_no ? NEXT_LINE "--no-" : NEXT_LINE "--");
    dashed_add(out, wire_name(member));
    if (json_kind(member) == JSON_BOOL)
        return;
    buf_add_char(out, ' ');
    if (json_kind(member) == JSON_STRING) {
        quoted_add(out, wire_text(member));
        return;
    }
    json_write(&json, member);
    if (json_kind(member) == JSON_NUMBER)
        buf_add_span(out, buf_span(&json));
    else
        quoted_add_single(out, buf_span(&json));
}

void pattern_report_command(struct buf *out, const struct pattern_step *step,
                            const wire_node *request, const wire_node *cli)
{
    buf_printf(out, "aws %s ", step->op->service == OP_STREAMS ? "dynamodbstreams" : "dynamodb");
    dashed_add(out, span_of(step->op->name));
    for (const wire_node *node = wire_first(request); node; node = wire_next(node))
        add_option(out, node);
    if (step->max_items)
        buf_printf(out, NEXT_LINE "--max-items %zu", step->max_items);
    for (const wire_node *node = wire_first(cli); node; node = wire_next(node)) {
        buf_add_text(out, node == wire_first(cli) ? NEXT_LINE : " ");
        quoted_add(out, wire_text(node));
    }
    buf_add_char(out, '\n');
}

/* --- a cheat sheet in Markdown, with commands ------------------------------------------------- */

/* A cell of a table: without line breaks and bars. */
static void add_cell(struct buf *out, struct span text)
{
    for (size_t i = 0; i < text.len; i++) {
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
    for (const wire_node *node = wire_first(list); node; node = wire_next(node)) {
        buf_add_span(out, wire_text(node));
        buf_add_text(out, "\n\n");
    }
}

static void add_keys(struct buf *out, const wire_node *keys)
{
    static const char *const columns[] = {"key", "format", "notes"};

    if (!keys)
        return;
    buf_add_text(out, "| Key | Format | Notes |\n|---|---|---|\n");
    for (const wire_node *row = wire_first(keys); row; row = wire_next(row)) {
        buf_add_char(out, '|');
        for (size_t i = 0; i < COUNT(columns); i++) {
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
    bool first = true;

    for (const wire_node *element = wire_first(schema); element; element = wire_next(element)) {
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
    for (const wire_node *index = wire_first(indexes); index; index = wire_next(index)) {
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
                      const struct client_answer *described)
{
    const wire_node *table = wire_get(described->body, "Table");
    const wire_node *global = wire_get(table, "GlobalSecondaryIndexes");
    const wire_node *local = wire_get(table, "LocalSecondaryIndexes");

    if (!section->table)
        return;
    if (described->error_type.len) {
        buf_printf(out, "%s\n\n",
                   span_is(described->error_type, "ResourceNotFoundException")
                       ? "This table does not exist."
                       : client_answer_error(out->arena, described));
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

static void add_pattern(struct buf *out, const struct pattern_result *result, const wire_node *cli)
{
    const char *separator = "";

    buf_printf(out, "**%s** ", result->pattern->question);
    buf_printf(out, "(`%s`: ", result->pattern->name);
    if (result->failure_count)
        buf_printf(out, "**fails**: %s", result->failures[0]);
    else {
        struct pattern_totals sum = pattern_result_totals(result);

        buf_printf(out, "%zu item%s read, %s read unit%s, index: %s", sum.read,
                   sum.read == 1 ? "" : "s", pattern_result_units(out->arena, sum.rcu),
                   sum.rcu == 1 ? "" : "s", pattern_result_indexes(out->arena, result));
    }
    buf_add_text(out, ")\n\n");
    add_paragraphs(out, result->pattern->notes);
    buf_add_text(out, "```sh\n");
    for (size_t i = 0; i < result->step_count; i++) {
        const struct pattern_step_result *step = &result->steps[i];

        if (!step->shown)
            continue;
        buf_add_text(out, separator);
        if (step->step->title)
            buf_printf(out, "# %s\n", step->step->title);
        pattern_report_command(out, step->step, step->shown, cli);
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
    for (size_t i = 0; i < file->pattern_count; i++)
        if (is_of_section(&file->patterns[i], section))
            add_pattern(out, &file->patterns[i], file->file->cli);
}

/* Appends the sheet. */
static void pattern_markdown(struct buf *out, const struct pattern_report *report)
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
        for (k = 0; k < file->file->section_count; k++) {
            const struct pattern_section *section = &file->file->sections[k];

            buf_printf(out, "## %zu. %s", k + 1, section->title);
            if (section->table)
                buf_printf(out, ": `%s%s`", report->prefix, section->table);
            buf_add_text(out, "\n\n");
            if (section->about)
                buf_printf(out, "%s\n\n", section->about);
            add_table(out, section, &file->tables[k]);
            add_paragraphs(out, section->notes);
            add_patterns(out, file, section);
        }
        add_patterns(out, file, NULL);
    }
    while (out->len > 1 && out->at[out->len - 1] == '\n' && out->at[out->len - 2] == '\n')
        out->len--;
}

static size_t count_patterns(const struct pattern_report *report)
{
    size_t sum = 0;

    for (size_t i = 0; i < report->file_count; i++)
        sum += report->files[i].pattern_count;
    return sum;
}

/* --- table ------------------------------------------------------------------------------------ */

static void table_row(struct buf *out, int width, const struct pattern_result *result)
{
    struct pattern_totals sum = pattern_result_totals(result);
    struct arena *a = out->arena;

    buf_printf(out, "%-4s  %-*s  %5zu  %5zu  %6s  %4" PRId64 "  %s\n",
               result->failure_count ? "FAIL" : "ok", width, result->pattern->name,
               pattern_result_items(result), sum.read, pattern_result_units(a, sum.rcu), sum.millis,
               pattern_result_indexes(a, result));
    for (size_t i = 0; i < result->failure_count; i++)
        buf_printf(out, "      %s\n", result->failures[i]);
}

static int name_width(const struct pattern_file_result *file)
{
    size_t i, width = sizeof "pattern" - 1;

    for (i = 0; i < file->pattern_count; i++) {
        size_t len = strlen(file->patterns[i].pattern->name);

        width = len > width ? len : width;
    }
    return (int)width;
}

static void report_table(struct buf *out, const struct pattern_report *report)
{
    size_t i, k, read = 0, failed = 0;
    struct pattern_totals sum;
    double rcu = 0;

    for (i = 0; i < report->file_count; i++) {
        const struct pattern_file_result *file = &report->files[i];
        int width = name_width(file);

        buf_printf(out, "%s%s\n\n", i ? "\n" : "", file->file->title);
        buf_printf(out, "      %-*s  %5s  %5s  %6s  %4s  %s\n", width, "pattern", "items", "read",
                   "RCU", "ms", "index");
        failed += pattern_result_failed(file);
        for (k = 0; k < file->pattern_count; k++) {
            table_row(out, width, &file->patterns[k]);
            sum = pattern_result_totals(&file->patterns[k]);
            read += sum.read;
            rcu += sum.rcu;
        }
    }
    buf_printf(out, "\n%zu patterns hold, %zu fail; %zu items read, %s units (%s)\n",
               count_patterns(report) - failed, failed, read, pattern_result_units(out->arena, rcu),
               report->endpoint);
}

/* --- tap -------------------------------------------------------------------------------------- */

static void report_tap(struct buf *out, const struct pattern_report *report)
{
    size_t number = 0;

    buf_printf(out, "TAP version 13\n1..%zu\n", count_patterns(report));
    for (size_t i = 0; i < report->file_count; i++)
        for (size_t k = 0; k < report->files[i].pattern_count; k++) {
            const struct pattern_result *result = &report->files[i].patterns[k];

            buf_printf(out, "%s %zu - %s\n", result->failure_count ? "not ok" : "ok", ++number,
                       result->pattern->name);
            for (size_t n = 0; n < result->failure_count; n++)
                buf_printf(out, "# %s\n", result->failures[n]);
        }
}

/* --- junit ------------------------------------------------------------------------------------ */

static void add_xml(struct buf *out, const char *text)
{
    for (; *text; text++)
        if (*text == '&')
            buf_add_text(out, "&amp;");
        else if (*text == '<')
            buf_add_text(out, "&lt;");
        else if (*text == '"')
            buf_add_text(out, "&quot;");
        else if ((unsigned char)*text < ' ')
            buf_add_char(out, ' ');
        else
            buf_add_char(out, *text);
}

static void junit_case(struct buf *out, const char *suite, const struct pattern_result *result)
{
    int64_t millis = pattern_result_totals(result).millis;

    buf_add_text(out, "    <testcase classname=\"");
    add_xml(out, suite);
    buf_add_text(out, "\" name=\"");
    add_xml(out, result->pattern->name);
    buf_add_text(out, "\" time=\"");
    buf_printf(out, "%" PRId64 ".%03" PRId64, millis / 1000, millis % 1000);
    buf_add_text(out, result->failure_count ? "\">\n" : "\"/>\n");
    if (!result->failure_count)
        return;
    buf_add_text(out, "      <failure message=\"");
    add_xml(out, result->failures[0]);
    buf_add_text(out, "\">");
    for (size_t i = 0; i < result->failure_count; i++) {
        add_xml(out, result->failures[i]);
        buf_add_char(out, '\n');
    }
    buf_add_text(out, "</failure>\n    </testcase>\n");
}

static void report_junit(struct buf *out, const struct pattern_report *report)
{
    size_t i, k;

    buf_add_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (i = 0; i < report->file_count; i++) {
        const struct pattern_file_result *file = &report->files[i];

        buf_add_text(out, "  <testsuite name=\"");
        add_xml(out, file->file->title);
        buf_printf(out, "\" tests=\"%zu\" failures=\"%zu\">\n", file->pattern_count,
                   pattern_result_failed(file));
        for (k = 0; k < file->pattern_count; k++)
            junit_case(out, file->file->title, &file->patterns[k]);
        buf_add_text(out, "  </testsuite>\n");
    }
    buf_add_text(out, "</testsuites>\n");
}

/* --- json ------------------------------------------------------------------------------------- */

static void add_json_text(struct buf *out, const char *key, const char *text)
{
    buf_printf(out, "\"%s\": ", key);
    buf_add_json_string(out, span_of(text));
}

void pattern_report_json_result(struct buf *out, const struct pattern_result *result, bool first)
{
    struct pattern_totals sum = pattern_result_totals(result);

    buf_add_text(out, first ? "\n  {" : ",\n  {");
    add_json_text(out, "name", result->pattern->name);
    buf_add_text(out, ", ");
    add_json_text(out, "question", result->pattern->question);
    buf_printf(out, ", \"holds\": %s, \"read\": %zu, \"rcu\": %s",
               result->failure_count ? "false" : "true", sum.read,
               pattern_result_units(out->arena, sum.rcu));
    buf_add_text(out, ", \"steps\": [");
    for (size_t i = 0; i < result->step_count; i++) {
        const struct pattern_step_result *step = &result->steps[i];

        buf_add_text(out, i ? ", {" : "{");
        add_json_text(out, "name", step->step->name);
        buf_add_text(out, ", ");
        add_json_text(out, "operation", step->step->op->name);
        buf_add_text(out, ", ");
        add_json_text(out, "index", step->cost.index ? step->cost.index : "");
        buf_printf(out, ", \"items\": %zu, \"read\": %zu, \"rcu\": %s, \"ms\": %" PRId64 "}",
                   step->items.len, step->cost.read,
                   pattern_result_units(out->arena, step->cost.rcu), step->millis);
    }
    buf_add_char(out, ']');
    buf_add_text(out, ", \"failures\": [");
    for (size_t i = 0; i < result->failure_count; i++) {
        buf_add_text(out, i ? ", " : "");
        buf_add_json_string(out, span_of(result->failures[i]));
    }
    buf_add_text(out, "]}");
}

void pattern_report_json(struct buf *out, const char *endpoint, size_t patterns, size_t failed,
                         struct span results)
{
    buf_add_char(out, '{');
    add_json_text(out, "endpoint", endpoint);
    buf_printf(out, ", \"patterns\": %zu, \"failed\": %zu, \"results\": [", patterns, failed);
    buf_add_span(out, results);
    buf_add_text(out, "\n]}\n");
}

static void report_json(struct buf *out, const struct pattern_report *report)
{
    struct buf results = buf_in(out->arena);
    size_t failed = 0;

    for (size_t i = 0; i < report->file_count; i++) {
        failed += pattern_result_failed(&report->files[i]);
        for (size_t k = 0; k < report->files[i].pattern_count; k++)
            pattern_report_json_result(&results, &report->files[i].patterns[k], !results.len);
    }
    pattern_report_json(out, report->endpoint, count_patterns(report), failed, buf_span(&results));
}

const struct pattern_report_format *pattern_report_format_of(const char *name)
{
    static const struct pattern_report_format formats[] = {
        {"table", report_table, false},       {"tap", report_tap, false},
        {"junit", report_junit, false},       {"json", report_json, false},
        {"markdown", pattern_markdown, true},
    };

    for (size_t i = 0; i < COUNT(formats); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}
