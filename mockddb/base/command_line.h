/* command_line.h: the command line of a program, or of one of its commands: options from tables
 * (option.h) and words. */
#pragma once

#include "base/option.h"

#define COMMAND_LINE_WRONG 2 /* exit status: the command line is wrong */

struct command {
    const char *name;    /* the word on the command line, or the program's name */
    const char *summary; /* its line in the help */
    const char *words;   /* the words that follow its options, for the help; NULL: none */
    size_t
        words_at; /* offset of the member for those words: a char *const *, which ends with NULL */
    bool words_are_its; /* the words belong to the program, so options may come between and after
                           them */
    /* The command's words begin with a verb, and this is its list, for the help: the row's words,
       and in *help what it does. Returns NULL after the last row. NULL: no verbs. */
    const char *(*verb)(struct arena *a, size_t at, const char **help);
    const struct option_group *options;
    const void *defaults; /* initial value of the options' struct */
    size_t size;          /* of the options' struct */
    /* Checks options against each other; may be NULL. Returns NULL, or what is wrong. */
    const char *(*check)(struct arena *a, void *options);
    /* Returns the exit status. */
    int (*run)(struct arena *a, const void *options);
};

/* A parsed command line. */
struct command_line {
    const struct command *command;
    const void *options; /* the command's own struct */
    bool is_named;       /* the command was named; without a name it is the program's default */
    bool wants_help, wants_version, wants_licenses;
    struct option_history given;
};

/* The options that every command takes: --help, --version and --licenses. */
extern const struct option command_line_common[];

/* Parses the words after the command's name for out->command; the array ends with NULL and its
 * texts are borrowed. The command's own words begin with the first word that is not an option, or
 * after "--". `elsewhere`, if not NULL, says whether another command has an option. Returns NULL,
 * or a line that says what is wrong. */
MUST_CHECK const char *command_line_read(struct arena *a, char *const *words,
                                         bool (*elsewhere)(const char *word),
                                         struct command_line *out);

/* Prints the problem on standard error; returns `status`. */
int command_line_fail(const char *program, const char *problem, int status);

/* Prints the text on standard output; returns the exit status. */
int command_line_print(const char *program, const char *text);

/* Prints what a parsed line asks for, of which the caller has the help and the version, or runs its
 * command. Returns the exit status. */
int command_line_run(struct arena *a, const char *program, const struct command_line *line,
                     const char *help, const char *version);

/* Adds the usage, the summary and the command's own options. `program`: words before the command's
 * name. */
void command_line_help(struct buf *out, const char *program, const struct command *command);
