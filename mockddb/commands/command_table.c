#include "base/interrupt.h"
#include "base/terminal.h"
#include "commands/command.h"
#include "commands/help.h"
#include "commands/serve_options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* In the order of the help; the first is the default command. */
static const struct command *const commands[] = {
    &command_serve,  &command_run,    &command_try,  &command_ctl,  &command_check,
    &command_import, &command_export, &command_push, &command_pull, &command_healthcheck};

static const struct option_group common[] = {
    {"With every command", command_line_common, 0},
    {NULL, NULL, 0},
};

/* --- reading ---------------------------------------------------------------------------------- */

static const struct command *find_command(const char *word)
{
    for (size_t i = 0; i < COUNT(commands); i++)
        if (strcmp(word, commands[i]->name) == 0)
            return commands[i];
    return NULL;
}

static bool belongs_elsewhere(const char *word)
{
    for (size_t i = 0; i < COUNT(commands); i++)
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

/* --- running ---------------------------------------------------------------------------------- */

int command_interrupted(const char *text)
{
    terminal_say("mockddb: interrupted: %s\n", text);
    return 128 + interrupt_signal(); /* a shell's exit status for the signal */
}

int command_fail(const char *problem, int status)
{
    terminal_say("mockddb: %s\n", problem);
    return status;
}

int command_problem(const struct problem *p)
{
    return command_fail(p->text, p->kind == PROBLEM_INVALID ? EXIT_USAGE : EXIT_FAILURE);
}

static const struct help help = {commands, COUNT(commands), common};

const char *command_help(struct arena *a, const struct command *of)
{
    return of ? help_of_command(a, &help, of) : help_of_program(a, &help);
}

static int print_text(const char *text)
{
    if (fputs(text, stdout) == EOF || fflush(stdout) == EOF)
        return command_fail("standard output cannot be written", EXIT_FAILURE);
    return EXIT_SUCCESS;
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

static int print_help(struct arena *a, const char *const *words)
{
    const char *text = *words ? help_about(a, &help, *words) : help_of_program(a, &help);

    if (!text)
        return command_fail(arena_printf(a,
                                         "there is no help about %s; mockddb help lists the "
                                         "subjects and commands",
                                         *words),
                            EXIT_USAGE);
    return print_text(text);
}

int command_do(struct arena *a, char *const *words)
{
    const char *const *subject = asks_for_help(words);
    struct command_line line;
    const char *problem;

    if (subject)
        return print_help(a, subject);
    problem = command_read(a, words, &line);
    if (problem)
        return command_fail(problem, EXIT_USAGE);
    if (line.wants_help)
        return print_text(command_help(a, line.is_named ? line.command : NULL));
    if (line.wants_version)
        return print_text("mockddb " MOCKDDB_VERSION "\n");
    if (line.given.repeated)
        terminal_say("mockddb: option %s is given more than once: the last one counts\n",
                     line.given.repeated);
    if (line.command->options == serve_options_groups)
        say_variables(a);
    return line.command->run(a, line.options);
}
