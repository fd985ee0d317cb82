#include "base/ascii.h"
#include "base/completion.h"
#include "base/interrupt.h"
#include "base/terminal.h"
#include "commands/command.h"
#include "commands/serve_options.h"

#include <ctype.h>
#include <stdlib.h>

/* In the order of the help; the first is the default command; ends with NULL. */
static const struct command *const commands[] = {
    &command_serve,       &command_run,    &command_try,    &command_ctl,  &command_check,
    &command_check_model, &command_import, &command_export, &command_push, &command_pull,
    &command_healthcheck, &command_store,  &command_mcp,    NULL};

static const struct option_group common[] = {
    {"With every command", command_line_common, 0},
    {NULL, NULL, 0},
};

/* --- reading ---------------------------------------------------------------------------------- */

static const struct command *find_command(const char *word)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(word, commands[i]->name) == 0)
            return commands[i];
    return NULL;
}

static bool belongs_elsewhere(const char *word)
{
    for (size_t i = 0; commands[i]; i++)
        if (option_is_known(commands[i]->options, word))
            return true;
    return false;
}

const char *command_read(struct arena *a, char *const *words, struct command_line *out)
{
    *out = (struct command_line){.command = commands[0]};
    if (*words && **words != '-') {
        out->is_named = true;
        if (!(out->command = find_command(*words++)))
            return arena_printf(a, "unknown command %s; --help lists all", words[-1]);
    }
    return command_line_read(a, words, belongs_elsewhere, out);
}

/* --- help ------------------------------------------------------------------------------------- */

#define WIDTH 78 /* width of a list of names */

/* Example lines, by subject or command; a test parses each of them. */
static const struct manual_text examples[] = {
    {"", "mockddb --fixtures ecommerce --table-prefix prod-"},
    {"", "mockddb --db shop.db"},
    {"", "mockddb run --fail-on no=Scan -- pytest"},
    {"", "mockddb try \"SELECT * FROM Orders\""},
    {"doors", "mockddb --port 0"},
    {"doors", "mockddb --host 0.0.0.0 --allow-host db.example"},
    {"doors", "mockddb --cors https://app.example:3000"},
    {"doors", "mockddb --tls-cert cert.pem --tls-key key.pem"},
    {"files", "mockddb --db shop.db --sync full"},
    {"files", "mockddb --data-dir data"},
    {"data", "mockddb --fixtures ecommerce --table-prefix prod-"},
    {"data", "mockddb --fixtures my-tables --patterns patterns.json"},
    {"service", "mockddb --regions by-request --replica-lag-ms 2000"},
    {"service", "mockddb --transition-ms 2000 --kinesis-out records"},
    {"faults", "mockddb --faults rules.json"},
    {"faults", "mockddb --throttle provisioned,Orders --throttle-burst empty"},
    {"worlds", "mockddb --port 0 --worlds by-access-key"},
    {"worlds", "mockddb --clock 2026-01-01T00:00:00Z,frozen"},
    {"journal", "mockddb --mask email --fail-on no=Scan,max_read_units=20"},
    {"agents", "mockddb --fixtures ecommerce --mcp token --mcp-tools rehearse,tests"},
    {"local", "mockddb -sharedDb -inMemory -port 8001"},
    {"serve", "mockddb serve --port 0 --fixtures ecommerce"},
    {"run", "mockddb run --fixtures ecommerce -- pytest -n 8"},
    {"try", "mockddb try 'aws dynamodb scan --table-name Orders --max-items 2'"},
    {"ctl", "mockddb ctl clock advance=36h"},
    {"ctl", "mockddb ctl --world w1 reset"},
    {"check", "mockddb check --table Orders"},
    {"check-model", "mockddb check-model model.json patterns.json"},
    {"mcp", "mockddb mcp --fixtures ecommerce --mcp-tools rehearse,tests"},
    {"import", "mockddb import orders.jsonl --table Orders --db shop.db"},
    {"export", "mockddb export --db shop.db --table Orders orders.jsonl"},
    {"push", "mockddb push --db shop.db --table Orders"},
    {"pull", "mockddb pull --endpoint http://127.0.0.1:8001 --db shop.db"},
    {"healthcheck", "mockddb healthcheck --wait 10"},
    {"store", "mockddb store init 'postgresql://db1,db2/app?schema=team_a'"},
    {NULL, NULL},
};

static const struct manual_text statuses[] = {
    {"0", "success; with --version and help as well"},
    {"1", "failure"},
    {"2", "the command line is wrong"},
    {"3", "a rule of --fail-on is broken, or no request came"},
    {NULL, NULL},
};

static void add_examples(struct buf *out, const char *word)
{
    const char *heading = "\nExamples:\n";

    for (const struct manual_text *e = examples; e->word; e++) {
        if (strcmp(e->word, word) != 0)
            continue;
        buf_printf(out, "%s  %s\n", heading, e->text);
        heading = "";
    }
}

/* "Doors: who gets in" has the subject "doors". */
static const char *subject_of(struct arena *a, const struct option_group *group)
{
    char *name = arena_text(a, (struct span){group->title, strcspn(group->title, ":")});

    for (char *c = name; *c; c++)
        *c = ascii_lower(*c);
    return name;
}

static const char *name_and_words(struct arena *a, const struct command *c)
{
    return c->words ? arena_printf(a, "%s %s", c->name, c->words) : c->name;
}

static void add_names(struct buf *out, const struct option *rows)
{
    size_t wide = WIDTH;

    for (; rows->name; rows++) {
        const char *name = rows->value ? arena_printf(out->arena, "%s %s", rows->name, rows->value)
                                       : rows->name;

        if (!rows->help)
            continue;
        if (wide + strlen(name) + 3 > WIDTH) {
            buf_add_text(out, wide == WIDTH ? "     " : "\n     ");
            wide = 5;
        }
        buf_printf(out, " %s%s", name, rows[1].name && rows[1].help ? "," : "");
        wide += strlen(name) + 2;
    }
    buf_add_text(out, "\n");
}

/* One page: the commands, and the names of all options by subject. */
static const char *help_of_program(struct arena *a)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, "usage: mockddb [command] [options]\n\nCommands:\n");
    for (size_t i = 0; commands[i]; i++)
        option_help_row(&out, name_and_words(a, commands[i]), commands[i]->summary);
    buf_add_text(&out, "\nOptions of serve and run, by subject:\n");
    for (const struct option_group *group = command_serve.options; group->rows; group++) {
        buf_printf(&out, "  %s%s\n", subject_of(a, group), strchr(group->title, ':'));
        add_names(&out, group->rows);
    }
    option_help(&out, common);
    add_examples(&out, "");
    buf_add_text(&out,
                 "\nmockddb help SUBJECT explains its options, mockddb help COMMAND a command,\n"
                 "mockddb help all everything; mockddb help man is a manual page, and\n"
                 "mockddb help completion SHELL a script for bash, zsh or fish.\n");
    return buf_text(&out);
}

/* One command: its words, its options, the common options, and examples. */
static const char *help_of_command(struct arena *a, const struct command *command)
{
    struct buf out = buf_in(a);

    command_line_help(&out, "mockddb ", command);
    option_help(&out, common);
    add_examples(&out, command->name);
    return buf_text(&out);
}

static const char *help_of_all(struct arena *a)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, help_of_program(a));
    for (size_t i = 0; commands[i]; i++)
        if (manual_lists_options(commands, i))
            option_help(&out, commands[i]->options);
    return buf_text(&out);
}

/* The words that may follow `help`. */
static const char *all_topics(struct arena *a)
{
    struct buf out = buf_in(a);

    for (const struct option_group *group = command_serve.options; group->rows; group++)
        buf_printf(&out, "%s ", subject_of(a, group));
    for (size_t i = 0; commands[i]; i++)
        buf_printf(&out, "%s ", commands[i]->name);
    buf_add_text(&out, "all man completion");
    return buf_text(&out);
}

/* Help about a subject, a command, "all", "man" or "completion". Returns NULL for other words. */
static const char *help_about(struct arena *a, const char *const *words)
{
    const struct manual manual = {
        .program = "mockddb",
        .version = MOCKDDB_VERSION,
        .summary = "offline server for programs that use Amazon DynamoDB",
        .commands = commands,
        .common = common,
        .topics = all_topics(a),
        .examples = examples,
        .statuses = statuses,
    };
    const char *word = words[0];

    if (strcmp(word, "all") == 0)
        return help_of_all(a);
    for (const struct option_group *group = command_serve.options; group->rows; group++)
        if (strcmp(word, subject_of(a, group)) == 0) {
            const struct option_group alone[] = {*group, {NULL, NULL, 0}};
            struct buf out = buf_in(a);

            buf_add_text(&out, "usage: mockddb [serve|run] [options]\n");
            option_help(&out, alone);
            add_examples(&out, subject_of(a, group));
            return buf_text(&out);
        }
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(word, commands[i]->name) == 0)
            return help_of_command(a, commands[i]);
    return completion_or_manual(a, &manual, words);
}

/* --- running ---------------------------------------------------------------------------------- */

int command_interrupted(const char *text)
{
    terminal_say("mockddb: interrupted: %s\n", text);
    return 128 + interrupt_signal(); /* a shell's exit status for the signal */
}

int command_fail(const char *problem, int status)
{
    return command_line_fail("mockddb", problem, status);
}

int command_problem(struct arena *a, const struct problem *p)
{
    return command_fail(problem_text(a, p), p->kind == PROBLEM_INVALID ? EXIT_USAGE : EXIT_FAILURE);
}

const char *command_help(struct arena *a, const struct command *of)
{
    return of ? help_of_command(a, of) : help_of_program(a);
}

/* Warns about variables such as MOCKDDB_PORT, which users expect to work like --port. Other
 * variables that begin with MOCKDDB_ belong to users' programs. */
static void say_variables(struct arena *a)
{
    for (const struct option_group *group = serve_options_groups; group->rows; group++) {
        for (const struct option *o = group->rows; o->name; o++) {
            char *name = arena_printf(a, "MOCKDDB_%s", o->name + strspn(o->name, "-"));

            for (char *c = name; *c; c++)
                *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
            if (strncmp(o->name, "--", 2) == 0 && getenv(name))
                terminal_say("mockddb: the environment variable %s is not read: give %s\n", name,
                             o->name);
        }
    }
}

/* Returns the words after `help` or `--help`, or NULL if help was not requested in this form. */
static const char *const *asks_for_help(char *const *words)
{
    static const char *const spellings[] = {"help", "--help", "-help", "-h"};

    for (size_t i = 0; *words && i < COUNT(spellings); i++)
        if (strcmp(*words, spellings[i]) == 0 && (i == 0 || (words[1] && *words[1] != '-')))
            return (const char *const *)words + 1;
    return NULL;
}

int command_do(struct arena *a, char *const *words, const char *commit)
{
    const char *const *subject = asks_for_help(words);
    struct command_line line;
    const char *problem;

    if (subject) {
        const char *text;

        if (!*subject)
            return command_line_print("mockddb", help_of_program(a));
        text = help_about(a, subject);
        if (!text && strcmp(*subject, "completion") == 0)
            return command_fail("help completion needs a shell: bash, zsh or fish", EXIT_USAGE);
        if (!text)
            return command_fail(arena_printf(a,
                                             "there is no help about %s; mockddb help lists the "
                                             "subjects and commands",
                                             *subject),
                                EXIT_USAGE);
        return command_line_print("mockddb", text);
    }
    problem = command_read(a, words, &line);
    if (problem)
        return command_fail(problem, EXIT_USAGE);
    if (line.command->options == serve_options_groups)
        say_variables(a);
    return command_line_run(
        a, "mockddb", &line,
        line.wants_help ? command_help(a, line.is_named ? line.command : NULL) : NULL,
        arena_printf(a, "mockddb " MOCKDDB_VERSION "\ncommit %s\nlibraries " MOCKDDB_LIBRARIES "\n",
                     commit));
}
