#include "patterns/pattern_report.h"

#include <inttypes.h>

#include "patterns/pattern_markdown.h"

/* Calls `each` for every pattern of every file; `number` counts from 1 over all files. */
struct visit {
    struct buf *out;
    size_t number;
    int name_width;
};

typedef void visitor(struct visit *v, const struct pattern_result *result);

static void visit_all(struct visit *v, const struct pattern_report *report, visitor *each)
{
    size_t i, k;

    v->number = 0;
    for (i = 0; i < report->file_count; i++) {
        for (k = 0; k < report->files[i].pattern_count; k++) {
            v->number++;
            each(v, &report->files[i].patterns[k]);
        }
    }
}

static size_t count_patterns(const struct pattern_report *report)
{
    size_t i, sum = 0;

    for (i = 0; i < report->file_count; i++)
        sum += report->files[i].pattern_count;
    return sum;
}

static size_t count_failed(const struct pattern_report *report)
{
    size_t i, sum = 0;

    for (i = 0; i < report->file_count; i++)
        sum += pattern_result_failed(&report->files[i]);
    return sum;
}

/* --- table ------------------------------------------------------------------------------------ */

static void table_row(struct visit *v, const struct pattern_result *result)
{
    struct arena *a = v->out->arena;
    size_t i;

    buf_printf(v->out, "%-4s  %-*s  %5zu  %5zu  %6s  %4" PRId64 "  %s\n",
               result->failure_count ? "FAIL" : "ok", v->name_width, result->pattern->name,
               pattern_result_items(result), pattern_result_read(result),
               pattern_result_units(a, pattern_result_rcu(result)), pattern_result_millis(result),
               pattern_result_indexes(a, result));
    for (i = 0; i < result->failure_count; i++)
        buf_printf(v->out, "      %s\n", result->failures[i]);
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
    size_t i, k, read = 0;
    double rcu = 0;

    for (i = 0; i < report->file_count; i++) {
        const struct pattern_file_result *file = &report->files[i];
        struct visit v = {.out = out, .name_width = name_width(file)};

        buf_printf(out, "%s%s\n\n", i ? "\n" : "", file->file->title);
        buf_printf(out, "      %-*s  %5s  %5s  %6s  %4s  %s\n", v.name_width, "pattern", "items",
                   "read", "RCU", "ms", "index");
        for (k = 0; k < file->pattern_count; k++) {
            table_row(&v, &file->patterns[k]);
            read += pattern_result_read(&file->patterns[k]);
            rcu += pattern_result_rcu(&file->patterns[k]);
        }
    }
    buf_printf(out, "\n%zu patterns hold, %zu fail; %zu items read, %s units (%s)\n",
               count_patterns(report) - count_failed(report), count_failed(report), read,
               pattern_result_units(out->arena, rcu), report->endpoint);
}

/* --- tap -------------------------------------------------------------------------------------- */

static void tap_line(struct visit *v, const struct pattern_result *result)
{
    size_t i;

    buf_printf(v->out, "%s %zu - %s\n", result->failure_count ? "not ok" : "ok", v->number,
               result->pattern->name);
    for (i = 0; i < result->failure_count; i++)
        buf_printf(v->out, "# %s\n", result->failures[i]);
}

static void report_tap(struct buf *out, const struct pattern_report *report)
{
    struct visit v = {.out = out};

    buf_printf(out, "TAP version 13\n1..%zu\n", count_patterns(report));
    visit_all(&v, report, tap_line);
}

/* --- junit ------------------------------------------------------------------------------------ */

static void add_xml(struct buf *out, const char *text)
{
    for (; *text; text++) {
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
}

static void junit_case(struct buf *out, const char *suite, const struct pattern_result *result)
{
    int64_t millis = pattern_result_millis(result);
    size_t i;

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
    for (i = 0; i < result->failure_count; i++) {
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

static void json_steps(struct buf *out, const struct pattern_result *result)
{
    size_t i;

    buf_add_text(out, ", \"steps\": [");
    for (i = 0; i < result->step_count; i++) {
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
}

void pattern_report_json_result(struct buf *out, const struct pattern_result *result, bool first)
{
    size_t i;

    buf_add_text(out, first ? "\n  {" : ",\n  {");
    add_json_text(out, "name", result->pattern->name);
    buf_add_text(out, ", ");
    add_json_text(out, "question", result->pattern->question);
    buf_printf(out, ", \"holds\": %s, \"read\": %zu, \"rcu\": %s",
               result->failure_count ? "false" : "true", pattern_result_read(result),
               pattern_result_units(out->arena, pattern_result_rcu(result)));
    json_steps(out, result);
    buf_add_text(out, ", \"failures\": [");
    for (i = 0; i < result->failure_count; i++) {
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

static void json_pattern(struct visit *v, const struct pattern_result *result)
{
    pattern_report_json_result(v->out, result, v->number == 1);
}

static void report_json(struct buf *out, const struct pattern_report *report)
{
    struct buf results = buf_in(out->arena);
    struct visit v = {.out = &results};

    visit_all(&v, report, json_pattern);
    pattern_report_json(out, report->endpoint, count_patterns(report), count_failed(report),
                        buf_span(&results));
}

const struct pattern_report_format *pattern_report_format_of(const char *name)
{
    static const struct pattern_report_format formats[] = {
        {"table", report_table, false},       {"tap", report_tap, false},
        {"junit", report_junit, false},       {"json", report_json, false},
        {"markdown", pattern_markdown, true},
    };
    size_t i;

    for (i = 0; i < COUNT(formats); i++) {
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    }
    return NULL;
}
