#include "stream_lambda/lambda_options.h"

#include "common/options.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>

static const char usage[] =
    "usage: ddb-stream-lambda (--table T | --stream-arn ARN) (--command C | --invoke URL) …\n"
    "\n"
    "Follows a table's stream and hands batches of records to a function, as a Lambda event\n"
    "source mapping does.\n"
    "\n"
    "  --table T               the newest stream of this table\n"
    "  --stream-arn ARN        this stream\n"
    "  --endpoint URL          default: AWS_ENDPOINT_URL_DYNAMODB_STREAMS, AWS_ENDPOINT_URL,\n"
    "                          http://127.0.0.1:8000\n"
    "  --region R              default: environment, profile, us-east-1\n"
    "  --profile NAME          keys from ~/.aws/credentials and ~/.aws/config\n"
    "  --starting-position P   TRIM_HORIZON (default: all that is kept) or LATEST\n"
    "\n"
    "  --command C             a shell command: the event on standard input, the answer on\n"
    "                          standard output, failure by exit status\n"
    "  --invoke URL            an HTTP endpoint in the form of Lambda's Invoke operation\n"
    "  --timeout S             seconds it may take (60)\n"
    "\n"
    "  --batch-size N          most records in a batch (100)\n"
    "  --batch-window S        seconds to wait for a full batch (0)\n"
    "  --filter PATTERN        only records that match; repeated: that match one of them\n"
    "\n"
    "  --bisect-on-error       split a failed batch in two\n"
    "  --report-batch-item-failures\n"
    "                          the answer says from which record on the batch failed\n"
    "  --max-retries N         then give the batch up (-1: never)\n"
    "  --max-age S             give up records that are older (-1: when they expire)\n"
    "  --on-failure FILE       append a line of JSON for each batch that is given up\n"
    "\n"
    "  --once                  end when all existing records were handed over\n"
    "  --idle-exit S           end when no record came for S seconds\n"
    "  --verbose               a line for each call\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 ended as asked, 1 batches were given up or the stream could not be followed\n"
    "any more, 2 it could not begin.\n";

enum kind { KIND_TEXT, KIND_NUMBER, KIND_FLAG, KIND_FILTER, KIND_HELP, KIND_VERSION };

#define PLACE(member) offsetof(struct lambda_options, member)

/* Where a value is stored, and the bounds of a number. The bounds are an event source mapping's,
 * but the age may be less. */
static const struct {
    const char *name;
    enum kind kind;
    size_t place;
    long min, max;
} rows[] = {
    {"table", KIND_TEXT, PLACE(table), 0, 0},
    {"stream-arn", KIND_TEXT, PLACE(stream_arn), 0, 0},
    {"endpoint", KIND_TEXT, PLACE(endpoint), 0, 0},
    {"region", KIND_TEXT, PLACE(region), 0, 0},
    {"profile", KIND_TEXT, PLACE(profile), 0, 0},
    {"starting-position", KIND_TEXT, PLACE(starting_position), 0, 0},
    {"command", KIND_TEXT, PLACE(command), 0, 0},
    {"invoke", KIND_TEXT, PLACE(url), 0, 0},
    {"timeout", KIND_NUMBER, PLACE(timeout), 1, 900},
    {"batch-size", KIND_NUMBER, PLACE(batch_size), 1, 10000},
    {"batch-window", KIND_NUMBER, PLACE(batch_window), 0, 300},
    {"filter", KIND_FILTER, 0, 0, 0},
    {"bisect-on-error", KIND_FLAG, PLACE(bisect), 0, 0},
    {"report-batch-item-failures", KIND_FLAG, PLACE(reports_failures), 0, 0},
    {"max-retries", KIND_NUMBER, PLACE(max_retries), -1, 10000},
    {"max-age", KIND_NUMBER, PLACE(max_age), -1, 604800},
    {"on-failure", KIND_TEXT, PLACE(failure_file), 0, 0},
    {"once", KIND_FLAG, PLACE(once), 0, 0},
    {"idle-exit", KIND_NUMBER, PLACE(idle_exit), 0, 86400},
    {"verbose", KIND_FLAG, PLACE(verbose), 0, 0},
    {"help", KIND_HELP, 0, 0, 0},
    {"version", KIND_VERSION, 0, 0, 0},
};

/* Returns the table for getopt, which ends with a row of zeros. An option's code is the number of
 * its row. */
static const struct option *long_options(struct arena *a)
{
    struct option *out = arena_array(a, COUNT(rows) + 1, sizeof *out);

    for (size_t i = 0; i < COUNT(rows); i++) {
        out[i].name = rows[i].name;
        out[i].has_arg = rows[i].kind <= KIND_NUMBER || rows[i].kind == KIND_FILTER;
        out[i].val = (int)i;
    }
    return out;
}

static const char *take_number(struct arena *a, size_t row, const char *text, long *out)
{
    char *end;

    errno = 0;
    *out = strtol(text, &end, 10);
    if (end != text && !*end && !errno && *out >= rows[row].min && *out <= rows[row].max)
        return NULL;
    return arena_printf(a, "--%s takes a number from %ld to %ld, not %s", rows[row].name,
                        rows[row].min, rows[row].max, text);
}

static const char *take_filter(struct arena *a, struct lambda_options *o, const char *text)
{
    const char *problem;

    if (o->filter_count == LAMBDA_FILTERS_MAX)
        return arena_printf(a, "there can be no more than %d filters", LAMBDA_FILTERS_MAX);
    if (!(problem = lambda_filter_read(a, span_of(text), &o->filters[o->filter_count++])))
        return NULL;
    return arena_printf(a, "--filter %s: %s", text, problem);
}

static const char *take_option(struct arena *a, struct lambda_options *o, size_t row)
{
    void *place = (char *)o + rows[row].place;

    switch (rows[row].kind) {
    case KIND_TEXT:
        *(const char **)place = optarg;
        return *optarg ? NULL : arena_printf(a, "--%s is empty", rows[row].name);
    case KIND_NUMBER:
        return take_number(a, row, optarg, place);
    case KIND_FILTER:
        return take_filter(a, o, optarg);
    default:
        *(bool *)place = true;
        return NULL;
    }
}

static const char *check_together(struct arena *a, const struct lambda_options *o)
{
    if (o->table && o->stream_arn)
        return "--table and --stream-arn cannot both be given";
    if (!o->table && !o->stream_arn)
        return "which stream? --table or --stream-arn; --help shows how";
    if (o->command && o->url)
        return "--command and --invoke cannot both be given";
    if (!o->command && !o->url)
        return "which function? --command or --invoke; --help shows how";
    if (strcmp(o->starting_position, "TRIM_HORIZON") != 0 &&
        strcmp(o->starting_position, "LATEST") != 0)
        return arena_printf(a, "--starting-position is TRIM_HORIZON or LATEST, not %s",
                            o->starting_position);
    return NULL;
}

static const char *answer_to(size_t row)
{
    if (rows[row].kind == KIND_HELP)
        return usage;
    return rows[row].kind == KIND_VERSION ? "ddb-stream-lambda " MOCKDDB_VERSION "\n" : NULL;
}

const char *lambda_options_read(struct arena *a, int argc, char **argv, struct lambda_options *out,
                                const char **answer)
{
    const struct option *options = long_options(a);
    const char *error;
    int row;

    *out = (struct lambda_options){
        .starting_position = "TRIM_HORIZON",
        .timeout = 60,
        .batch_size = 100,
        .max_retries = -1,
        .max_age = -1,
        .idle_exit = -1,
    };
    opterr = 0;
    while ((row = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if ((error = options_fault(a, row, argv)))
            return error;
        if ((*answer = answer_to((size_t)row)))
            return NULL;
        if ((error = take_option(a, out, (size_t)row)))
            return error;
    }
    if (optind < argc)
        return arena_printf(a, "unexpected word %s; --help lists the options", argv[optind]);
    return check_together(a, out);
}
