/* program.h: what the clients share: their main function. */
#ifndef COMMON_PROGRAM_H
#define COMMON_PROGRAM_H

#include "base/command_line.h"

/* Sets up memory, descriptors and connections, reads the command line and runs the program. From
 * then on, writing to a closed pipe or connection is an error, not a signal. Returns the exit
 * status. */
int program_run(const struct command *program, int argc, char **argv);

/* Prints the problem on standard error; returns `status`. */
int program_fail(const struct command *program, const char *problem, int status);

#endif
