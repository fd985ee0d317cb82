/* options.h: what getopt_long found wrong with a command line. */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include "base/arena.h"

/* The fault that a return value of getopt_long stands for (its short options are ":", opterr is 0),
 * or NULL for that of an option. */
MUST_CHECK const char *options_fault(struct arena *a, int code, char *const *argv);

#endif
