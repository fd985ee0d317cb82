/* export: a table's items from a server, or from a file of tables, into a file. */
#include "base/interrupt.h"
#include "base/terminal.h"
#include "commands/command.h"
#include "commands/copying.h"
#include "commands/endpoint_options.h"
#include "moving/moving_db.h"
#include "moving/moving_export.h"
#include "moving/moving_output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct export_options {
    struct client_aws_options at;
    const char *db, *table, *schema;
    enum moving_export_format format;
    bool asks_server;
    char *const *words;
};

static const char *take_format(const struct option_value *v)
{
    struct export_options *o = v->into;

    return moving_export_find(v->text, &o->format)
               ? NULL
               : "is not one of dynamodb-json, ion, csv, jsonl and fixture";
}

#define AT(member) offsetof(struct export_options, member)

static const struct option rows[] = {
    {"--db", "FILE", option_text, AT(db), "read this file of tables, not a server", NULL},
    {"--table", "NAME", option_text, AT(table), "the table", NULL},
    {"--format", "F", take_format, 0, "dynamodb-json (the default), ion, csv, jsonl or fixture",
     NULL},
    {"--schema", "FILE", option_text, AT(schema),
     "write a schema there that creates the table again", NULL},
    {.name = NULL},
};

static const struct export_options defaults = {.format = MOVING_EXPORT_DYNAMODB_JSON};

static const char *check_options(struct arena *a, void *given)
{
    const struct export_options *o = given;

    (void)a;
    return o->db && o->asks_server ? ENDPOINT_OR_DB : NULL;
}

/* The output must not overwrite a file that is read, or that was just written. */
static const char *check_paths(struct arena *a, const struct export_options *o)
{
    const char *path = o->words[0];

    if (moving_output_hits(path, o->db) || moving_output_hits(o->schema, o->db))
        return arena_printf(a, "%s is the file that is exported: it would be overwritten", o->db);
    if (moving_output_hits(path, o->schema))
        return arena_printf(a, "%s: the items and the schema need separate files", path);
    return NULL;
}

static int export_from(struct arena *a, const struct export_options *o, struct client *client)
{
    const struct moving_export_options how = {
        .format = o->format, .path = o->words[0], .schema = o->schema};
    struct clock *clock = clock_new_system();
    struct moving_export_report report = {.items = 0};
    int64_t begin_us = clock_ticks_us(clock);
    struct moving_scan scan;
    const char *problem;
    double seconds;

    interrupt_watch();
    problem = moving_scan_begin(a, client, span_of(o->table), &scan);
    if (!problem && (o->schema || o->format == MOVING_EXPORT_FIXTURE))
        problem = moving_scan_schema(a, &scan);
    if (!problem)
        problem = moving_export(
            a, &scan, &how, progress_new(a, clock, isatty(STDERR_FILENO) ? stderr : NULL), &report);
    seconds = (double)(clock_ticks_us(clock) - begin_us + 1) / 1e6;
    clock_free(clock);
    if (problem && interrupt_signal())
        return command_interrupted(arena_printf(
            a, "%" PRIu64 " items were read, %s; the same command begins anew", report.items,
            strcmp(o->words[0], "-") == 0 ? "and written" : "and no file was written"));
    if (problem)
        return command_fail(problem, EXIT_FAILURE);
    copying_say_lacks(span_of(o->table), scan.lacks);
    if (report.types)
        terminal_say("import needs these types: --types %s\n", report.types);
    if (report.untold)
        (void)fprintf(stderr,
                      "sets and binaries in lists, in maps, and where an attribute has other "
                      "types too, come back as lists and strings\n");
    terminal_say("%" PRIu64 " items of %s in %.1f s (%.0f a second)\n", report.items, o->table,
                 seconds, (double)report.items / seconds);
    return EXIT_SUCCESS;
}

static int run_export(struct arena *a, const void *given)
{
    const struct export_options *o = given;
    struct client *from;
    const char *problem;
    int status;

    if (!o->table || !o->words || !*o->words || o->words[1])
        return command_fail("export needs --table NAME and one PATH; - is standard output",
                            EXIT_USAGE);
    if ((problem = check_paths(a, o)))
        return command_fail(problem, EXIT_FAILURE);
    problem = o->db ? moving_db_open(a, o->db, true, &from)
                    : endpoint_options_open(a, &o->at, false, &from);
    if (problem)
        return command_fail(problem, EXIT_FAILURE);
    status = export_from(a, o, from);
    client_free(from);
    return status;
}

const struct command command_export = {
    .name = "export",
    .summary = "a table's items from a server, or from a file of tables, into a file",
    .words = "PATH",
    .words_at = offsetof(struct export_options, words),
    .words_are_its = true,
    .options = OPTION_GROUPS({"With export", endpoint_options_rows, AT(asks_server)},
                             {NULL, rows, 0}),
    .defaults = &defaults,
    .size = sizeof defaults,
    .check = check_options,
    .run = run_export,
};
