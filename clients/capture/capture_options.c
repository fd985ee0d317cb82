#include "capture/capture_options.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/cut.h"
#include "base/file.h"
#include "base/one_more.h"
#include "base/utf8.h"
#include "client/client_prefix.h"
#include "ops/transfer/transfer_look.h"
#include "wire/json.h"

#include <float.h>

/* --- what to read ----------------------------------------------------------------------------- */

/* Names of tables become names of files. */
static const char *check_table(struct arena *a, struct span name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!ascii_is_word(name.at[i]) && !ascii_is_one_of(name.at[i], ".-"))
            return arena_printf(a, "%.*s is not a table name", SPAN_ARG(name));
    return name.len && name.at[0] != '.' ? NULL : "a table name is needed";
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

static const char *read_key_job(struct arena *a, struct capture_job *job)
{
    struct span text;
    const char *problem = split(a, job->text, &job->table, &text);

    if (problem)
        return problem;
    job->keys = arena_array(a, 1, sizeof *job->keys);
    job->key_count = 1;
    return read_key(a, text, &job->keys[0])
               ? NULL
               : arena_printf(a, "--key: %.*s is not a key such as " KEY, SPAN_ARG(text));
}

/* A file from Windows may begin with a byte order mark and have CRLF line ends. */
static const char *read_keys_job(struct arena *a, struct capture_job *job)
{
    struct buf keys = buf_in(a);
    struct span path, text;
    const char *problem = split(a, job->text, &job->table, &path);
    unsigned number = 0;

    if (problem)
        return problem;
    if (!file_read(a, path.at, &text))
        return file_error(a, path.at);
    text = utf8_skip_mark(text);
    while (text.len) {
        struct span line = cut_part(&text, '\n');
        const wire_node *key;

        number++;
        if (transfer_look_past_blanks(line, 0) == line.len)
            continue;
        if (!read_key(a, line, &key))
            return arena_printf(a, "%s:%u: no key, such as " KEY, path.at, number);
        buf_add(&keys, &key, sizeof key);
    }
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

static const char *read_query_job(struct arena *a, struct capture_job *job)
{
    struct span text = span_of(job->text);

    if (*job->text == '@' && !file_read(a, job->text + 1, &text))
        return file_error(a, job->text + 1);
    if (!json_parse(a, text, &job->query) || json_kind(job->query) != JSON_OBJECT)
        return "--query takes the input of a Query, a JSON object";
    job->table = wire_text(wire_get(job->query, "TableName"));
    return check_query(a, job->query);
}

static const char *read_table_job(struct arena *a, struct capture_job *job)
{
    job->table = span_of(job->text);
    return check_table(a, job->table);
}

/* --- options ---------------------------------------------------------------------------------- */

/* The options that say what to read, and how their values are read. */
static const struct job_form {
    enum capture_what what;
    const char *(*read)(struct arena *a, struct capture_job *job);
} job_forms[] = {{CAPTURE_SCHEMA, read_table_job},
                 {CAPTURE_KEYS, read_key_job},
                 {CAPTURE_KEYS, read_keys_job},
                 {CAPTURE_PAGES, read_query_job},
                 {CAPTURE_WHOLE, read_table_job}};

static const char *take_job(const struct option_value *v)
{
    struct capture_options *o = v->into;

    *v->adds = true;
    o->jobs = one_more(v->arena, o->jobs, o->job_count, sizeof *o->jobs);
    o->jobs[o->job_count++] = (struct capture_job){.form = v->option->at, .text = v->text};
    return NULL;
}

#define AT(member) offsetof(struct capture_options, member)

static const struct option what_rows[] = {
    {"--into", "FOLDER", option_text, AT(folder),
     "the folder to write; an unfinished run continues there", NULL},
    {"--table", "TABLE", take_job, 0, "the schema of this table, without items", NULL},
    {"--key", "TABLE=JSON", take_job, 1, "the item with this key", NULL},
    {"--keys", "TABLE=FILE", take_job, 2, "the items with these keys, one JSON object a line",
     NULL},
    {"--query", "JSON", take_job, 3,
     "all items of this Query, the input of its operation; @FILE: of a file", NULL},
    {"--all", "TABLE", take_job, 4,
     "all items of this table: you are asked twice, after an estimate", NULL},
    {"--sure", "TABLE", option_list, AT(sure), "confirms --all TABLE without a terminal", NULL},
    {"--estimate", NULL, option_flag, AT(estimate), "prints what --all would cost, and ends", NULL},
    {"--mask", "RULES", option_text, AT(rules_path),
     "a file of rules that mask, hash, replace or drop attributes", NULL},
    {"--rate", "N", option_decimal, AT(rate), "read units a second (25)",
     OPTION_RANGE(0.01, DBL_MAX, "a number of at least 0.01")},
    {"--table-prefix", "P", client_prefix_take, AT(prefix),
     "names there begin with P; the folder has them without it", NULL},
    {.name = NULL},
};

const struct option_group capture_options_groups[] = {
    {"Options; what to read may be given several times", what_rows, 0},
    {NULL, client_options_rows, 0},
    {NULL, NULL, 0}};

const struct capture_options capture_options_default = {.prefix = "", .rate = 25};

/* Adds the jobs, and all other options that change the output. */
static const char *note_plan(struct arena *a, struct capture_options *o)
{
    struct buf plan = buf_in(a);
    const struct client_endpoint_question which = {.option = o->at.endpoint};
    struct span rules = {"", 0};
    const char *problem = client_endpoint_choose(a, "ddb-capture", &which, &o->at.endpoint);
    bool is_default = !which.option && strcmp(o->at.endpoint, CLIENT_ENDPOINT_DEFAULT) == 0;

    if (problem)
        return problem;
    if (o->rules_path && !file_read(a, o->rules_path, &rules))
        return file_error(a, o->rules_path);
    if (o->rules_path &&
        (problem = problem_text(a, mask_rules_parse(a, o->rules_path, rules, &o->rules))))
        return problem;
    /* by default nothing is added, so that the plan equals one of an older version */
    buf_printf(&plan, "%s\n%s\n%s\n%s\n", is_default ? "" : o->at.endpoint, o->prefix,
               o->at.region ? o->at.region : "", o->at.profile ? o->at.profile : "");
    buf_add_span(&plan, rules);
    for (size_t i = 0; i < o->job_count; i++) {
        const struct capture_job *job = &o->jobs[i];

        buf_printf(&plan, "\n%u %.*s", (unsigned)job->what, SPAN_ARG(job->table));
        for (size_t k = 0; k < job->key_count; k++)
            json_write(&plan, job->keys[k]);
        if (job->query)
            json_write(&plan, job->query);
    }
    o->plan = buf_span(&plan);
    return NULL;
}

static bool has_whole(const struct capture_options *o, const char *table)
{
    size_t i = 0;

    while (i < o->job_count &&
           !(o->jobs[i].what == CAPTURE_WHOLE && (!table || span_is(o->jobs[i].table, table))))
        i++;
    return i < o->job_count;
}

const char *capture_options_check(struct arena *a, void *options)
{
    struct capture_options *o = options;
    const char *problem;

    for (size_t i = 0; i < o->job_count; i++) {
        o->jobs[i].what = job_forms[o->jobs[i].form].what;
        if ((problem = job_forms[o->jobs[i].form].read(a, &o->jobs[i])))
            return problem;
    }
    if (!o->folder && !o->estimate)
        return "--into FOLDER is needed; --help shows how";
    if (!o->job_count)
        return "nothing to read: give --table, --key, --keys, --query, --all";
    if (o->estimate && !has_whole(o, NULL))
        return "--estimate needs --all TABLE";
    for (size_t i = 0; i < o->sure.count; i++)
        if (!has_whole(o, o->sure.at[i]))
            return arena_printf(a, "--sure %s needs --all TABLE with the same table",
                                o->sure.at[i]);
    return note_plan(a, o);
}
