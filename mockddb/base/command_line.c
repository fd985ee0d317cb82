#include "base/command_line.h"

#include "base/licenses.h"
#include "base/one_more.h"
#include "base/packed.h"
#include "base/terminal.h"

#include <stdlib.h>

#define LICENSES_SIZE ((size_t)1 << 20) /* more than their texts have */

#define HELP     offsetof(struct command_line, wants_help)
#define VERSION  offsetof(struct command_line, wants_version)
#define LICENSES offsetof(struct command_line, wants_licenses)

const struct option command_line_common[] = {
    {"--version", NULL, option_flag, VERSION, "print the version", NULL},
    {"--licenses", NULL, option_flag, LICENSES, "print the licences of what is in the program",
     NULL},
    {"--help", NULL, option_flag, HELP, "print this", NULL},
    {"-version", NULL, option_flag, VERSION, NULL, NULL},
    {"-help", NULL, option_flag, HELP, NULL, NULL},
    {"-h", NULL, option_flag, HELP, NULL, NULL},
    {.name = NULL},
};

static const struct option_group common[] = {{NULL, command_line_common, 0}, {NULL, NULL, 0}};

/* --- words ------------------------------------------------------------------------------------ */

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

/* --- reading ---------------------------------------------------------------------------------- */

const char *command_line_read(struct arena *a, char *const *words, bool (*elsewhere)(const char *),
                              struct command_line *out)
{
    const struct command *command = out->command;
    void *options = arena_alloc(a, command->size);
    struct command_words own = {NULL, 0};
    const char *problem = NULL;

    memcpy(options, command->defaults, command->size);
    out->options = options;
    while (*words && !problem) {
        const char *word = *words;

        if (begins_words(command, word))
            take_words(a, command, &own, &words);
        else if (*word != '-')
            return arena_printf(a, "unexpected word %s; --help lists all options", word);
        else if (option_is_known(common, word))
            problem = option_read(a, common, &words, out, &out->given);
        else if (option_is_known(command->options, word))
            problem = option_read(a, command->options, &words, options, &out->given);
        else if (elsewhere && elsewhere(word))
            return arena_printf(a, "option %.*s does not go with this command",
                                (int)strcspn(word, "="), word);
        else
            return arena_printf(a, "unknown option %s; --help lists all", word);
    }
    if (own.count)
        *(char *const **)(void *)((char *)options + command->words_at) = own.at;
    if (problem || out->wants_help || out->wants_version || out->wants_licenses || !command->check)
        return problem;
    return command->check(a, options);
}

int command_line_fail(const char *program, const char *problem, int status)
{
    terminal_say("%s: %s\n", program, problem);
    return status;
}

int command_line_print(const char *program, const char *text)
{
    if (fputs(text, stdout) == EOF || fflush(stdout) == EOF)
        return command_line_fail(program, "standard output cannot be written", EXIT_FAILURE);
    return EXIT_SUCCESS;
}

static int print_licenses(struct arena *a, const char *program)
{
    struct buf text = buf_in(a);
    const char *problem = packed_unpack(PACKED_GZIP, licenses_packed, LICENSES_SIZE, &text);

    return problem ? command_line_fail(program, problem, EXIT_FAILURE)
                   : command_line_print(program, buf_text(&text));
}

int command_line_run(struct arena *a, const char *program, const struct command_line *line,
                     const char *help, const char *version)
{
    if (line->wants_help)
        return command_line_print(program, help);
    if (line->wants_version)
        return command_line_print(program, version);
    if (line->wants_licenses)
        return print_licenses(a, program);
    if (line->given.repeated)
        terminal_say("%s: option %s is given more than once: the last one counts\n", program,
                     line->given.repeated);
    return line->command->run(a, line->options);
}

void command_line_help(struct buf *out, const char *program, const struct command *command)
{
    buf_printf(out, "usage: %s%s%s%s [options]\n\n%s\n", program, command->name,
               command->words ? " " : "", command->words ? command->words : "", command->summary);
    option_help(out, command->options);
}
