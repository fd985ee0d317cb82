/* try: runs an AWS CLI command, typed as for the real service, or a PartiQL statement, on a mockddb
 * server: prints what the AWS CLI would print, and explains the result. */
#include "awscli/awscli_print.h"
#include "awscli/awscli_shell.h"
#include "awscli/awscli_why.h"
#include "base/cut.h"
#include "base/cycle.h"
#include "base/file.h"
#include "base/terminal.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "commands/endpoint_options.h"
#include "commands/try_door.h"
#include "moving/moving_text.h"
#include "templates/template_params.h"
#include "wire/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <time.h>

#define POLL_MS  100 /* while waiting */
#define POLL_MAX 5000

static const struct option rows[] = {
    {"--fixtures", "NAME|PATH", option_list, offsetof(struct try_options, fixtures.names),
     "use these tables and items, not a server; may be repeated", NULL},
    {"--table-prefix", "P", option_text, offsetof(struct try_options, fixtures.table_prefix),
     "goes in front of the fixtures' table names", NULL},
    {"--param", "NAME=VALUE", option_pair, offsetof(struct try_options, fixtures.params),
     TEMPLATE_PARAMS_HELP, NULL},
    {"--calls-a-day", "N", option_number, offsetof(struct try_options, calls_a_day),
     "say what a read costs a day with N calls",
     OPTION_RANGE(1, 1e12, "a number from 1 to 1000000000000")},
    {"--yes", NULL, option_flag, offsetof(struct try_options, yes),
     "write to a server elsewhere without asking", NULL},
    {.name = NULL},
};

static const struct try_options defaults = {.fixtures.table_prefix = ""};

/* --- asking ----------------------------------------------------------------------------------- */

/* As the CLI does: an empty line, then the error. */
static int report(const char *text, int status)
{
    terminal_say("\n%s\n", text);
    return status;
}

static int print_problem(const struct problem *p)
{
    if (p->hint)
        terminal_say("why: %s\n", p->hint);
    return report(p->text, p->kind == PROBLEM_INVALID ? AWSCLI_MISUSE : AWSCLI_FAILED);
}

static void say_explanation(struct span text)
{
    if (text.len)
        terminal_say("%.*s%s", SPAN_ARG(text), text.at[text.len - 1] == '\n' ? "" : "\n");
}

/* Asks for one page. An error is explained and printed. */
static int ask_page(struct try_door *door, struct arena *a, const struct awscli_command *c,
                    struct span request, struct client_answer *out,
                    struct try_explanation *explanation)
{
    const char *problem = try_door_ask(door, a, c->op, request, out, explanation);

    if (problem)
        return report(problem, AWSCLI_FAILED);
    if (!out->error_type.len)
        return EXIT_SUCCESS;
    say_explanation(explanation->text);
    return report(awscli_print_error(a, c->op, out->error_type, out->message), AWSCLI_REFUSED);
}

static int wait_for(struct try_door *door, struct arena *a, const struct awscli_command *c)
{
    const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    struct client_answer answer;
    struct try_explanation explanation;
    const char *problem;

    for (int i = 0; i < POLL_MAX; i++) {
        struct arena_mark mark = arena_mark(a);
        struct span status;
        bool is_absent;

        if ((problem = try_door_ask(door, a, c->op, c->request, &answer, &explanation)))
            return report(problem, AWSCLI_FAILED);
        is_absent = span_is(answer.error_type, "ResourceNotFoundException");
        status = wire_text(wire_get(wire_get(answer.body, "Table"), "TableStatus"));
        if (c->wait == AWSCLI_TABLE_NOT_EXISTS ? is_absent : span_is(status, "ACTIVE"))
            return EXIT_SUCCESS;
        if (answer.error_type.len && !is_absent)
            return report(awscli_print_error(a, c->op, answer.error_type, answer.message),
                          AWSCLI_FAILED);
        arena_release(a, mark);
        (void)nanosleep(&pause, NULL);
    }
    return report("Waiter failed: Max attempts exceeded", AWSCLI_FAILED);
}

/* Totals of all pages, and the explanations of two of them. */
struct totals {
    size_t pages;
    int64_t read, returned;
    struct try_explanation first, last; /* last: of the last page that read anything */
};

static void add_page(struct totals *t, const wire_node *answer,
                     const struct try_explanation *explanation)
{
    int64_t read = wire_integer(wire_get(answer, "ScannedCount"), 0);

    if (!t->pages++)
        t->first = *explanation;
    if (read)
        t->last = *explanation;
    t->read += read;
    t->returned += wire_integer(wire_get(answer, "Count"), 0);
}

/* Whether a line is part of the reason, with which a text begins. */
static bool is_of_reason(struct span line, bool *in_reason)
{
    static const char *const of_reason[] = {"  ", "try: "};
    bool is_it = span_starts_with(line, SPAN_LIT("why: "));

    for (size_t i = 0; *in_reason && !is_it && i < COUNT(of_reason); i++)
        is_it = span_starts_with(line, span_of(of_reason[i]));
    *in_reason = is_it;
    return is_it;
}

/* Whether a line says that more pages follow, which try asks for by itself. */
static bool is_of_page(struct span line)
{
    static const char *const begins[] = {
        "  other pages follow: ", "  there is more: ", "hint[limit-before-filter]: "};

    for (size_t i = 0; i < COUNT(begins); i++)
        if (span_starts_with(line, span_of(begins[i])))
            return true;
    return false;
}

static void say_page(struct span text, bool with_reason)
{
    bool in_reason = false;

    while (text.len) {
        struct span line = cut_part(&text, '\n');

        if ((with_reason || !is_of_reason(line, &in_reason)) && !is_of_page(line))
            terminal_say("%.*s\n", SPAN_ARG(line));
    }
}

/* Why one page gave nothing is of interest only if all of them did. */
static void explain_pages(const struct totals *t)
{
    struct span first = t->first.text;

    if (t->pages == 1)
        say_explanation(first);
    else if (t->returned || !t->first.page_ended || t->last.page_ended)
        say_page(first, !t->returned && !t->first.page_ended);
    else {
        say_page(t->last.text, true);
        while (first.len) { /* where --calls-a-day counts all pages */
            struct span line = cut_part(&first, '\n');

            if (span_starts_with(line, SPAN_LIT("note[cost-a-day]: ")))
                terminal_say("%.*s\n", SPAN_ARG(line));
        }
    }
}

static bool is_filtered(struct arena *a, const struct awscli_command *c)
{
    static const char *const members[] = {"FilterExpression", "QueryFilter", "ScanFilter"};
    const wire_node *request;
    bool found = false;

    for (size_t i = 0; json_parse(a, c->request, &request) && i < COUNT(members); i++)
        found = found || wire_get(request, members[i]);
    return found;
}

/* Items that --max-items hides were read and paid for. */
static void note_hidden(struct arena *a, const struct awscli_command *c,
                        const struct awscli_pages *pages)
{
    long long hidden = awscli_pages_hidden_count(pages), shown = c->max_items;

    if (!hidden || !c->op || !(c->op->form & (OP_QUERY | OP_SCAN)))
        return;
    if (is_filtered(a, c))
        (void)fprintf(
            stderr,
            "note[max-items]: %lld items fit the filter, and %lld of them %s shown: --limit counts "
            "items before the filter, so it does not replace --max-items here\n",
            hidden + shown, shown, shown == 1 ? "is" : "are");
    else
        (void)fprintf(stderr,
                      "note[max-items]: %lld items were read to show %lld: --limit %lld reads no "
                      "more than that\n",
                      hidden + shown, shown, shown);
}

static int run_command(struct try_door *door, struct arena *a, const struct awscli_command *c)
{
    const struct problem *p;
    struct awscli_pages *pages;
    struct cycle requests = {0};
    struct totals totals = {.pages = 0};
    struct buf out = buf_in(a);
    const char *problem;
    int status;
    bool more;

    if ((problem = try_door_turn(door, a, c->op, c->request, c->endpoint_url)))
        return report(problem, AWSCLI_FAILED);
    if (c->wait)
        return wait_for(door, a, c);
    if ((p = awscli_pages_new(a, c, &pages)))
        return print_problem(p);
    do {
        struct span request = awscli_pages_request(pages);
        struct client_answer answer;
        struct try_explanation explanation;

        if (cycle_closes(&requests, request)) /* the CLI's message */
            return report("Error during pagination: The same next token was received twice",
                          AWSCLI_FAILED);
        if ((status = ask_page(door, a, c, request, &answer, &explanation)))
            return status;
        more = awscli_pages_take(pages, answer.body);
        add_page(&totals, answer.body, &explanation);
    } while (more);
    explain_pages(&totals);
    if (totals.pages > 1 && totals.read)
        terminal_say("all %zu pages: %lld items read, %lld returned\n", totals.pages,
                     (long long)totals.read, (long long)totals.returned);
    note_hidden(a, c, pages);
    problem = awscli_print(&out, c, pages);
    if (!terminal_write(stdout, buf_span(&out)) || fflush(stdout))
        return command_fail("standard output cannot be written", AWSCLI_FAILED);
    return problem ? report(problem, AWSCLI_FAILED) : EXIT_SUCCESS;
}

/* --- what is asked ---------------------------------------------------------------------------- */

#define TAKES "try takes aws dynamodb COMMAND …, one PartiQL statement in quotes, or - for a paste"

/* `number` is the command's place in a paste of several, else 0. */
static int read_words(struct arena *a, char *const *words, size_t number,
                      struct awscli_command *out)
{
    const char *where = number ? arena_printf(a, "command %zu of the paste: ", number) : "";
    const struct problem *p;
    const char *why;

    *out = (struct awscli_command){.op = NULL};
    while (*words && strchr(*words, '=') && **words != '-')
        words++; /* NAME=value before a command, as in a shell, has no effect here */
    if (*words && strcmp(*words, "aws") != 0 && (why = awscli_why(a, words, NULL)))
        terminal_say("why: %s\n", why);
    if (!*words || strcmp(*words, "aws") != 0)
        return command_fail(number ? arena_printf(a, "%s%s: " TAKES, where, *words ? *words : "")
                                   : TAKES,
                            EXIT_USAGE);
    if (!(p = awscli_command_read(a, words, AWSCLI_FILES, out)))
        return EXIT_SUCCESS;
    if (number)
        terminal_say("mockddb: %snothing was run\n", where);
    return print_problem(p);
}

static int run_words(struct try_door *door, struct arena *a, char *const *words)
{
    struct awscli_command c;
    int status = read_words(a, words, 0, &c);

    return status ? status : run_command(door, a, &c);
}

static int run_paste(struct try_door *door, struct arena *a, struct span text)
{
    const char *problem = awscli_why_no_command(arena_text(a, text));
    struct awscli_command *commands;
    struct awscli_lines lines;
    int status = EXIT_SUCCESS;

    if (!problem)
        problem = awscli_shell_read(a, text, getenv("HOME"), &lines);
    if (problem)
        return command_fail(problem, EXIT_USAGE);
    if (!lines.len)
        return command_fail("there is no command to try", EXIT_USAGE);
    commands = arena_array(a, lines.len, sizeof *commands);
    for (size_t i = 0; i < lines.len && !status;
         i++) /* all commands are parsed before the first one runs */
        status = read_words(a, lines.at[i], lines.len > 1 ? i + 1 : 0, &commands[i]);
    for (size_t i = 0; i < lines.len && !status; i++)
        status = run_command(door, a, &commands[i]);
    return status;
}

static bool is_statement(const char *text)
{
    static const char *const words[] = {"SELECT", "INSERT", "UPDATE", "DELETE", "EXISTS"};
    const char *start = text + strspn(text, " \t\r\n");

    for (size_t i = 0; i < COUNT(words); i++) {
        size_t len = strlen(words[i]);

        if (strncasecmp(start, words[i], len) == 0 && strchr(" \t\r\n(", start[len]))
            return true;
    }
    return false;
}

static int run_statement(struct try_door *door, struct arena *a, const char *text)
{
    static const char *const line[] = {"aws", "dynamodb", "execute-statement", "--statement"};
    char *words[COUNT(line) + 2] = {NULL};

    for (size_t i = 0; i < COUNT(line); i++)
        words[i] = arena_text(a, span_of(line[i]));
    words[COUNT(line)] = arena_text(a, span_of(text));
    return run_words(door, a, words);
}

static int run_text(struct try_door *door, struct arena *a, struct span text)
{
    const char *line = arena_text(a, text);

    return is_statement(line) ? run_statement(door, a, line) : run_paste(door, a, text);
}

static int run_what_is_given(struct try_door *door, struct arena *a, char *const *words)
{
    struct span paste;

    if (words[1])
        return run_words(door, a, words);
    if (strcmp(words[0], "-") != 0)
        return run_text(door, a, span_of(words[0]));
    if (!file_read(a, "/dev/stdin", &paste))
        return command_fail(arena_printf(a, "standard input: %s", strerror(errno)), EXIT_USAGE);
    if (moving_text_is_utf16(paste))
        return command_fail("standard input is UTF-16, as Windows PowerShell writes it: give UTF-8",
                            EXIT_USAGE);
    return run_text(door, a, utf8_skip_mark(paste));
}

static int try_it(struct arena *a, const void *given)
{
    const struct try_options *o = given;
    const char *problem;
    struct try_door *door;
    int status;

    if (!o->words || !*o->words)
        return command_fail("there is no command to try; --help shows how", EXIT_USAGE);
    if (!(door = try_door_open(a, o, &problem)))
        return command_fail(problem, EXIT_FAILURE);
    status = run_what_is_given(door, a, o->words);
    try_door_close(door);
    return status;
}

static const char *check_options(struct arena *a, void *given)
{
    const struct try_options *o = given;

    (void)a;
    if (o->fixtures.names.count && (o->at.world || o->at.endpoint))
        return "--fixtures asks no server: --endpoint and --world do not go with it";
    if (o->fixtures.names.count && o->yes)
        return "--yes is about a server: it does not go with --fixtures";
    if (!o->fixtures.names.count && *o->fixtures.table_prefix)
        return "--table-prefix is about fixtures: give --fixtures";
    if (!o->fixtures.names.count && o->fixtures.params.count)
        return "--param is about templates: give --fixtures";
    return NULL;
}

const struct command command_try = {
    .name = "try",
    .summary = "run an AWS CLI command, a PartiQL statement or, with -, a paste, and explain it",
    .words = "aws dynamodb …",
    .words_at = offsetof(struct try_options, words),
    .options = OPTION_GROUPS({"With try", endpoint_options_rows, 0}, {NULL, rows, 0}),
    .defaults = &defaults,
    .size = sizeof defaults,
    .check = check_options,
    .run = try_it,
};
