#include "stream_lambda/lambda_options.h"

static const char *take_filter(const struct option_value *v)
{
    struct lambda_options *o = v->into;
    const char *problem;

    *v->adds = true;
    if (o->filter_count == LAMBDA_FILTERS_MAX)
        return arena_printf(v->arena, "is one too many: there can be no more than %d filters",
                            LAMBDA_FILTERS_MAX);
    problem = lambda_filter_read(v->arena, span_of(v->text), &o->filters[o->filter_count++]);
    return problem ? arena_printf(v->arena, "is not a filter: %s", problem) : NULL;
}

#define AT(member) offsetof(struct lambda_options, member)

static const struct option source_rows[] = {
    {"--table", "T", option_text, AT(table), "the newest stream of this table", NULL},
    {"--stream-arn", "ARN", option_text, AT(stream_arn), "this stream", NULL},
    {"--starting-position", "P", option_either, AT(latest),
     "TRIM_HORIZON: all that is kept; LATEST (TRIM_HORIZON)",
     OPTION_EITHER("TRIM_HORIZON", "LATEST")},
    {.name = NULL},
};

/* The ranges are an event source mapping's, but the age may be less. */
static const struct option function_rows[] = {
    {"--command", "C", option_text, AT(command),
     "a shell command: the event on standard input, the answer on standard output, failure by exit "
     "status",
     NULL},
    {"--invoke", "URL", option_text, AT(url),
     "an HTTP endpoint in the form of Lambda's Invoke operation", NULL},
    {"--timeout", "S", option_number, AT(timeout), "seconds it may take (60)",
     OPTION_RANGE(1, 900, "a number of seconds from 1 to 900")},
    {"--batch-size", "N", option_number, AT(batch_size), "most records in a batch (100)",
     OPTION_RANGE(1, 10000, "a number of records from 1 to 10000")},
    {"--batch-window", "S", option_number, AT(batch_window), "seconds to wait for a full batch (0)",
     OPTION_RANGE(0, 300, "a number of seconds from 0 to 300")},
    {"--filter", "PATTERN", take_filter, 0,
     "only records that match; repeated: that match one of them", NULL},
    {.name = NULL},
};

static const struct option failure_rows[] = {
    {"--bisect-on-error", NULL, option_flag, AT(bisect), "split a failed batch in two", NULL},
    {"--report-batch-item-failures", NULL, option_flag, AT(reports_failures),
     "the answer says from which record on the batch failed", NULL},
    {"--max-retries", "N", option_number, AT(max_retries), "then give the batch up (-1: never)",
     OPTION_RANGE(-1, 10000, "a number of calls from -1 to 10000")},
    {"--max-age", "S", option_number, AT(max_age),
     "give up records that are older (-1: when they expire)",
     OPTION_RANGE(-1, 604800, "a number of seconds from -1 to 604800")},
    {"--on-failure", "FILE", option_text, AT(failure_file),
     "append a line of JSON for each batch that is given up", NULL},
    {.name = NULL},
};

static const struct option end_rows[] = {
    {"--once", NULL, option_flag, AT(once), "end when all existing records were handed over", NULL},
    {"--idle-exit", "S", option_number, AT(idle_exit), "end when no record came for S seconds",
     OPTION_RANGE(0, 86400, "a number of seconds from 0 to 86400")},
    {"--verbose", NULL, option_flag, AT(verbose), "a line for each call", NULL},
    {.name = NULL},
};

const struct option_group lambda_options_groups[] = {
    {"The stream", source_rows, 0},     {NULL, client_options_rows, 0},
    {"The function", function_rows, 0}, {"Failures", failure_rows, 0},
    {"The end", end_rows, 0},           {NULL, NULL, 0}};

const struct lambda_options lambda_options_default = {
    .timeout = 60, .batch_size = 100, .max_retries = -1, .max_age = -1, .idle_exit = -1};

const char *lambda_options_check(struct arena *a, void *options)
{
    const struct lambda_options *o = options;

    (void)a;
    if (o->table && o->stream_arn)
        return "--table and --stream-arn cannot both be given";
    if (!o->table && !o->stream_arn)
        return "which stream? --table or --stream-arn; --help shows how";
    if (o->command && o->url)
        return "--command and --invoke cannot both be given";
    return o->command || o->url ? NULL : "which function? --command or --invoke; --help shows how";
}
