/* options.h: what the clients share: start-up, errors of getopt_long, and options such as
 * --help. */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include "base/arena.h"

struct option;

/* The error for a return value of getopt_long (short options are ":", opterr is 0), or NULL if it
 * is an option's code. */
MUST_CHECK const char *options_fault(struct arena *a, int code, char *const *argv);

/* Returns an error if the value of the option with this code is empty, else NULL. */
MUST_CHECK const char *options_no_value(struct arena *a, const struct option *options, int code,
                                        const char *value);

/* Returns an error if the prefix has characters that table names cannot have. It may be empty. */
MUST_CHECK const char *options_no_prefix(struct arena *a, const char *prefix);

/* Sets up memory, descriptors and connections; called first. From then on, writing to a closed pipe
 * or connection is an error, not a signal. */
void options_start(void);

/* Prints a text; on failure, reports it on standard error and returns false. */
bool options_print(const char *program, const char *text);

#endif
