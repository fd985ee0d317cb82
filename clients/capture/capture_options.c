#include "capture/capture_options.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/utf8.h"
#include "client/client_endpoint.h"
#include "common/options.h"
#include "wire/json.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>

#define LEAST_RATE 0.01 /* at this rate, reading one item takes a minute */

static const char usage[] =
    "usage: ddb-capture [options] --into FOLDER\n"
    "Reads chosen tables and items from a DynamoDB endpoint and writes a fixture folder, which\n"
    "mockddb --fixtures FOLDER loads. Nothing is ever written to the endpoint.\n"
    "\n"
    "  --into FOLDER         the folder to write; an unfinished run continues there\n"
    "  --table TABLE         the schema of this table, without items\n"
    "  --key TABLE=JSON      the item with this key\n"
    "  --keys TABLE=FILE     the items with these keys, one JSON object a line\n"
    "  --query JSON          all items of this Query, the input of its operation; @FILE: of a "
    "file\n"
    "  --all TABLE           all items of this table: you are asked twice, after an estimate\n"
    "  --sure TABLE          confirms --all TABLE without a terminal\n"
    "  --estimate            prints what --all would cost, and ends\n"
    "  --mask RULES          a file of rules that mask, hash, replace or drop attributes\n"
    "  --rate N              read units a second; default: 25\n"
    "  --endpoint URL        default: AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL,\n"
    "                        http://127.0.0.1:8000\n"
    "  --table-prefix P      names there begin with P; the folder has them without it\n"
    "  --region R            default: from AWS_REGION or the profile, else us-east-1\n"
    "  --profile NAME        keys from ~/.aws/credentials and ~/.aws/config\n"
    "  --help, --version\n"
    "\n"
    "What to read may be given several times. Exit status: 0 all was written, 1 it was not,\n"
    "2 the command line is wrong.\n";

enum code {
    CODE_INTO = 256,
    CODE_TABLE,
    CODE_KEY,
    CODE_KEYS,
    CODE_QUERY,
    CODE_ALL,
    CODE_SURE,
    CODE_ESTIMATE,
    CODE_MASK,
    CODE_RATE,
    CODE_ENDPOINT,
    CODE_PREFIX,
    CODE_REGION,
    CODE_PROFILE,
    CODE_HELP,
    CODE_VERSION,
};

static const struct option long_options[] = {
    {"into", required_argument, NULL, CODE_INTO},
    {"table", required_argument, NULL, CODE_TABLE},
    {"key", required_argument, NULL, CODE_KEY},
    {"keys", required_argument, NULL, CODE_KEYS},
    {"query", required_argument, NULL, CODE_QUERY},
    {"all", required_argument, NULL, CODE_ALL},
    {"sure", required_argument, NULL, CODE_SURE},
    {"estimate", no_argument, NULL, CODE_ESTIMATE},
    {"mask", required_argument, NULL, CODE_MASK},
    {"rate", required_argument, NULL, CODE_RATE},
    {"endpoint", required_argument, NULL, CODE_ENDPOINT},
    {"table-prefix", required_argument, NULL, CODE_PREFIX},
    {"region", required_argument, NULL, CODE_REGION},
    {"profile", required_argument, NULL, CODE_PROFILE},
    {"help", no_argument, NULL, CODE_HELP},
    {"version", no_argument, NULL, CODE_VERSION},
    {NULL, 0, NULL, 0},
};

/* --- what to read ----------------------------------------------------------------------------- */

/* Names of tables become names of files. */
static const char *check_table(struct arena *a, struct span name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!name.at[i] ||
            !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-",
                    name.at[i]))
            return arena_printf(a, "%.*s is not a table name", SPAN_ARG(name));
    return name.len && name.at[0] != '.' ? NULL : "a table name is needed";
}

static struct capture_job *add_job(struct capture_options *o, enum capture_what what,
                                   struct span table)
{
    o->jobs[o->job_count] = (struct capture_job){.what = what, .table = table};
    return &o->jobs[o->job_count++];
}

/* Splits TABLE=REST. */
static const char *split(struct arena *a, const char *word, struct span *table, struct span *rest)
{
    const char *equals = strchr(word, '=');

    *table = *rest = (struct span){"", 0};
    if (!equals)
        return arena_printf(a, "%s: TABLE=… is needed", word);
    *table = (struct span){word, (size_t)(equals - word)};
    *rest = span_of(equals + 1);
    return check_table(a, *table);
}

#define KEY "{\"pk\": {\"S\": \"a\"}}"

static bool read_key(struct arena *a, struct span text, const wire_node **out)
{
    return json_parse(a, text, out) && json_kind(*out) == JSON_OBJECT && wire_count(*out);
}

static const char *take_key(struct arena *a, struct capture_options *o, const char *word)
{
    struct capture_job *job;
    struct span table, text;
    const char *problem = split(a, word, &table, &text);

    if (problem)
        return problem;
    job = add_job(o, CAPTURE_KEYS, table);
    job->keys = arena_array(a, 1, sizeof *job->keys);
    job->key_count = 1;
    return read_key(a, text, &job->keys[0])
               ? NULL
               : arena_printf(a, "--key: %.*s is not a key such as " KEY, SPAN_ARG(text));
}

static bool is_blank(struct span line)
{
    size_t i = 0;

    while (i < line.len && ascii_is_blank(line.at[i]))
        i++;
    return i == line.len;
}

/* A file from Windows may begin with a byte order mark and have CRLF line ends. */
static const char *take_keys(struct arena *a, struct capture_options *o, const char *word)
{
    struct buf keys = buf_in(a);
    struct capture_job *job;
    struct span table, path, text;
    const char *problem = split(a, word, &table, &path);
    unsigned number = 0;

    if (problem)
        return problem;
    if (!file_read(a, path.at, &text))
        return file_error(a, path.at);
    text = utf8_skip_mark(text);
    while (text.len) {
        const char *end = span_find(text, '\n');
        struct span line = {text.at, end ? (size_t)(end - text.at) : text.len};
        const wire_node *key;

        text = span_from(text, end ? line.len + 1 : line.len);
        number++;
        if (is_blank(line))
            continue;
        if (!read_key(a, line, &key))
            return arena_printf(a, "%s:%u: no key, such as " KEY, path.at, number);
        buf_add(&keys, &key, sizeof key);
    }
    job = add_job(o, CAPTURE_KEYS, table);
    job->keys = (void *)keys.at;
    job->key_count = keys.len / sizeof *job->keys;
    return NULL;
}

/* A query must read whole items, from the first one. */
static const char *check_query(struct arena *a, const wire_node *query)
{
    static const char *const refused[] = {"ProjectionExpression", "AttributesToGet", "Select",
                                          "ExclusiveStartKey", "Limit"};

    for (size_t i = 0; i < COUNT(refused); i++)
        if (wire_get(query, refused[i]))
            return arena_printf(a, "--query: %s: items are read whole, and all of them",
                                refused[i]);
    if (wire_get(query, "ConsistentRead"))
        return "--query: ConsistentRead: reads are eventually consistent";
    return check_table(a, wire_text(wire_get(query, "TableName")));
}

static const char *take_query(struct arena *a, struct capture_options *o, const char *word)
{
    struct span text = span_of(word);
    const wire_node *query;
    const char *problem;

    if (*word == '@' && !file_read(a, word + 1, &text))
        return file_error(a, word + 1);
    if (!json_parse(a, text, &query) || json_kind(query) != JSON_OBJECT)
        return "--query takes the input of a Query, a JSON object";
    if ((problem = check_query(a, query)))
        return problem;
    add_job(o, CAPTURE_PAGES, wire_text(wire_get(query, "TableName")))->query = query;
    return NULL;
}

static const char *take_table(struct arena *a, struct capture_options *o, enum capture_what what,
                              const char *word)
{
    (void)add_job(o, what, span_of(word));
    return check_table(a, span_of(word));
}

/* --- words ------------------------------------------------------------------------------------ */

static const char *take_rate(struct arena *a, struct capture_options *o, const char *word)
{
    char *end;

    o->rate = strtod(word, &end);
    if (*word && !*end && isfinite(o->rate) && o->rate >= LEAST_RATE)
        return NULL;
    return arena_printf(a, "--rate: %s is not a number of at least %g", word, LEAST_RATE);
}

static const char *take_option(struct arena *a, struct capture_options *o, int code)
{
    const char **texts[] = {
        [CODE_INTO - CODE_INTO] = &o->folder,
        [CODE_MASK - CODE_INTO] = &o->rules_path,
        [CODE_ENDPOINT - CODE_INTO] = &o->aws.endpoint,
        [CODE_PREFIX - CODE_INTO] = &o->prefix,
        [CODE_REGION - CODE_INTO] = &o->aws.region,
        [CODE_PROFILE - CODE_INTO] = &o->aws.profile,
    };

    switch (code) {
    case CODE_TABLE:
        return take_table(a, o, CAPTURE_SCHEMA, optarg);
    case CODE_KEY:
        return take_key(a, o, optarg);
    case CODE_KEYS:
        return take_keys(a, o, optarg);
    case CODE_QUERY:
        return take_query(a, o, optarg);
    case CODE_ALL:
        return take_table(a, o, CAPTURE_WHOLE, optarg);
    case CODE_SURE:
        o->sure[o->sure_count++] = span_of(optarg);
        return NULL;
    case CODE_ESTIMATE:
        o->estimate = true;
        return NULL;
    case CODE_RATE:
        return take_rate(a, o, optarg);
    default:
        *texts[code - CODE_INTO] = optarg;
        return code == CODE_PREFIX ? options_no_prefix(a, optarg)
                                   : options_no_value(a, long_options, code, optarg);
    }
}

/* Adds the jobs, and all other options that change the output. */
static const char *note_plan(struct arena *a, struct capture_options *o, struct buf *plan)
{
    const struct client_endpoint_question which = {.option = o->aws.endpoint};
    struct span rules = {"", 0};
    const char *problem = client_endpoint_choose(a, "ddb-capture", &which, &o->aws.endpoint);
    bool is_default = !which.option && strcmp(o->aws.endpoint, CLIENT_ENDPOINT_DEFAULT) == 0;

    if (problem)
        return problem;
    if (o->rules_path && !file_read(a, o->rules_path, &rules))
        return file_error(a, o->rules_path);
    if (o->rules_path && (problem = mask_rules_parse(a, o->rules_path, rules, &o->rules)))
        return problem;
    /* by default nothing is added, so that the plan equals one of an older version */
    buf_printf(plan, "%s\n%s\n%s\n%s\n", is_default ? "" : o->aws.endpoint, o->prefix,
               o->aws.region ? o->aws.region : "", o->aws.profile ? o->aws.profile : "");
    buf_add_span(plan, rules);
    for (size_t i = 0; i < o->job_count; i++) {
        const struct capture_job *job = &o->jobs[i];

        buf_printf(plan, "\n%u %.*s", (unsigned)job->what, SPAN_ARG(job->table));
        for (size_t k = 0; k < job->key_count; k++)
            json_write(plan, job->keys[k]);
        if (job->query)
            json_write(plan, job->query);
    }
    o->plan = buf_span(plan);
    return NULL;
}

static bool has_whole(const struct capture_options *o)
{
    size_t i = 0;

    while (i < o->job_count && o->jobs[i].what != CAPTURE_WHOLE)
        i++;
    return i < o->job_count;
}

static const char *check_options(struct arena *a, const struct capture_options *o)
{
    if (!o->folder && !o->estimate)
        return "--into FOLDER is needed; --help shows how";
    if (!o->job_count)
        return "nothing to read: give --table, --key, --keys, --query, --all";
    if (o->estimate && !has_whole(o))
        return "--estimate needs --all TABLE";
    for (size_t i = 0; i < o->sure_count; i++) {
        size_t k = 0;

        while (k < o->job_count &&
               !(o->jobs[k].what == CAPTURE_WHOLE && span_equal(o->jobs[k].table, o->sure[i])))
            k++;
        if (k == o->job_count)
            return arena_printf(a, "--sure %.*s needs --all TABLE with the same table",
                                SPAN_ARG(o->sure[i]));
    }
    return NULL;
}

const char *capture_options_read(struct arena *a, int argc, char **argv,
                                 struct capture_options *out, const char **answer)
{
    struct buf plan = buf_in(a);
    const char *problem;
    int code;

    *out = (struct capture_options){
        .prefix = "",
        .rate = 25,
        .jobs = arena_array(a, (size_t)argc, sizeof *out->jobs),
        .sure = arena_array(a, (size_t)argc, sizeof *out->sure),
    };
    opterr = 0;
    while ((code = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if ((problem = options_fault(a, code, argv)))
            return problem;
        if (code == CODE_HELP || code == CODE_VERSION) {
            *answer = code == CODE_HELP ? usage : "ddb-capture " MOCKDDB_VERSION "\n";
            return NULL;
        }
        if ((problem = take_option(a, out, code)))
            return problem;
    }
    if (optind < argc)
        return arena_printf(a, "unexpected word %s; --help lists the options", argv[optind]);
    if ((problem = check_options(a, out)))
        return problem;
    return note_plan(a, out, &plan);
}
