/* ddb-patterns: runs files of access patterns against a DynamoDB endpoint and reports. */
#define _GNU_SOURCE /* mkstemp, realpath */
#include "base/file.h"
#include "base/terminal.h"
#include "client/client_aws.h"
#include "client/client_endpoint.h"
#include "client/client_http.h"
#include "common/options.h"
#include "patterns/pattern_record.h"
#include "patterns/pattern_report.h"
#include "patterns/pattern_run.h"
#include "patterns/watch.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_HOLDS = 0, EXIT_FAILS = 1, EXIT_CANNOT = 2 };

static const char usage[] =
    "usage: ddb-patterns [OPTION…] PATTERNS.json…\n"
    "\n"
    "Runs access patterns against a DynamoDB endpoint and says which hold, and at what cost.\n"
    "\n"
    "  --endpoint URL      default: AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL,\n"
    "                      http://127.0.0.1:8000\n"
    "  --table-prefix P    goes before each table name\n"
    "  --region R          default: environment, profile, us-east-1\n"
    "  --profile NAME      keys from ~/.aws/credentials and ~/.aws/config\n"
    "  --format F          table (default), tap, junit, json, markdown\n"
    "  --only NAME         runs this pattern only; may be repeated\n"
    "  --set NAME=VALUE    replaces a value of the file; may be repeated\n"
    "  --watch             runs again when a file, or the fixture beside it, changes\n"
    "  --record            writes what was answered into the files, as what is expected\n"
    "  --allow-writes      sends operations that may change something\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 all patterns hold, 1 one fails, 2 nothing could be run.\n";

enum option_code {
    OPTION_ENDPOINT = 1,
    OPTION_PREFIX,
    OPTION_REGION,
    OPTION_PROFILE,
    OPTION_FORMAT,
    OPTION_ONLY,
    OPTION_SET,
    OPTION_WATCH,
    OPTION_RECORD,
    OPTION_ALLOW_WRITES,
    OPTION_HELP,
    OPTION_VERSION,
};

static const struct option long_options[] = {
    {"endpoint", required_argument, NULL, OPTION_ENDPOINT},
    {"table-prefix", required_argument, NULL, OPTION_PREFIX},
    {"region", required_argument, NULL, OPTION_REGION},
    {"profile", required_argument, NULL, OPTION_PROFILE},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"only", required_argument, NULL, OPTION_ONLY},
    {"set", required_argument, NULL, OPTION_SET},
    {"watch", no_argument, NULL, OPTION_WATCH},
    {"record", no_argument, NULL, OPTION_RECORD},
    {"allow-writes", no_argument, NULL, OPTION_ALLOW_WRITES},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

struct command_line {
    struct client_aws_options aws;
    struct pattern_run_options run;
    const struct pattern_report_format *format;
    const char **only;
    struct pattern_value *values;
    char **paths;
    size_t path_count;
    bool watch, record;
};

static int cannot(const char *why)
{
    terminal_say("ddb-patterns: %s\n", why);
    return EXIT_CANNOT;
}

/* Reads NAME=VALUE. */
static const char *take_value(struct arena *a, struct command_line *line, const char *text)
{
    const char *equals = strchr(text, '=');

    if (!equals || equals == text)
        return arena_printf(a, "--set takes NAME=VALUE, not %s", text);
    line->values[line->run.value_count++] = (struct pattern_value){
        .name = arena_text(a, (struct span){text, (size_t)(equals - text)}),
        .value = span_of(equals + 1),
    };
    return NULL;
}

static const char *take_option(struct arena *a, struct command_line *line, int code)
{
    switch (code) {
    case OPTION_ENDPOINT:
        line->aws.endpoint = optarg;
        return options_no_value(a, long_options, code, optarg);
    case OPTION_PREFIX:
        line->run.prefix = optarg;
        return options_no_prefix(a, optarg);
    case OPTION_REGION:
        line->aws.region = optarg;
        return options_no_value(a, long_options, code, optarg);
    case OPTION_PROFILE:
        line->aws.profile = optarg;
        return options_no_value(a, long_options, code, optarg);
    case OPTION_FORMAT:
        line->format = pattern_report_format_of(optarg);
        return line->format ? NULL : arena_printf(a, "there is no format %s", optarg);
    case OPTION_ONLY:
        line->only[line->run.only_count++] = optarg;
        return NULL;
    case OPTION_SET:
        return take_value(a, line, optarg);
    case OPTION_WATCH:
        line->watch = true;
        return NULL;
    case OPTION_RECORD:
        line->record = line->run.goes_on = true;
        return NULL;
    default:
        line->run.allow_writes = true;
        return NULL;
    }
}

/* The text for an option such as --help, or NULL. */
static const char *answer_to(int code)
{
    if (code == OPTION_HELP)
        return usage;
    return code == OPTION_VERSION ? "ddb-patterns " MOCKDDB_VERSION "\n" : NULL;
}

/* Sets *answer to the text of an option such as --help, or fills *line. Returns NULL or an
 * error. */
static const char *read_command_line(struct arena *a, int argc, char **argv,
                                     struct command_line *line, const char **answer)
{
    const char *error;
    int code;

    *line = (struct command_line){
        .run = {.prefix = ""},
        .format = pattern_report_format_of("table"),
        .only = arena_array(a, (size_t)argc, sizeof *line->only),
        .values = arena_array(a, (size_t)argc, sizeof *line->values),
    };
    opterr = 0;
    while ((code = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if ((error = options_fault(a, code, argv)))
            return error;
        if ((*answer = answer_to(code)))
            return NULL;
        if ((error = take_option(a, line, code)))
            return error;
    }
    line->run.only = line->only;
    line->run.values = line->values;
    line->run.describe_tables = line->format->describes_tables;
    line->paths = argv + optind;
    line->path_count = (size_t)(argc - optind);
    for (size_t i = 0; i < line->path_count && (line->watch || line->record); i++)
        if (strcmp(line->paths[i], "-") == 0)
            return "--watch and --record need files, not standard input";
    return line->path_count ? NULL : "no pattern file; --help shows how";
}

static const char *read_files(struct arena *a, const struct command_line *line,
                              struct pattern_file *files)
{
    const char *error;
    size_t i;

    for (i = 0; i < line->path_count; i++) {
        if ((error = pattern_file_read(a, line->paths[i], &files[i])))
            return error;
    }
    return pattern_run_check_names(a, &line->run, files, line->path_count);
}

/* Writes a new file beside it and renames it, so that the file is never incomplete. */
static bool replace_file(struct arena *a, const char *path, struct span text)
{
    char *beside = arena_printf(a, "%s.XXXXXX", path);
    struct stat before;
    int fd = stat(path, &before) ? -1 : mkstemp(beside);
    bool written;

    if (fd < 0)
        return false;
    written = fchmod(fd, before.st_mode & 07777) == 0 && file_write(fd, text);
    written = close(fd) == 0 && written && rename(beside, path) == 0;
    if (!written)
        (void)unlink(beside);
    return written;
}

/* For a link, writes the file that it leads to. */
static const char *write_file(struct arena *a, const char *path, struct span text)
{
    char *real = realpath(path, NULL);
    bool written = real && replace_file(a, real, text);
    int error = errno;

    free(real);
    return written ? NULL : arena_printf(a, "%s could not be written: %s", path, strerror(error));
}

static int record_files(struct arena *a, const struct pattern_file_result *results, size_t count)
{
    const char *error;

    for (size_t i = 0; i < count; i++) {
        struct span text = pattern_record(a, &results[i]);

        if ((error = write_file(a, results[i].file->path, text)))
            return cannot(error);
        terminal_say("ddb-patterns: %s expects now what was answered\n", results[i].file->path);
    }
    return EXIT_HOLDS;
}

static int run_files(struct arena *a, const struct command_line *line,
                     const struct pattern_file *files)
{
    struct pattern_file_result *results = arena_array(a, line->path_count, sizeof *results);
    struct pattern_report report = {line->run.client->name, line->run.prefix, results,
                                    line->path_count};
    struct buf out = buf_in(a);
    size_t i, failed = 0;
    const char *error;

    for (i = 0; i < line->path_count; i++) {
        if ((error = pattern_run_file(a, &line->run, &files[i], &results[i])))
            return cannot(error);
        failed += pattern_result_failed(&results[i]);
    }
    line->format->write(&out, &report);
    if (!terminal_write(stdout, buf_span(&out)) || fflush(stdout))
        return cannot("the report could not be written");
    if (line->record)
        return record_files(a, results, line->path_count);
    return failed ? EXIT_FAILS : EXIT_HOLDS;
}

static const char *open_client(struct arena *a, struct command_line *line)
{
    const struct client_endpoint_question which = {.option = line->aws.endpoint,
                                                   .writes = line->run.allow_writes};
    const char *error = client_endpoint_choose(a, "ddb-patterns", &which, &line->aws.endpoint);

    return error ? error : client_aws_new(a, &line->aws, &line->run.client);
}

static int run_once(struct arena *a, const struct command_line *line)
{
    struct pattern_file *files = arena_array(a, line->path_count, sizeof *files);
    const char *error = read_files(a, line, files);

    return error ? cannot(error) : run_files(a, line, files);
}

/* Runs until the program is killed or its output is closed. A faulty file is reported, and read
 * again when it changes. */
static int run_again_and_again(const struct command_line *line)
{
    uint64_t seen = watch_look(line->paths, line->path_count);

    for (;;) {
        struct arena *a = arena_new();

        (void)run_once(a, line);
        arena_free(a);
        if (ferror(stdout))
            return EXIT_CANNOT;
        if (line->record) /* a change of its own does not cause a new run */
            seen = watch_look(line->paths, line->path_count);
        seen = watch_wait(line->paths, line->path_count, seen);
    }
}

int main(int argc, char **argv)
{
    struct arena *a;
    struct command_line line;
    const char *error, *answer = NULL;
    int status = EXIT_HOLDS;

    options_start();
    a = arena_new();
    error = read_command_line(a, argc, argv, &line, &answer);
    if (!error && !answer && !(error = open_client(a, &line)))
        status = line.watch ? run_again_and_again(&line) : run_once(a, &line);
    if (error)
        status = cannot(error);
    else if (answer && !options_print("ddb-patterns", answer))
        status = EXIT_FAILS;
    client_free(line.run.client);
    arena_free(a);
    return status;
}
