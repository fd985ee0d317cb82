/* command.h: what the program can be asked to do.
 *
 * A command is a file, command_NAME.c, and a line in command_table.c. */
#ifndef COMMANDS_COMMAND_H
#define COMMANDS_COMMAND_H

#include "commands/option.h"

#define EXIT_USAGE 2 /* the command line is wrong */

struct command {
    const char *name;    /* the word that asks for it */
    const char *summary; /* its line in the help */
    const char *words;   /* what it takes behind its options, for the help; NULL: nothing */
    size_t words_at;     /* the member for those: a char *const *, which ends with NULL */
    bool words_are_its;  /* they are its own, so that options may stand among and behind them */
    const struct option_group *options;
    const void *defaults; /* what options are read into starts as a copy of this */
    size_t size;          /* bytes of it */
    /* Settles what options say about each other; NULL: nothing. Returns NULL, or what is wrong. */
    const char *(*check)(struct arena *a, void *options);
    /* Returns the exit status. */
    int (*run)(struct arena *a, const void *options);
};

extern const struct command command_serve;
extern const struct command command_try;
extern const struct command command_run;
extern const struct command command_ctl;
extern const struct command command_import;
extern const struct command command_export;
extern const struct command command_push;
extern const struct command command_pull;
extern const struct command command_healthcheck;

/* A command line, read. */
struct command_line {
    const struct command *command;
    const void *options; /* the command's own struct */
    bool is_named;       /* the command stands there; without a word it is serve */
    bool wants_help, wants_version;
    struct option_history given;
};

/* Reads the words behind the program's name, up to a NULL; their texts are borrowed. Without a
 * command among them it is serve. A command's own words begin with the first that is no option, or
 * behind a "--". Returns NULL, or what is wrong in one line. */
MUST_CHECK const char *command_read(struct arena *a, char *const *words, struct command_line *out);

/* What --help prints: about one command, or where `of` is NULL, about all of them. */
const char *command_help(struct arena *a, const struct command *of);

/* Reads the words and does what they ask for. Returns the exit status. */
int command_do(struct arena *a, char *const *words);

/* Says what is wrong on standard error; returns the status. */
int command_fail(const char *problem, int status);

/* The same of work that Ctrl-C stopped (interrupt.h): how far it came, and what the same command
 * does next. The status is a shell's for that signal. */
int command_interrupted(const char *text);

#endif
