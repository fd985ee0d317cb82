/* options.h: what the clients have in common: how they begin, what getopt_long found wrong with a
 * command line, and what options print that answer by themselves. */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include "client/client_endpoint.h"

struct option;

/* The fault that a return value of getopt_long stands for (its short options are ":", opterr is 0),
 * or NULL for that of an option. */
MUST_CHECK const char *options_fault(struct arena *a, int code, char *const *argv);

/* What is wrong with a value, that of the option with this code in getopt's table, where it has
 * none; else NULL. */
MUST_CHECK const char *options_no_value(struct arena *a, const struct option *options, int code,
                                        const char *value);

/* The same for what stands in front of the names of tables, which may be nothing. */
MUST_CHECK const char *options_no_prefix(struct arena *a, const char *prefix);

/* Which server is asked (client_endpoint.h); says so on standard error where another than the
 * default was not asked for by an option. Returns NULL, or why none may be asked. */
MUST_CHECK const char *options_endpoint(struct arena *a, const char *program,
                                        const struct client_endpoint_question *q, const char **url);

/* Memory, descriptors and connections; first of all. A server or reader that goes away is an error
 * of writing from then on, and no signal. */
void options_start(void);

/* Prints a text that is all there is to say; false, and said on standard error, when that cannot be
 * done. */
bool options_print(const char *program, const char *text);

#endif
