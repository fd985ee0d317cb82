/* program.h: the clients, which are the program mockddb under other names, and what they share. */
#pragma once

#include "base/command_line.h"

extern const struct command program_capture;
extern const struct command program_json;
extern const struct command program_patterns;
extern const struct command program_stream_lambda;

/* Returns the client of that name, or NULL. */
const struct command *program_find(const char *name);

/* Sets up memory, descriptors and connections, reads the command line and runs the program. From
 * then on, writing to a closed pipe or connection is an error, not a signal. Returns the exit
 * status. */
int program_run(const struct command *program, int argc, char **argv);

/* Prints the problem on standard error; returns `status`. */
int program_fail(const struct command *program, const char *problem, int status);
