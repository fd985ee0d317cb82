#include "awscli/awscli_command.h"

#include <errno.h>
#include <stdlib.h>

#include "awscli/awscli_check.h"
#include "awscli/awscli_options.h"
#include "awscli/awscli_usage.h"
#include "awscli/awscli_value.h"
#include "awscli/awscli_why.h"
#include "base/dashed.h"
#include "base/one_more.h"

/* The words given for an option; the last occurrence counts. */
struct given {
    const struct awscli_option *option;
    const char **words; /* up to a NULL */
};

struct command_reader {
    struct arena *arena;
    struct awscli_command *out;
    enum awscli_files files;
    struct awscli_options options;
    char *const *words; /* the words that are left */
    struct given *given;
    size_t count;
    struct buf unknown, stray; /* as the message lists them */
    bool no_paginate;
    const char *input; /* the value of --cli-input-json */
};

/* --- words ------------------------------------------------------------------------------------ */

static void add_name(struct buf *list, const char *word)
{
    buf_printf(list, "%s%s", list->len ? ", " : "", word);
}

static struct given *given_for(struct command_reader *r, const struct awscli_option *option)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->given[i].option->member && r->given[i].option->member == option->member)
            return &r->given[i];
    r->given = one_more(r->arena, r->given, r->count, sizeof *r->given);
    return &r->given[r->count++];
}

/* Whether the next word is a value, not an option. */
static bool is_value(struct command_reader *r, const char *word)
{
    const struct awscli_option *option;
    const char *value;

    return word && !awscli_options_look_like(word) &&
           !awscli_options_find(r->arena, &r->options, word, &option, &value) && !option;
}

/* Takes the words that belong to an option; `value` is the text after its "=". */
static const struct problem *take_words(struct command_reader *r,
                                        const struct awscli_option *option, const char *value,
                                        const char ***out)
{
    size_t count = 0;
    const char **words;

    while (is_value(r, r->words[count]))
        count++;
    words = arena_array(r->arena, count + 2, sizeof *words);
    *out = words;
    if (option->takes == AWSCLI_NOTHING)
        return value ? awscli_usage_error(r->arena, "argument %s: ignored explicit argument '%s'",
                                          option->name, value)
                     : NULL;
    if (value) {
        words[0] = value;
        return NULL;
    }
    if (option->takes == AWSCLI_ONE && !count)
        return awscli_usage_error(r->arena, "argument %s: expected one argument", option->name);
    if (option->takes == AWSCLI_ONE)
        count = 1;
    for (size_t i = 0; i < count; i++)
        words[i] = *r->words++;
    return NULL;
}

static const struct problem *read_count(struct command_reader *r, const char *option,
                                        const char *word, int64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoll(word, &end, 10);
    if (end == word || *end || errno)
        return awscli_usage_error(r->arena, "argument %s: invalid int value: '%s'", option, word);
    return NULL;
}

static const struct problem *take_output(struct command_reader *r, const char *word)
{
    static const char *const names[] = {[AWSCLI_JSON] = "json",
                                        [AWSCLI_TEXT] = "text",
                                        [AWSCLI_TABLE] = "table",
                                        [AWSCLI_YAML] = "yaml"};

    for (size_t i = 0; i < COUNT(names); i++) {
        if (strcmp(word, names[i]) == 0) {
            r->out->output = (enum awscli_output)i;
            return NULL;
        }
    }
    return awscli_usage_error(r->arena,
                              "argument --output: %s is not known here; valid choices are: json, "
                              "text, table, yaml",
                              word);
}

/* The CLI notices a problem of a function only behind the answer; here nothing is sent then. */
static const struct problem *take_query(struct command_reader *r, const char *text)
{
    const char *form, *function;

    form = jmespath_parse(r->arena, span_of(text), &r->out->query, &function);
    if (form)
        return problem_invalid(r->arena, "Bad value for --query %s: %s", text, form);
    return function ? problem_new(r->arena, PROBLEM_FAILED, "%s", function) : NULL;
}

static const struct problem *take_option(struct command_reader *r,
                                         const struct awscli_option *option, const char *value)
{
    const struct problem *problem;
    const char **words;
    struct given *given;

    if ((problem = take_words(r, option, value, &words)))
        return problem;
    switch (option->meaning) {
    case AWSCLI_MEMBER:
    case AWSCLI_YES:
    case AWSCLI_NO:
        given = given_for(r, option);
        *given = (struct given){option, words};
        return NULL;
    case AWSCLI_UNKNOWN_HERE:
        return awscli_usage_error(r->arena, "argument %s: not known here, leave it out",
                                  option->name);
    case AWSCLI_QUERY:
        return take_query(r, words[0]);
    case AWSCLI_OUTPUT:
        return take_output(r, words[0]);
    case AWSCLI_ENDPOINT:
        r->out->endpoint_url = words[0];
        return NULL;
    case AWSCLI_NO_PAGINATE:
        r->no_paginate = true;
        return NULL;
    case AWSCLI_INPUT_JSON:
        r->input = words[0];
        return NULL;
    case AWSCLI_MAX_ITEMS:
        r->out->has_max_items = true;
        return read_count(r, option->name, words[0], &r->out->max_items);
    case AWSCLI_PAGE_SIZE:
        r->out->has_page_size = true;
        return read_count(r, option->name, words[0], &r->out->page_size);
    case AWSCLI_STARTING_TOKEN:
        r->out->starting_token = words[0];
        return NULL;
    case AWSCLI_IGNORED:
    default:
        return NULL;
    }
}

/* Reads the option at the next word, with its values; *done is false if it is not an option. */
static const struct problem *read_option(struct command_reader *r, bool *done)
{
    const struct awscli_option *option;
    const struct problem *problem;
    const char *value;

    *done = false;
    if ((problem = awscli_options_find(r->arena, &r->options, *r->words, &option, &value)) ||
        !option)
        return problem;
    r->words++;
    *done = true;
    return take_option(r, option, value);
}

/* Reads options up to the next other word, which is *word; NULL at the end. */
static const struct problem *read_word(struct command_reader *r, const char **word)
{
    const struct problem *problem;
    bool done;

    *word = NULL;
    while (*r->words) {
        if ((problem = read_option(r, &done)))
            return problem;
        if (done)
            continue;
        *word = *r->words++;
        return NULL;
    }
    return NULL;
}

/* --- which operation -------------------------------------------------------------------------- */

static const char *command_name(struct arena *a, const struct op *op)
{
    struct buf name = buf_in(a);

    dashed_add(&name, span_of(op->name));
    return buf_text(&name);
}

static const struct problem *refuse_operation(struct arena *a, enum op_service service)
{
    struct buf list = buf_in(a);
    size_t i = 0;

    for (; op_at(service, i); i++)
        buf_printf(&list, "%s%-40s",
                   !i      ? ""
                   : i % 2 ? " | "
                           : "\n",
                   command_name(a, op_at(service, i)));
    return awscli_usage_error(a, "argument operation: Invalid choice, valid choices are:\n\n%s",
                              buf_text(&list));
}

static const struct problem *find_operation(struct command_reader *r, enum op_service service,
                                            const char *word)
{
    for (size_t i = 0; op_at(service, i); i++) {
        r->out->op = op_at(service, i);
        r->out->name = command_name(r->arena, r->out->op);
        if (strcmp(r->out->name, word) == 0)
            return NULL;
    }
    r->out->op = NULL;
    return refuse_operation(r->arena, service);
}

static const struct problem *read_operation(struct command_reader *r)
{
    const struct problem *problem;
    const char *service, *word;
    enum op_service which;

    if ((problem = read_word(r, &service)))
        return problem;
    if (!service)
        return awscli_usage_error(r->arena, "the following arguments are required: command");
    if (strcmp(service, "dynamodb") != 0 && strcmp(service, "dynamodbstreams") != 0)
        return awscli_usage_error(r->arena,
                                  "argument command: Invalid choice, valid choices are:\n\n"
                                  "%-40s | %-40s",
                                  "dynamodb", "dynamodbstreams");
    which = strcmp(service, "dynamodb") == 0 ? OP_DYNAMODB : OP_STREAMS;
    if ((problem = read_word(r, &word)))
        return problem;
    if (!word)
        return awscli_usage_error(r->arena, "the following arguments are required: operation");
    if (which == OP_DYNAMODB && strcmp(word, "wait") == 0) {
        /* "wait table-exists" has the options of describe-table. */
        if ((problem = read_word(r, &word)))
            return problem;
        if (word && strcmp(word, "table-exists") == 0)
            r->out->wait = AWSCLI_TABLE_EXISTS;
        else if (word && strcmp(word, "table-not-exists") == 0)
            r->out->wait = AWSCLI_TABLE_NOT_EXISTS;
        else
            return awscli_usage_error(r->arena,
                                      "argument subcommand: Invalid choice, valid choices are:\n\n"
                                      "%-40s | %-40s",
                                      "table-exists", "table-not-exists");
        return find_operation(r, OP_DYNAMODB, "describe-table");
    }
    return find_operation(r, which, word);
}

/* --- the request ------------------------------------------------------------------------------ */

static const struct problem *read_options(struct command_reader *r)
{
    const struct problem *problem;
    bool unknown = false, done;

    r->options = awscli_options_of(r->arena, r->out->op);
    while (*r->words) {
        if ((problem = read_option(r, &done)))
            return problem;
        unknown = !done && (unknown || awscli_options_look_like(*r->words));
        if (!done)
            add_name(unknown ? &r->unknown : &r->stray, *r->words++);
    }
    return NULL;
}

static bool is_given(const struct command_reader *r, struct span name)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->given[i].option->member && span_is(name, r->given[i].option->member->name))
            return true;
    return false;
}

static const struct problem *check_required(struct command_reader *r)
{
    struct buf missing = buf_in(r->arena);

    for (size_t i = 0; i < r->options.len && !r->input; i++) {
        const struct awscli_option *o = &r->options.at[i];

        if (o->meaning != AWSCLI_NO && o->member && awscli_shape_requires(r->out->op, o->member) &&
            !is_given(r, span_of(o->member->name)))
            add_name(&missing, o->name);
    }
    if (missing.len)
        return awscli_usage_error(r->arena, "the following arguments are required: %s",
                                  buf_text(&missing));
    if (r->unknown.len && r->stray.len)
        buf_add_text(&r->unknown, ", ");
    buf_add_span(&r->unknown, buf_span(&r->stray));
    return r->unknown.len ? awscli_usage_unknown(r->arena, buf_text(&r->unknown)) : NULL;
}

/* Adds members of --cli-input-json that no option has set. */
static const struct problem *add_input(struct command_reader *r, struct buf *out)
{
    const struct problem *problem;
    const wire_node *input;

    if ((problem = awscli_value_object(r->arena, r->files, "cli-input-json", r->input, &input)))
        return problem;
    for (const wire_node *n = wire_first(input); n; n = wire_next(n)) {
        if (is_given(r, wire_name(n)))
            continue;
        buf_add_text(out, out->len > 1 ? ", " : "");
        buf_add_json_string(out, wire_name(n));
        buf_add_text(out, ": ");
        json_write(out, n);
    }
    return NULL;
}

static bool has_member(const struct command_reader *r, const char *name)
{
    const wire_node *request;

    return name && json_parse(r->arena, r->out->request, &request) &&
           json_member(request, span_of(name));
}

/* Adds the idempotency tokens that the caller did not give. */
static void add_tokens(struct command_reader *r, struct buf *out)
{
    struct clock *clock = clock_new_system();

    for (const struct wire_member *m = op_members(r->arena, r->out->op); m && m->name; m++) {
        if (!m->shape->client_fills || has_member(r, m->name))
            continue;
        out->len--; /* remove the brace */
        buf_printf(out, "%s\"%s\": \"%s\"}", out->len > 1 ? ", " : "", m->name,
                   clock_uuid(clock, r->arena));
    }
    clock_free(clock);
    r->out->request = buf_span(out);
}

static const struct problem *build_request(struct command_reader *r)
{
    const struct problem *problem;
    struct buf out = buf_in(r->arena);
    const wire_node *request;

    buf_add_char(&out, '{');
    for (size_t i = 0; i < r->count; i++) {
        const struct awscli_option *o = r->given[i].option;

        buf_printf(&out, "%s\"%s\": ", i ? ", " : "", o->member->name);
        if (o->meaning != AWSCLI_MEMBER)
            buf_add_text(&out, o->meaning == AWSCLI_YES ? "true" : "false");
        else if ((problem = awscli_value_add(&out, r->files, o->name, o->member->shape,
                                             r->given[i].words)))
            return problem;
    }
    if (r->input && (problem = add_input(r, &out)))
        return problem;
    buf_add_char(&out, '}');
    r->out->request = buf_span(&out);
    add_tokens(r, &out);
    if (!json_parse(r->arena, r->out->request, &request))
        return problem_new(r->arena, PROBLEM_FAILED, "an option is not valid UTF-8");
    if ((problem = awscli_check(r->arena, r->out->op, request)))
        return problem;
    out = buf_in(r->arena);
    awscli_check_send(&out, r->out->op, request);
    r->out->request = buf_span(&out);
    return NULL;
}

/* --- pages ------------------------------------------------------------------------------------ */

static const struct problem *settle_pages(struct command_reader *r)
{
    const struct op_paging *paging = r->out->op->paging;
    struct awscli_command *c = r->out;
    struct buf used = buf_in(r->arena);

    c->all_pages = paging && !r->no_paginate && !has_member(r, paging->input_token) &&
                   !has_member(r, paging->limit);
    if (!paging || c->all_pages)
        return NULL;
    if (c->starting_token)
        add_name(&used, "--starting-token");
    if (c->page_size)
        add_name(&used, "--page-size");
    if (c->max_items)
        add_name(&used, "--max-items");
    return used.len ? problem_invalid(r->arena,
                                      "Cannot specify --no-paginate along with pagination "
                                      "arguments: %s",
                                      buf_text(&used))
                    : NULL;
}

const struct problem *awscli_command_read(struct arena *a, char *const *words,
                                          enum awscli_files files, struct awscli_command *out)
{
    const struct problem *problem;
    struct command_reader r = {.arena = a,
                               .out = out,
                               .files = files,
                               .unknown = buf_in(a),
                               .stray = buf_in(a),
                               .words = words + 1};

    *out = (struct awscli_command){.op = NULL};
    r.options = awscli_options_of(a, NULL);
    if ((problem = read_operation(&r)) || (problem = read_options(&r)) ||
        (problem = check_required(&r)) || (problem = build_request(&r)))
        return problem_because(a, problem, awscli_why(a, words, out->op));
    return settle_pages(&r);
}
