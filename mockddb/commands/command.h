/* command.h: the commands of the program.
 *
 * A command is a file, command_NAME.c, and a line in command_table.c. */
#pragma once

#include "base/command_line.h"
#include "base/problem.h"

#define EXIT_USAGE COMMAND_LINE_WRONG

extern const struct command command_serve;
extern const struct command command_try;
extern const struct command command_run;
extern const struct command command_ctl;
extern const struct command command_check;
extern const struct command command_check_model;
extern const struct command command_import;
extern const struct command command_export;
extern const struct command command_push;
extern const struct command command_pull;
extern const struct command command_healthcheck;
extern const struct command command_store;
extern const struct command command_mcp;

/* Parses the words after the program's name; the array ends with NULL and its texts are borrowed.
 * Without a command's name the command is serve. A command's own words begin with the first word
 * that is not an option, or after "--". Returns NULL, or a line that says what is wrong. */
MUST_CHECK const char *command_read(struct arena *a, char *const *words, struct command_line *out);

/* The text that --help prints for one command, or for all commands if `of` is NULL. */
const char *command_help(struct arena *a, const struct command *of);

/* Parses the words and runs the command. `commit` names the program's sources. Returns the exit
 * status. */
int command_do(struct arena *a, char *const *words, const char *commit);

/* Prints the problem on standard error; returns `status`. */
int command_fail(const char *problem, int status);

/* Prints the problem; returns EXIT_USAGE for PROBLEM_INVALID, else EXIT_FAILURE. */
int command_problem(struct arena *a, const struct problem *p);

/* Like command_fail, for work that Ctrl-C stopped (interrupt.h): `text` says how far the work got
 * and what running the command again does. Returns the exit status that a shell reports for the
 * signal. */
int command_interrupted(const char *text);
