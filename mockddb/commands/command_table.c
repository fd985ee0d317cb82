#include "base/interrupt.h"
#include "base/one_more.h"
#include "base/terminal.h"
#include "commands/command.h"
#include "commands/help.h"
#include "commands/serve_options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* In the order of the help; the first is the default command. */
static const struct command *const commands[] = {
    &command_serve,  &command_run,  &command_try,  &command_ctl,        &command_import,
    &command_export, &command_push, &command_pull, &command_healthcheck};

/* --- options that all commands take ----------------------------------------------------------- */

#define HELP    offsetof(struct command_line, wants_help)
#define VERSION offsetof(struct command_line, wants_version)

static const struct option common_rows[] = {
    {"--version", NULL, option_flag, VERSION, "print the version"},
    {"--help", NULL, option_flag, HELP, "print this"},
    {"-version", NULL, option_flag, VERSION, NULL},
    {"-help", NULL, option_flag, HELP, NULL},
    {"-h", NULL, option_flag, HELP, NULL},
    {NULL, NULL, NULL, 0, NULL},
};

static const struct option_group common[] = {
    {"With every command", common_rows, 0},
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

/* Reads the option at **words and steps past it. */
static const char *read_option(struct arena *a, struct command_line *line, void *options,
                               char *const **words)
{
    const char *word = **words;

    if (option_is_known(common, word))
        return option_read(a, common, words, line, &line->given);
    if (option_is_known(line->command->options, word))
        return option_read(a, line->command->options, words, options, &line->given);
    if (belongs_elsewhere(word))
        return arena_printf(a, "option %.*s does not go with this command", (int)strcspn(word, "="),
                            word);
    return arena_printf(a, "unknown option %s; --help lists all", word);
}

/* Whether the command's own words begin here; "-" is one of them. */
static bool begins_words(const struct command *command, const char *word)
{
    return command->words && (*word != '-' || strcmp(word, "-") == 0 || strcmp(word, "--") == 0);
}

/* The command's own words so far; ends with NULL. */
struct command_words {
    char **at;
    size_t count;
};

static void add_word(struct arena *a, struct command_words *words, char *word)
{
    if (!words->at)
        words->at = one_more(a, NULL, 0, sizeof *words->at);
    words->at = one_more(a, words->at, words->count + 1, sizeof *words->at);
    words->at[words->count++] = word;
    words->at[words->count] = NULL;
}

/* Takes the word; takes all words if they belong to another program, or follow "--". */
static void take_words(struct arena *a, const struct command *command, struct command_words *out,
                       char *const **words)
{
    bool all = !command->words_are_its;

    if (strcmp(**words, "--") == 0) {
        all = true;
        ++*words;
    }
    do {
        if (**words)
            add_word(a, out, *(*words)++);
    } while (all && **words);
}

const char *command_read(struct arena *a, char *const *words, struct command_line *out)
{
    struct command_words own = {NULL, 0};
    const char *problem;
    void *options;

    *out = (struct command_line){.command = commands[0]};
    if (*words && **words != '-') {
        out->is_named = true;
        if (!(out->command = find_command(*words++)))
            return arena_printf(a, "unknown command %s; --help lists all", words[-1]);
    }
    options = arena_alloc(a, out->command->size);
    memcpy(options, out->command->defaults, out->command->size);
    out->options = options;
    while (*words) {
        if (begins_words(out->command, *words)) {
            take_words(a, out->command, &own, &words);
            continue;
        }
        if (**words != '-')
            return arena_printf(a, "unexpected word %s; --help lists all options", *words);
        if ((problem = read_option(a, out, options, &words)))
            return problem;
    }
    if (own.count)
        *(char *const **)(void *)((char *)options + out->command->words_at) = own.at;
    if (out->wants_help || out->wants_version || !out->command->check)
        return NULL;
    return out->command->check(a, options);
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
