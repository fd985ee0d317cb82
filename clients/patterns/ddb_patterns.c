/* ddb-patterns: runs files of access patterns against a DynamoDB endpoint and reports. */
#include "base/terminal.h"
#include "client/client_options.h"
#include "client/client_prefix.h"
#include "common/program.h"
#include "moving/moving_output.h"
#include "patterns/pattern_record.h"
#include "patterns/pattern_report.h"
#include "patterns/pattern_run.h"
#include "patterns/watch.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXIT_HOLDS = 0, EXIT_FAILS = 1, EXIT_CANNOT = 2 };

struct patterns_options {
    struct client_aws_options at;
    struct pattern_run_options run;
    const struct pattern_report_format *format;
    struct option_texts only;
    char *const *paths;
    size_t path_count;
    bool watch, record;
};

static int cannot(const char *why)
{
    return program_fail(&program_patterns, why, EXIT_CANNOT);
}

/* --- options ---------------------------------------------------------------------------------- */

static const char *take_format(const struct option_value *v)
{
    struct patterns_options *o = v->into;

    o->format = pattern_report_format_of(v->text);
    return o->format ? NULL : "is not one of table, tap, junit, json, markdown";
}

#define AT(member) offsetof(struct patterns_options, member)

static const struct option rows[] = {
    {"--table-prefix", "P", client_prefix_take, AT(run.prefix), "goes before each table name",
     NULL},
    {"--format", "F", take_format, 0, "table (the default), tap, junit, json, markdown", NULL},
    {"--only", "NAME", option_list, AT(only), "runs this pattern only; may be repeated", NULL},
    {"--set", "NAME=VALUE", option_pair, AT(run.values),
     "replaces a value of the file; may be repeated", NULL},
    {"--watch", NULL, option_flag, AT(watch),
     "runs again when a file, or the fixture beside it, changes", NULL},
    {"--record", NULL, option_flag, AT(record),
     "writes what was answered into the files, as what is expected", NULL},
    {"--allow-writes", NULL, option_flag, AT(run.allow_writes),
     "sends operations that may change something", NULL},
    {.name = NULL},
};

static const struct option_group options[] = {
    {"Options", rows, 0}, {NULL, client_options_rows, 0}, {NULL, NULL, 0}};

static const struct patterns_options defaults = {.run.prefix = ""};

static const char *check_options(struct arena *a, void *given)
{
    struct patterns_options *o = given;

    (void)a;
    if (!o->format)
        o->format = pattern_report_format_of("table");
    o->run.only = o->only.at;
    o->run.only_count = o->only.count;
    o->run.goes_on = o->record;
    o->run.describe_tables = o->format->describes_tables;
    for (; o->paths && o->paths[o->path_count]; o->path_count++)
        if ((o->watch || o->record) && strcmp(o->paths[o->path_count], "-") == 0)
            return "--watch and --record need files, not standard input";
    return o->path_count ? NULL : "no pattern file; --help shows how";
}

/* --- running ---------------------------------------------------------------------------------- */

static int record_files(struct arena *a, const struct pattern_file_result *results, size_t count)
{
    const char *error;

    for (size_t i = 0; i < count; i++) {
        struct span text = pattern_record(a, &results[i]);

        if ((error = moving_output_write(a, results[i].file->path, text)))
            return cannot(error);
        terminal_say("ddb-patterns: %s expects now what was answered\n", results[i].file->path);
    }
    return EXIT_HOLDS;
}

static int run_files(struct arena *a, const struct patterns_options *o,
                     const struct pattern_file *files)
{
    struct pattern_file_result *results = arena_array(a, o->path_count, sizeof *results);
    struct pattern_report report = {o->run.client->name, o->run.prefix, results, o->path_count};
    struct buf out = buf_in(a);
    size_t i, failed = 0;
    const char *error;

    for (i = 0; i < o->path_count; i++) {
        if ((error = pattern_run_file(a, &o->run, &files[i], &results[i])))
            return cannot(error);
        failed += pattern_result_failed(&results[i]);
    }
    o->format->write(&out, &report);
    if (!terminal_write(stdout, buf_span(&out)) || fflush(stdout))
        return cannot("the report could not be written");
    if (o->record)
        return record_files(a, results, o->path_count);
    return failed ? EXIT_FAILS : EXIT_HOLDS;
}

static int run_once(struct arena *a, const struct patterns_options *o)
{
    struct pattern_file *files = arena_array(a, o->path_count, sizeof *files);
    const char *error = NULL;

    for (size_t i = 0; i < o->path_count && !error; i++)
        error = problem_text(a, pattern_file_read(a, o->paths[i], &files[i]));
    if (!error)
        error = pattern_run_check_names(a, &o->run, files, o->path_count);
    return error ? cannot(error) : run_files(a, o, files);
}

/* Runs until the program is killed or its output is closed. A faulty file is reported, and read
 * again when it changes. */
static int run_again_and_again(const struct patterns_options *o)
{
    uint64_t seen = watch_look(o->paths, o->path_count);

    for (;;) {
        struct arena *a = arena_new();

        (void)run_once(a, o);
        arena_free(a);
        if (ferror(stdout))
            return EXIT_CANNOT;
        if (o->record) /* a change of its own does not cause a new run */
            seen = watch_look(o->paths, o->path_count);
        seen = watch_wait(o->paths, o->path_count, seen);
    }
}

static int run_patterns(struct arena *a, const void *given)
{
    struct patterns_options o = *(const struct patterns_options *)given;
    const struct client_endpoint_question which = {.writes = o.run.allow_writes};
    const char *error = client_options_open(a, program_patterns.name, &o.at, which, &o.run.client);
    int status;

    if (error)
        return cannot(error);
    status = o.watch ? run_again_and_again(&o) : run_once(a, &o);
    client_free(o.run.client);
    return status;
}

const struct command program_patterns = {
    .name = "ddb-patterns",
    .summary = "Runs access patterns against a DynamoDB endpoint and says which hold, and at what\n"
               "cost. Exit status: 0 all patterns hold, 1 one fails, 2 nothing could be run.",
    .words = "PATTERNS.json…",
    .words_at = AT(paths),
    .words_are_its = true,
    .options = options,
    .defaults = &defaults,
    .size = sizeof defaults,
    .check = check_options,
    .run = run_patterns,
};
